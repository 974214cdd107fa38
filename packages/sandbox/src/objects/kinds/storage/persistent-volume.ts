import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { immutable, oneOf, subdomain } from '../errors.ts';
import {
  copyField,
  ensureObject,
  isSet,
  now,
  objectAt,
  setDefault,
  sortedByKey,
  textAt,
  textMapAt,
  textsAt,
} from '../values/fields.ts';
import { internal } from '../values/internal.ts';
import type { KindBehaviour } from '../kind.ts';
import { ACCESS_MODES, VOLUME_MODES } from './persistent-volume-claim.ts';
import { defaultDisk, defaultHostPath } from '../pod/pod-defaults.ts';
import { nodeSelectorErrors } from '../pod/pod-scheduling.ts';
import { hostPathErrors, nfsErrors, required } from '../pod/pod-volumes.ts';
import type { SourceRule } from '../pod/pod-volumes.ts';
import { basicQuantityErrors, compare } from '../values/quantities.ts';
import { structDiff } from '../values/struct-diff.ts';

const SOURCES: readonly (readonly [string, SourceRule])[] = [
  ['hostPath', hostPathErrors],
  ['gcePersistentDisk', required('pdName')],
  ['awsElasticBlockStore', required('volumeID')],
  ['glusterfs', required('endpoints', 'path')],
  ['flocker', () => []],
  ['nfs', nfsErrors],
  ['rbd', required('image')],
  ['quobyte', required('volume')],
  ['cephfs', () => []],
  ['iscsi', required('targetPortal', 'iqn')],
  ['cinder', required('volumeID')],
  ['fc', () => []],
  ['flexVolume', required('driver')],
  ['azureFile', required('secretName', 'shareName')],
  ['vsphereVolume', required('volumePath')],
  ['photonPersistentDisk', required('pdID')],
  ['portworxVolume', required('volumeID')],
  ['azureDisk', required('diskName', 'diskURI')],
  ['scaleIO', required('gateway', 'system', 'volumeName')],
  ['local', localErrors],
  ['storageos', () => []],
  ['csi', required('driver', 'volumeHandle')],
];

function localErrors(source: JsonObject, path: string): FieldError[] {
  const target = textAt(source, 'path');
  if (target === '') return [fieldError.required(`${path}.path`, '')];
  return target.split('/').includes('..') ? [fieldError.invalid(`${path}.path`, target, "must not contain '..'")] : [];
}

function validate(volume: KubeObject): FieldError[] {
  const spec = objectAt(volume, 'spec') ?? {};
  const modes = textsAt(spec, 'accessModes');
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(fieldError.required('spec.accessModes', ''));
  for (const mode of modes.filter((mode) => !ACCESS_MODES.includes(mode))) {
    errors.push(fieldError.notSupported('spec.accessModes', mode, ACCESS_MODES));
  }
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
    errors.push(fieldError.forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  }
  errors.push(...capacityErrors(spec));
  errors.push(...oneOf(spec, 'persistentVolumeReclaimPolicy', 'spec', ['Delete', 'Recycle', 'Retain'], false));
  const affinity = objectAt(objectAt(spec, 'nodeAffinity'), 'required');
  if (affinity !== undefined) errors.push(...nodeSelectorErrors(affinity, 'spec.nodeAffinity.required'));
  else if (isSet(spec, 'nodeAffinity')) {
    errors.push(fieldError.required('spec.nodeAffinity.required', 'must specify required node constraints'));
  }
  errors.push(...sourceErrors(spec, affinity !== undefined), ...recycleErrors(spec));
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...subdomain(storageClass, 'spec.storageClassName'));
  return [...errors, ...oneOf(spec, 'volumeMode', 'spec', VOLUME_MODES, false)];
}

function capacityErrors(spec: JsonObject): FieldError[] {
  const capacity = textMapAt(spec, 'capacity');
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [fieldError.required('spec.capacity', '')] : [];
  if (capacity['storage'] === undefined || names.length > 1) {
    errors.push(
      fieldError.notSupported('spec.capacity', names.length === 0 ? null : sortedByKey(capacity), ['storage']),
    );
  }
  for (const [name, value] of Object.entries(capacity)) {
    const field = `spec.capacity[${name}]`;
    errors.push(...basicQuantityErrors(value, field));
    if (compare(value, '0') <= 0) errors.push(fieldError.invalid(field, value, 'must be greater than zero'));
  }
  return errors;
}

function sourceErrors(spec: JsonObject, hasAffinity: boolean): FieldError[] {
  const given = SOURCES.filter(([key]) => isSet(spec, key));
  if (given.length === 0) return [fieldError.required('spec', 'must specify a volume type')];
  const errors = given.flatMap(([key, rule], i) =>
    i === 0
      ? rule(objectAt(spec, key) ?? {}, `spec.${key}`)
      : [fieldError.forbidden(`spec.${key}`, 'may not specify more than 1 volume type')],
  );
  if (given[0]?.[0] === 'local' && !hasAffinity) {
    errors.push(fieldError.required('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  return errors;
}

function recycleErrors(spec: JsonObject): FieldError[] {
  const root = /^\/+$/.test(textAt(objectAt(spec, 'hostPath'), 'path'));
  if (!root || textAt(spec, 'persistentVolumeReclaimPolicy') !== 'Recycle') return [];
  const why = "may not be 'recycle' for a hostPath mount of '/'";
  return [fieldError.forbidden('spec.persistentVolumeReclaimPolicy', why)];
}

const sourceOf = (spec: JsonObject): JsonObject =>
  Object.fromEntries(SOURCES.filter(([key]) => isSet(spec, key)).map(([key]) => [key, spec[key]]));

function updateErrors(volume: KubeObject, old: KubeObject): FieldError[] {
  const spec = objectAt(volume, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  const errors = validate(volume);
  const [source, kept] = [sourceOf(spec), sourceOf(before)];
  if (!jsonEqual(source, kept)) {
    const diff = structDiff(internal('PersistentVolumeSource', kept), internal('PersistentVolumeSource', source));
    const why = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.push(fieldError.forbidden('spec.persistentvolumesource', why));
  }
  return [...errors, ...immutable(spec['volumeMode'], before['volumeMode'], 'volumeMode')];
}

const ANNOTATIONS: { readonly [annotation: string]: string } = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  'volume.beta.kubernetes.io/mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead',
};

function volumeWarnings(volume: KubeObject): string[] {
  const annotations = Object.entries(ANNOTATIONS).filter(([key]) => volume.metadata.annotations?.[key] !== undefined);
  const lines = annotations.map(([key, message]) => `metadata.annotations[${key}]: ${message}`);
  if (textAt(objectAt(volume, 'spec'), 'persistentVolumeReclaimPolicy') === 'Recycle') {
    const why =
      'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    lines.push(`spec.persistentVolumeReclaimPolicy: ${why}`);
  }
  return lines;
}

export const persistentVolume: KindBehaviour = {
  default(object) {
    const spec = ensureObject(object, 'spec');
    setDefault(ensureObject(object, 'status'), 'phase', 'Pending');
    setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    setDefault(spec, 'volumeMode', 'Filesystem');
    defaultHostPath(objectAt(spec, 'hostPath'));
    defaultDisk(spec);
  },
  prepareForCreate(object) {
    object['status'] = { phase: 'Pending', lastPhaseTransitionTime: now() };
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
    const status = ensureObject(object, 'status');
    const before = objectAt(old, 'status') ?? {};
    const key = 'lastPhaseTransitionTime';
    const moved = textAt(status, 'phase') !== textAt(before, 'phase');
    if (!moved && !isSet(status, key)) copyField(status, before, key);
    if (moved && (!isSet(status, key) || status[key] === before[key])) status[key] = now();
  },
  validate,
  validateUpdate: updateErrors,
  warnings: volumeWarnings,
};
