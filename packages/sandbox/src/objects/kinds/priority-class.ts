import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { KubeObject } from '../../values/json.ts';
import { immutable, oneOf } from './errors.ts';
import { numberAt, setDefault } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';

const HIGHEST_USER_PRIORITY = 1_000_000_000;
const SYSTEM: { readonly [name: string]: number } = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function systemErrors(object: KubeObject, name: string): FieldError[] {
  const value = SYSTEM[name];
  const refuse = (why: string): FieldError[] => [
    fieldError.forbidden(
      'metadata.name',
      `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`,
    ),
  ];
  if (value === undefined) return refuse(`${name} is not a known system priority class`);
  if (numberAt(object, 'value') !== value) return refuse(`value of ${name} PriorityClass must be ${value}`);
  return object['globalDefault'] === true ? refuse(`globalDefault of ${name} PriorityClass must be false`) : [];
}

export const priorityClass: KindBehaviour = {
  hasGeneration: true,
  default: (object) => setDefault(object, 'preemptionPolicy', 'PreemptLowerPriority'),
  validate(object) {
    const name = object.metadata.name ?? '';
    const errors: FieldError[] = [];
    if (name.startsWith('system-')) errors.push(...systemErrors(object, name));
    else if (numberAt(object, 'value') > HIGHEST_USER_PRIORITY) {
      const why = `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`;
      errors.push(fieldError.forbidden('value', why));
    }
    return [...errors, ...oneOf(object, 'preemptionPolicy', '', ['PreemptLowerPriority', 'Never'])];
  },
  validateUpdate: (object, old) => [
    ...(numberAt(object, 'value') === numberAt(old, 'value')
      ? []
      : [fieldError.forbidden('value', 'may not be changed in an update.')]),
    ...immutable(object['preemptionPolicy'], old['preemptionPolicy'], 'preemptionPolicy'),
  ],
};
