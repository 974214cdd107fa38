import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { KubeObject } from '../../../values/json.ts';
import { immutable, oneOf, qualifiedName } from '../errors.ts';
import { listAt, setDefault, textAt, textMapAt, textsAt } from '../values/fields.ts';
import type { KindBehaviour } from '../kind.ts';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_SIZE = 256 * 1024;

function parameterErrors(object: KubeObject): FieldError[] {
  const parameters = Object.entries(textMapAt(object, 'parameters'));
  if (parameters.length > MAX_PARAMETERS) return [fieldError.tooLong('parameters', MAX_PARAMETERS)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of parameters) {
    if (key === '') errors.push(fieldError.invalid('parameters', key, 'field can not be empty.'));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > MAX_PARAMETER_SIZE) errors.push(fieldError.tooLong('parameters', MAX_PARAMETER_SIZE));
  return errors;
}

function topologyErrors(object: KubeObject): FieldError[] {
  return listAt(object, 'allowedTopologies').flatMap((term, i) =>
    listAt(term, 'matchLabelExpressions').flatMap((expression, j) => {
      const path = `allowedTopologies[${i}].matchLabelExpressions[${j}]`;
      const missing = textsAt(expression, 'values').length === 0;
      return [
        ...(missing ? [fieldError.required(`${path}.values`, '')] : []),
        ...qualifiedName(textAt(expression, 'key'), `${path}.key`),
      ];
    }),
  );
}

const FIXED = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'];

function validate(object: KubeObject): FieldError[] {
  const provisioner = textAt(object, 'provisioner');
  return [
    ...(provisioner === ''
      ? [fieldError.required('provisioner', '')]
      : qualifiedName(provisioner.toLowerCase(), 'provisioner')),
    ...parameterErrors(object),
    ...(textAt(object, 'reclaimPolicy') === '' ? [] : oneOf(object, 'reclaimPolicy', '', ['Delete', 'Retain'])),
    ...oneOf(object, 'volumeBindingMode', '', ['Immediate', 'WaitForFirstConsumer']),
    ...topologyErrors(object),
  ];
}

export const storageClass: KindBehaviour = {
  default(object) {
    setDefault(object, 'reclaimPolicy', 'Delete');
    setDefault(object, 'volumeBindingMode', 'Immediate');
  },
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...FIXED.flatMap((key) => immutable(object[key], old[key], key)),
  ],
};
