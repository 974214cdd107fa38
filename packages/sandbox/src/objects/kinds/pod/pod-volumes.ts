/** Validation of a pod's volumes: exactly one source each, and the requirements of the common sources. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { label, oneOf } from '../errors.ts';
import { isSet, listAt, numberAt, objectAt, textAt } from '../values/fields.ts';
import { claimSpecErrors } from '../storage/persistent-volume-claim.ts';
import { fieldRefErrors, resourceRefErrors, VOLUME_FIELDS } from './pod-env.ts';
import { isNegative } from '../values/quantities.ts';

const MODE_ERROR = 'must be a number between 0 and 0777 (octal), both inclusive';
const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export type SourceRule = (source: JsonObject, path: string) => FieldError[];

/** `required` is a rule for a source in which these strings are required. */
export const required =
  (...keys: string[]): SourceRule =>
  (source, path) =>
    keys.filter((key) => textAt(source, key) === '').map((key) => fieldError.required(`${path}.${key}`, ''));

/** In Kubernetes' order; a second source is reported under its name. */
const SOURCES: readonly (readonly [string, SourceRule])[] = [
  ['emptyDir', emptyDirErrors],
  ['hostPath', hostPathErrors],
  ['gitRepo', required('repository')],
  ['gcePersistentDisk', required('pdName')],
  ['awsElasticBlockStore', required('volumeID')],
  ['secret', (source, path) => [...required('secretName')(source, path), ...fileErrors(source, path)]],
  ['nfs', nfsErrors],
  ['iscsi', required('targetPortal', 'iqn')],
  ['glusterfs', required('endpoints', 'path')],
  ['flocker', () => []],
  ['persistentVolumeClaim', required('claimName')],
  ['rbd', required('image')],
  ['cinder', required('volumeID')],
  ['cephfs', () => []],
  ['quobyte', required('volume')],
  ['downwardAPI', downwardErrors],
  ['fc', () => []],
  ['flexVolume', required('driver')],
  ['configMap', (source, path) => [...required('name')(source, path), ...fileErrors(source, path)]],
  ['azureFile', required('secretName', 'shareName')],
  ['vsphereVolume', required('volumePath')],
  ['photonPersistentDisk', required('pdID')],
  ['portworxVolume', required('volumeID')],
  ['azureDisk', required('diskName', 'diskURI')],
  ['storageos', () => []],
  ['projected', projectedErrors],
  ['scaleIO', required('gateway', 'system', 'volumeName')],
  ['csi', required('driver')],
  ['ephemeral', ephemeralErrors],
  ['image', required('reference')],
];

export interface CheckedVolumes {
  /** The valid volumes by name, which containers may mount. */
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly errors: FieldError[];
}

export function checkVolumes(volumes: JsonObject[], path: string): CheckedVolumes {
  const valid = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  volumes.forEach((volume, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(volume, 'name');
    const found = sourceErrors(volume, at);
    found.push(...(name === '' ? [fieldError.required(`${at}.name`, '')] : label(name, `${at}.name`)));
    if (valid.has(name)) found.push(fieldError.duplicate(`${at}.name`, name));
    if (found.length === 0) valid.set(name, volume);
    errors.push(...found);
  });
  return { volumes: valid, errors };
}

function sourceErrors(volume: JsonObject, path: string): FieldError[] {
  const given = SOURCES.filter(([key]) => isSet(volume, key));
  if (given.length === 0) return [fieldError.required(path, 'must specify a volume type')];
  return given.flatMap(([key, rule], i) =>
    i === 0
      ? rule(objectAt(volume, key) ?? {}, `${path}.${key}`)
      : [fieldError.forbidden(`${path}.${key}`, 'may not specify more than 1 volume type')],
  );
}

function emptyDirErrors(source: JsonObject, path: string): FieldError[] {
  const why = 'SizeLimit field must be a valid resource quantity';
  return isNegative(textAt(source, 'sizeLimit') || '0') ? [fieldError.forbidden(`${path}.sizeLimit`, why)] : [];
}

export function hostPathErrors(source: JsonObject, path: string): FieldError[] {
  const target = textAt(source, 'path');
  if (target === '') return [fieldError.required(`${path}.path`, '')];
  const errors = backstepErrors(target, `${path}.path`);
  return [...errors, ...oneOf(source, 'type', path, HOST_PATH_TYPES, false)];
}

export function nfsErrors(source: JsonObject, path: string): FieldError[] {
  const target = textAt(source, 'path');
  const absolute = target.startsWith('/')
    ? []
    : [fieldError.invalid(`${path}.path`, target, 'must be an absolute path')];
  return [...required('server', 'path')(source, path), ...absolute];
}

function backstepErrors(target: string, field: string): FieldError[] {
  return target.split('/').includes('..') ? [fieldError.invalid(field, target, "must not contain '..'")] : [];
}

/** `localPathErrors` returns a path inside a volume. */
export function localPathErrors(target: string, field: string): FieldError[] {
  const absolute = target.startsWith('/') ? [fieldError.invalid(field, target, 'must be a relative path')] : [];
  return [...absolute, ...backstepErrors(target, field)];
}

function filePathErrors(target: string, field: string): FieldError[] {
  const errors = localPathErrors(target, field);
  const reserved = target.startsWith('..') && !target.startsWith('../');
  return reserved ? [...errors, fieldError.invalid(field, target, "must not start with '..'")] : errors;
}

function modeErrors(parent: JsonObject, key: string, path: string): FieldError[] {
  const mode = numberAt(parent, key);
  return mode < 0 || mode > 0o777 ? [fieldError.invalid(`${path}.${key}`, mode, MODE_ERROR)] : [];
}

function fileErrors(source: JsonObject, path: string): FieldError[] {
  return [...modeErrors(source, 'defaultMode', path), ...itemErrors(source, path)];
}

function itemErrors(source: JsonObject, path: string): FieldError[] {
  return listAt(source, 'items').flatMap((item, i) => {
    const at = `${path}.items[${i}]`;
    return [
      ...required('key', 'path')(item, at),
      ...filePathErrors(textAt(item, 'path'), `${at}.path`),
      ...modeErrors(item, 'mode', at),
    ];
  });
}

function downwardErrors(source: JsonObject, path: string): FieldError[] {
  return [
    ...modeErrors(source, 'defaultMode', path),
    ...listAt(source, 'items').flatMap((file) => downwardFile(file, path)),
  ];
}

/** Reported without the index, as Kubernetes does. */
function downwardFile(file: JsonObject, path: string): FieldError[] {
  const errors = [...required('path')(file, path), ...filePathErrors(textAt(file, 'path'), `${path}.path`)];
  const field = objectAt(file, 'fieldRef');
  const resource = objectAt(file, 'resourceFieldRef');
  if (field !== undefined) {
    errors.push(...fieldRefErrors(field, VOLUME_FIELDS, `${path}.fieldRef`));
    const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
    if (resource !== undefined) errors.push(fieldError.invalid(path, 'resource', both));
  } else if (resource !== undefined) errors.push(...resourceRefErrors(resource, true, `${path}.resourceFieldRef`));
  else errors.push(fieldError.required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...modeErrors(file, 'mode', path)];
}

function projectedErrors(projected: JsonObject, path: string): FieldError[] {
  const errors = modeErrors(projected, 'defaultMode', path);
  listAt(projected, 'sources').forEach((source, i) => {
    const at = `${path}.sources[${i}]`;
    for (const key of ['secret', 'configMap']) {
      const part = objectAt(source, key);
      if (part !== undefined)
        errors.push(...required('name')(part, `${at}.${key}`), ...itemErrors(part, `${at}.${key}`));
    }
    errors.push(
      ...listAt(objectAt(source, 'downwardAPI'), 'items').flatMap((file) => downwardFile(file, `${at}.downwardAPI`)),
    );
    const token = objectAt(source, 'serviceAccountToken');
    if (token !== undefined) errors.push(...tokenErrors(token, `${at}.serviceAccountToken`, path));
    const count = Object.keys(source).length;
    if (count > 1) errors.push(fieldError.forbidden(at, 'may not specify more than 1 volume type per source'));
  });
  return errors;
}

function tokenErrors(token: JsonObject, path: string, volumePath: string): FieldError[] {
  const seconds = numberAt(token, 'expirationSeconds');
  const target = textAt(token, 'path');
  const short = 'may not specify a duration less than 10 minutes';
  const errors = seconds < 600 ? [fieldError.invalid(`${path}.expirationSeconds`, seconds, short)] : [];
  if (target === '') return [...errors, fieldError.required(`${volumePath}.path`, '')];
  return [...errors, ...filePathErrors(target, `${volumePath}.path`)];
}

function ephemeralErrors(source: JsonObject, path: string): FieldError[] {
  const template = objectAt(source, 'volumeClaimTemplate');
  if (template === undefined) return [fieldError.required(`${path}.volumeClaimTemplate`, '')];
  return claimSpecErrors(objectAt(template, 'spec') ?? {}, `${path}.volumeClaimTemplate.spec`);
}
