/** Derives from the PVCs of a pod where it can be placed. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { PersistentVolumeClaim, Pod } from '../kubevirt/objects.ts';
import { claimsOf } from './caches.ts';

export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

export interface ClaimLookup {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): Unstructured | undefined;
  storageClass(name: string): Unstructured | undefined;
}

export interface ClaimsVerdict {
  /** Why no node is suitable. */
  readonly refusal?: string;
  /** PVCs that are not bound and wait until this pod has a node. */
  readonly waiting: readonly PersistentVolumeClaim[];
  /** The node that is already selected for a PVC. */
  readonly selectedNode?: string;
  readonly volumeTerms: readonly (readonly JsonObject[])[];
}

export function verdictOnClaims(pod: Pod, lookup: ClaimLookup): ClaimsVerdict {
  const waiting: PersistentVolumeClaim[] = [];
  const volumeTerms: (readonly JsonObject[])[] = [];
  let selectedNode: string | undefined;
  let unbound = false;
  for (const name of claimsOf(pod)) {
    const claim = lookup.claim(pod.metadata.namespace ?? '', name);
    if (claim === undefined) return { refusal: `persistentvolumeclaim "${name}" not found`, waiting, volumeTerms };
    if (claim.metadata.deletionTimestamp !== undefined)
      return { refusal: `persistentvolumeclaim "${name}" is being deleted`, waiting, volumeTerms };
    if (claim.status?.phase === 'Bound') {
      const terms = termsOf(lookup.volume(textAt(claim.spec, 'volumeName')));
      if (terms !== undefined) volumeTerms.push(terms);
    } else if (waitsForConsumer(lookup.storageClass(textAt(claim.spec, 'storageClassName')))) {
      waiting.push(claim);
      selectedNode ??= claim.metadata.annotations?.[SELECTED_NODE];
    } else {
      unbound = true;
    }
  }
  if (unbound) return { refusal: 'pod has unbound immediate PersistentVolumeClaims', waiting, volumeTerms };
  return { waiting, volumeTerms, ...(selectedNode === undefined ? {} : { selectedNode }) };
}

export function waitsForConsumer(storageClass: Unstructured | undefined): boolean {
  return storageClass?.['volumeBindingMode'] === 'WaitForFirstConsumer';
}

function termsOf(volume: Unstructured | undefined): readonly JsonObject[] | undefined {
  const spec = volume?.['spec'] as Json | undefined;
  const required = objectAt(objectAt(isObject(spec) ? spec : undefined, 'nodeAffinity'), 'required');
  return required === undefined ? undefined : listAt(required, 'nodeSelectorTerms');
}
