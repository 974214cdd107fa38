/** Validation of environment variables and their sources. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { isQualifiedName, nameIsDNSSubdomain } from '../../schema/names.ts';
import { configKey, subdomain } from '../errors.ts';
import { isSet, objectAt, textAt } from '../values/fields.ts';

const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export const VOLUME_FIELDS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** The field names that a pod has; other names cannot be converted. */
const KNOWN_FIELDS = new Set([...FIELDS, ...VOLUME_FIELDS, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']);
const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

/** Since 1.34 Kubernetes accepts any printable ASCII name without `=`. */
function nameErrors(name: string, field: string): FieldError[] {
  if (/^[ -<>-~]+$/.test(name)) return [];
  const why = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return [fieldError.invalid(field, name, why)];
}

export function envErrors(variables: JsonObject[], path: string): FieldError[] {
  return variables.flatMap((variable, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(variable, 'name');
    const errors = name === '' ? [fieldError.required(`${at}.name`, '')] : nameErrors(name, `${at}.name`);
    const source = objectAt(variable, 'valueFrom');
    if (source === undefined) return errors;
    return [...errors, ...sourceErrors(source, textAt(variable, 'value'), `${at}.valueFrom`)];
  });
}

function sourceErrors(source: JsonObject, value: string, path: string): FieldError[] {
  const errors = [
    ...fieldRefErrors(objectAt(source, 'fieldRef'), FIELDS, `${path}.fieldRef`),
    ...resourceRefErrors(objectAt(source, 'resourceFieldRef'), false, `${path}.resourceFieldRef`),
    ...keyRefErrors(objectAt(source, 'configMapKeyRef'), `${path}.configMapKeyRef`),
    ...keyRefErrors(objectAt(source, 'secretKeyRef'), `${path}.secretKeyRef`),
  ];
  const count = SOURCES.filter((key) => isSet(source, key)).length;
  const wrong = (why: string): FieldError => fieldError.invalid(path, '', why);
  const names = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
  if (count === 0) errors.push(wrong(`must specify one of: ${names}`));
  else if (value !== '') errors.push(wrong('may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(wrong('may not have more than one field specified at a time'));
  return errors;
}

export function fieldRefErrors(ref: JsonObject | undefined, allowed: readonly string[], path: string): FieldError[] {
  if (ref === undefined) return [];
  const field = textAt(ref, 'fieldPath');
  if (textAt(ref, 'apiVersion') === '') return [fieldError.required(`${path}.apiVersion`, '')];
  if (field === '') return [fieldError.required(`${path}.fieldPath`, '')];
  const [, base = field, subscript] = /^(.+)\['(.*)'\]$/.exec(field) ?? [];
  const cannotConvert = (why: string): FieldError[] => [
    fieldError.invalid(`${path}.fieldPath`, field, `error converting fieldPath: ${why}`),
  ];
  if (textAt(ref, 'apiVersion') !== 'v1') return cannotConvert(`unsupported pod version: ${textAt(ref, 'apiVersion')}`);
  if (subscript !== undefined) {
    if (base === 'metadata.annotations') return labelName(subscript.toLowerCase(), path);
    if (base === 'metadata.labels') return labelName(subscript, path);
    return cannotConvert(`field label does not support subscript: ${field}`);
  }
  if (!KNOWN_FIELDS.has(field)) return cannotConvert(`field label not supported: ${field}`);
  return allowed.includes(field) ? [] : [fieldError.notSupported(`${path}.fieldPath`, field, allowed)];
}

const labelName = (name: string, field: string): FieldError[] =>
  isQualifiedName(name).map((why) => fieldError.invalid(field, name, why));

export function resourceRefErrors(ref: JsonObject | undefined, volume: boolean, path: string): FieldError[] {
  if (ref === undefined) return [];
  const resource = textAt(ref, 'resource');
  if (volume && textAt(ref, 'containerName') === '') return [fieldError.required(`${path}.containerName`, '')];
  if (resource === '') return [fieldError.required(`${path}.resource`, '')];
  if (RESOURCES.includes(resource) || /^(requests|limits)\.hugepages-/.test(resource)) return [];
  return [fieldError.notSupported(`${path}.resource`, resource, RESOURCES)];
}

function keyRefErrors(ref: JsonObject | undefined, path: string): FieldError[] {
  if (ref === undefined) return [];
  const key = textAt(ref, 'key');
  return [
    ...subdomain(textAt(ref, 'name'), `${path}.name`),
    ...(key === '' ? [fieldError.required(`${path}.key`, '')] : configKey(key, `${path}.key`)),
  ];
}

export function envFromErrors(sources: JsonObject[], path: string): FieldError[] {
  return sources.flatMap((source, i) => {
    const at = `${path}[${i}]`;
    const prefix = textAt(source, 'prefix');
    const errors = prefix === '' ? [] : nameErrors(prefix, `${at}.prefix`);
    const refs = ['configMapRef', 'secretRef'].filter((key) => isSet(source, key));
    for (const key of refs) {
      const name = textAt(objectAt(source, key), 'name');
      const field = `${at}.${key}.name`;
      if (name === '') errors.push(fieldError.required(field, ''));
      else errors.push(...nameIsDNSSubdomain(name, true).map((why) => fieldError.invalid(field, name, why)));
    }
    if (refs.length === 0)
      errors.push(fieldError.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (refs.length > 1) {
      errors.push(fieldError.invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}
