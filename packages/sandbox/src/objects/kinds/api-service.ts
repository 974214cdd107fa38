import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { isDNS1035Label, isDNS1123Subdomain, isPathSegmentName, isValidPortNum } from '../schema/names.ts';
import { copyField, ensureObject, isSet, listAt, numberAt, objectAt, textAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';
import { decodedLength } from './secret.ts';

const STATUSES = ['True', 'False', 'Unknown'];

function nameErrors(name: string, spec: JsonObject): FieldError[] {
  const expected = `${textAt(spec, 'version')}.${textAt(spec, 'group')}`;
  if (name === expected || isPathSegmentName(name).length > 0) return [];
  const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`;
  return [fieldError.invalid('metadata.name', name, why)];
}

function priority(spec: JsonObject, key: string, max: number): FieldError[] {
  const value = numberAt(spec, key);
  if (value > 0 && value <= max) return [];
  return [fieldError.invalid(`spec.${key}`, value, `must be positive and less than ${max}`)];
}

function validate(object: KubeObject): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const group = textAt(spec, 'group');
  const version = textAt(spec, 'version');
  const errors = nameErrors(object.metadata.name ?? '', spec);
  if (group === '' && version !== 'v1') {
    errors.push(fieldError.required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  if (group !== '')
    errors.push(...isDNS1123Subdomain(group).map((why) => fieldError.invalid('spec.group', group, why)));
  errors.push(...isDNS1035Label(version).map((why) => fieldError.invalid('spec.version', version, why)));
  errors.push(...priority(spec, 'groupPriorityMinimum', 20000), ...priority(spec, 'versionPriority', 1000));
  return [...errors, ...serviceErrors(spec)];
}

function serviceErrors(spec: JsonObject): FieldError[] {
  const service = objectAt(spec, 'service');
  const bundle = textAt(spec, 'caBundle');
  const insecure = spec['insecureSkipTLSVerify'] === true;
  const errors: FieldError[] = [];
  const wrongInsecure = (why: string): void => {
    errors.push(fieldError.invalid('spec.insecureSkipTLSVerify', true, why));
  };
  if (service === undefined) {
    const size = `${decodedLength(bundle)} bytes`;
    if (bundle !== '')
      errors.push(fieldError.invalid('spec.caBundle', size, 'local APIServices may not have a caBundle'));
    if (insecure) wrongInsecure('local APIServices may not have insecureSkipTLSVerify');
    return errors;
  }
  for (const key of ['namespace', 'name']) {
    if (textAt(service, key) === '') errors.push(fieldError.required(`spec.service.${key}`, ''));
  }
  const port = numberAt(service, 'port');
  const wrong = isValidPortNum(port);
  if (wrong.length > 0)
    errors.push(fieldError.invalid('spec.service.port', port, `port is not valid: ${wrong.join(', ')}`));
  if (insecure && bundle !== '') wrongInsecure('may not be true if caBundle is present');
  return errors;
}

export const apiService: KindBehaviour = {
  nameRule: 'pathSegment',
  allowUnconditionalUpdate: false,
  default(object) {
    const service = objectAt(ensureObject(object, 'spec'), 'service');
    if (service !== undefined && !isSet(service, 'port')) service['port'] = 443;
  },
  prepareForCreate(object) {
    const local = objectAt(objectAt(object, 'spec'), 'service') === undefined;
    // Groups that the server itself serves are available from the start.
    object['status'] = local ? { conditions: [localCondition()] } : {};
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
    for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences'])
      copyField(object.metadata, old.metadata, key);
  },
  validate,
  validateStatusUpdate: (object) =>
    listAt(objectAt(object, 'status'), 'conditions').flatMap((condition, i) => {
      const status = textAt(condition, 'status');
      const field = `status.conditions[${i}].status`;
      return STATUSES.includes(status) ? [] : [fieldError.notSupported(field, status, STATUSES)];
    }),
};

const localCondition = (): JsonObject => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: `${new Date().toISOString().slice(0, 19)}Z`,
  reason: 'Local',
  message: 'Local APIServices are always available',
});
