import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { immutable, label, subdomain } from '../errors.ts';
import { copyField, ensureObject, isSet, objectAt, setDefault, textAt, textMapAt, textsAt } from '../values/fields.ts';
import { internal } from '../values/internal.ts';
import type { KindBehaviour } from '../kind.ts';
import { basicQuantityErrors, compare, quantityErrors } from '../values/quantities.ts';
import { selectorErrors } from '../values/selector.ts';
import { claimWarnings } from '../pod/pod-warnings.ts';
import { structDiff } from '../values/struct-diff.ts';

export const ACCESS_MODES: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES: readonly string[] = ['Block', 'Filesystem'];
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const FIXED_SPEC =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

const storage = (spec: JsonObject): string | undefined => textMapAt(objectAt(spec, 'resources'), 'requests')['storage'];

export function claimSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const modes = textsAt(spec, 'accessModes');
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(fieldError.required(`${path}.accessModes`, 'at least 1 access mode is required'));
  errors.push(...selectorErrors(objectAt(spec, 'selector'), `${path}.selector`), ...modeErrors(modes, path));
  const size = storage(spec);
  const field = `${path}.resources[storage]`;
  if (size === undefined) errors.push(fieldError.required(field, ''));
  else if (compare(size, '0') <= 0) errors.push(fieldError.invalid(field, size, 'must be greater than zero'));
  else errors.push(...quantityErrors('storage', size, field));
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '') errors.push(...subdomain(storageClass, `${path}.storageClassName`));
  const volumeMode = textAt(spec, 'volumeMode');
  if (isSet(spec, 'volumeMode') && !VOLUME_MODES.includes(volumeMode)) {
    errors.push(fieldError.notSupported(`${path}.volumeMode`, volumeMode, VOLUME_MODES));
  }
  errors.push(...sourceErrors(spec, path));
  const attributes = textAt(spec, 'volumeAttributesClassName');
  return attributes === '' ? errors : [...errors, ...subdomain(attributes, `${path}.volumeAttributesClassName`)];
}

function modeErrors(modes: string[], path: string): FieldError[] {
  const field = `${path}.accessModes`;
  const unknown = modes.filter((mode) => !ACCESS_MODES.includes(mode));
  const errors = unknown.map((mode) => fieldError.notSupported(field, mode, ACCESS_MODES));
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others) {
    errors.push(fieldError.forbidden(field, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function sourceErrors(spec: JsonObject, path: string): FieldError[] {
  const errors = ['dataSource', 'dataSourceRef'].flatMap((key) => {
    const source = objectAt(spec, key);
    if (source === undefined) return [];
    const at = `${path}.${key}`;
    const group = textAt(source, 'apiGroup');
    const missing = ['name', 'kind'].filter((part) => textAt(source, part) === '');
    const found = missing.map((part) => fieldError.required(`${at}.${part}`, ''));
    if (group === '' && textAt(source, 'kind') !== 'PersistentVolumeClaim') {
      const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
      found.push(fieldError.invalid(at, textAt(source, 'kind'), why));
    }
    if (group !== '') found.push(...subdomain(group, `${at}.apiGroup`));
    const namespace = textAt(source, 'namespace');
    return namespace === '' ? found : [...found, ...label(namespace, `${at}.namespace`)];
  });
  const source = objectAt(spec, 'dataSource');
  const ref = objectAt(spec, 'dataSourceRef');
  if (source === undefined || ref === undefined) return errors;
  const same = ['apiGroup', 'kind', 'name'].every((key) => (source[key] ?? null) === (ref[key] ?? null));
  if (!same) errors.push(fieldError.invalid(path, {}, 'must match dataSourceRef'));
  return errors;
}

/**
 * `dataSource` is the old field and `dataSourceRef` the new one for the same; values that the old one does not allow
 * are dropped from it.
 */
function normaliseSources(spec: JsonObject, old?: JsonObject): void {
  const source = objectAt(spec, 'dataSource');
  if (source !== undefined && !isSet(old, 'dataSource')) {
    const group = textAt(source, 'apiGroup');
    const claim = group === '' && source['kind'] === 'PersistentVolumeClaim';
    const snapshot = group === 'snapshot.storage.k8s.io' && source['kind'] === 'VolumeSnapshot';
    if (!claim && !snapshot) delete spec['dataSource'];
  }
  const ref = objectAt(spec, 'dataSourceRef');
  // References to other namespaces need a feature gate that is off.
  if (ref !== undefined) delete ref['namespace'];
  if (ref === undefined && isSet(spec, 'dataSource')) spec['dataSourceRef'] = { ...objectAt(spec, 'dataSource') };
  if (ref !== undefined && !isSet(spec, 'dataSource')) spec['dataSource'] = { ...ref };
}

function updateErrors(claim: KubeObject, old: KubeObject): FieldError[] {
  const spec = objectAt(claim, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  const errors = claimSpecErrors(spec, 'spec');
  const munged = munge(claim, old, spec, before);
  const kept = { ...before };
  if (textAt(before, 'volumeName') === '') copyField(kept, spec, 'volumeName');
  if (!jsonEqual(munged, kept)) {
    const diff = structDiff(internal('PersistentVolumeClaimSpec', kept), internal('PersistentVolumeClaimSpec', munged));
    errors.push(fieldError.forbidden('spec', `${FIXED_SPEC}\n${diff}`));
  }
  if (compare(storage(spec), storage(before)) < 0) {
    const capacity = textMapAt(objectAt(old, 'status'), 'capacity')['storage'];
    if (compare(storage(spec), capacity) <= 0) {
      errors.push(
        fieldError.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
      );
    }
  }
  return [...errors, ...immutable(spec['volumeMode'], before['volumeMode'], 'volumeMode')];
}

/** The new spec with all mutable fields reset. */
function munge(claim: KubeObject, old: KubeObject, spec: JsonObject, before: JsonObject): JsonObject {
  const munged = { ...spec };
  const annotated = old.metadata.annotations?.[CLASS_ANNOTATION];
  const upgrades = annotated === undefined || spec['storageClassName'] === annotated;
  if (!isSet(before, 'storageClassName') && isSet(spec, 'storageClassName') && upgrades)
    delete munged['storageClassName'];
  if (textAt(objectAt(claim, 'status'), 'phase') !== 'Bound') return munged;
  copyField(munged, before, 'volumeAttributesClassName');
  const resources = { ...objectAt(spec, 'resources') };
  const requests = { ...objectAt(resources, 'requests') };
  copyField(requests, textMapAt(objectAt(before, 'resources'), 'requests'), 'storage');
  return { ...munged, resources: { ...resources, requests } };
}

function statusErrors(claim: KubeObject): FieldError[] {
  const capacity = Object.entries(textMapAt(objectAt(claim, 'status'), 'capacity'));
  return capacity.flatMap(([name, value]) => basicQuantityErrors(value, `status.capacity[${name}]`));
}

export function defaultClaim(claim: JsonObject): void {
  setDefault(ensureObject(claim, 'spec'), 'volumeMode', 'Filesystem');
  setDefault(ensureObject(claim, 'status'), 'phase', 'Pending');
}

export const persistentVolumeClaim: KindBehaviour = {
  default: defaultClaim,
  prepareForCreate(object) {
    object['status'] = { phase: 'Pending' };
    normaliseSources(ensureObject(object, 'spec'));
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
    normaliseSources(ensureObject(object, 'spec'), objectAt(old, 'spec'));
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
  },
  validate: (object) => claimSpecErrors(objectAt(object, 'spec') ?? {}, 'spec'),
  validateUpdate: updateErrors,
  validateStatusUpdate: statusErrors,
  warnings: (object) => claimWarnings(objectAt(object, 'spec'), 'spec'),
};
