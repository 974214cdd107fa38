/** Admission of volumes and claims: the default class, protection while in use, and which claims may grow. */
import { ensureObject, isSet, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { compareQuantity, ZERO_QUANTITY } from '../../objects/schema/quantity.ts';
import type { KubeObject } from '../../values/json.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin } from './admission.ts';
import { amountsAt } from './quota/amounts.ts';
import { storageClassOf } from './quota/quota-evaluators.ts';
import { refuse } from './refusal.ts';
import { isCore, stored, storedIn } from './stored.ts';

const CLASSES = 'storage.k8s.io/storageclasses';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';

export function defaultStorageClass(store: Store): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    mutate(request) {
      const { object } = request;
      if (!isCore(request, 'persistentvolumeclaims') || request.operation !== 'CREATE' || object === undefined) return;
      if (namesClass(object)) return;
      const name = defaultClassName(store);
      if (name !== undefined) ensureObject(object, 'spec')['storageClassName'] = name;
    },
  };
}

/** An empty name counts too: it means no class. */
export function namesClass(claim: KubeObject): boolean {
  const spec = objectAt(claim, 'spec');
  return (
    claim.metadata.annotations?.[CLASS_ANNOTATION] !== undefined ||
    (spec !== undefined && isSet(spec, 'storageClassName'))
  );
}

/** `defaultClassName` returns the newest default class; among equally old ones, the first by name. */
export function defaultClassName(store: Store): string | undefined {
  const defaults = storedIn(store, CLASSES, '').filter(({ metadata }) =>
    DEFAULT_ANNOTATIONS.some((key) => metadata.annotations?.[key] === 'true'),
  );
  const age = (of: KubeObject): number => Date.parse(of.metadata.creationTimestamp ?? '');
  return defaults.reduce<KubeObject | undefined>(
    (newest, one) => (newest === undefined || age(one) > age(newest) ? one : newest),
    undefined,
  )?.metadata.name;
}

export function storageProtection(): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    mutate(request) {
      if (request.operation !== 'CREATE' || request.object === undefined) return;
      if (isCore(request, 'persistentvolumeclaims')) protect(request.object, CLAIM_PROTECTION);
      else if (isCore(request, 'persistentvolumes')) protect(request.object, VOLUME_PROTECTION);
    },
  };
}

function protect({ metadata }: KubeObject, finalizer: string): void {
  if (metadata.finalizers?.includes(finalizer) !== true)
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
}

export function claimResize(store: Store): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    validate(request) {
      const { object, oldObject: old } = request;
      if (!isCore(request, 'persistentvolumeclaims') || object === undefined || old === undefined) return;
      if (compareQuantity(sizeOf(object), sizeOf(old)) <= 0) return;
      if (textAt(objectAt(old, 'status'), 'phase') !== 'Bound')
        throw refuse(request, 'Only bound persistent volume claims can be expanded');
      const name = storageClassOf(object);
      const expandable =
        name !== '' &&
        name === storageClassOf(old) &&
        stored(store, CLASSES, '', name)?.['allowVolumeExpansion'] === true;
      if (expandable) return;
      throw refuse(
        request,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    },
  };
}

const sizeOf = (claim: KubeObject): typeof ZERO_QUANTITY =>
  amountsAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests').get('storage') ?? ZERO_QUANTITY;
