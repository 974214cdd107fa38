/** Checks whether the volumes with which a VMI starts are ready. */
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import type { Condition, DataVolume, PersistentVolumeClaim, VirtualMachineInstance, Volume } from '../objects.ts';
import { find, type VmiSyncError } from './conditions.ts';
import { claimOf } from './domain.ts';
import { reasons } from './names.ts';

/** The PVCs and DataVolumes of the VMI's namespace. */
export interface Storage {
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly dataVolume: (name: string) => DataVolume | undefined;
}

/** DataVolumes of volumes, and those that created the PVCs of volumes. */
export function dataVolumesOf({ spec }: VirtualMachineInstance, storage: Storage): readonly DataVolume[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    const name = volume.dataVolume?.name ?? dataVolumeOfClaim(volume.persistentVolumeClaim?.claimName, storage);
    const found = name === undefined ? undefined : storage.dataVolume(name);
    return found === undefined ? [] : [found];
  });
}

function dataVolumeOfClaim(name: string | undefined, storage: Storage): string | undefined {
  const claim = name === undefined ? undefined : storage.claim(name);
  const owner = claim === undefined ? undefined : controllerOf(claim);
  return owner?.kind === 'DataVolume' ? owner.name : undefined;
}

export type Readiness =
  | { readonly kind: 'ready' }
  /** The legacy flow: the import starts when a pod has used the PVC. */
  | { readonly kind: 'waits-for-consumer' }
  | { readonly kind: 'populating' }
  | { readonly kind: 'no-claim'; readonly claim: string }
  | { readonly kind: 'no-data-volume'; readonly name: string };

export function readinessOf(volume: Volume, storage: Storage): Readiness {
  const name = claimOf(volume) ?? '';
  const claim = storage.claim(name);
  if (claim === undefined) return { kind: 'no-claim', claim: name };
  const owner = controllerOf(claim);
  if (owner?.kind !== 'DataVolume') return { kind: 'ready' };
  const phase = storage.dataVolume(owner.name)?.status?.phase;
  if (storage.dataVolume(owner.name) === undefined) return { kind: 'no-data-volume', name: owner.name };
  if (phase === 'Succeeded' || phase === 'PendingPopulation') return { kind: 'ready' };
  return { kind: phase === 'WaitForFirstConsumer' ? 'waits-for-consumer' : 'populating' };
}

export interface BootVolumes {
  /** Whether a pod can be created: the launcher, or a temporary one if a volume waits for a consumer. */
  readonly ready: boolean;
  readonly waitsForConsumer: boolean;
  readonly error?: VmiSyncError;
}

export function bootVolumes({ spec, metadata }: VirtualMachineInstance, storage: Storage): BootVolumes {
  const namespace = metadata.namespace ?? '';
  let ready = true;
  let waitsForConsumer = false;
  for (const volume of spec.volumes ?? []) {
    if (volume.dataVolume === undefined && volume.persistentVolumeClaim === undefined) continue;
    const readiness = readinessOf(volume, storage);
    const error = notThere(readiness, namespace);
    if (error !== undefined) return { ready: false, waitsForConsumer: false, error };
    if (readiness.kind === 'waits-for-consumer') waitsForConsumer = true;
    if (readiness.kind === 'populating') ready = false;
  }
  return { ready, waitsForConsumer };
}

function notThere(readiness: Readiness, namespace: string): VmiSyncError | undefined {
  if (readiness.kind === 'no-claim') {
    const message = `PVC ${namespace}/${readiness.claim} does not exist, waiting for it to appear`;
    return { reason: reasons.failedPvcNotFound, message, retry: false };
  }
  if (readiness.kind !== 'no-data-volume') return undefined;
  const message = `Error determining if volume is ready unable to find datavolume ${namespace}/${readiness.name}`;
  return { reason: reasons.failedDataVolumeImport, message, retry: true };
}

/** Undefined if the VMI has no DataVolumes. */
export function dataVolumesReady(dataVolumes: readonly DataVolume[]): Condition | undefined {
  if (dataVolumes.length === 0) return undefined;
  const statuses = dataVolumes.map(({ status }) => find(status?.conditions, 'Ready')?.status ?? 'Unknown');
  const status = statuses.includes('False') ? 'False' : statuses.includes('Unknown') ? 'Unknown' : 'True';
  const ready = status === 'True';
  return {
    type: 'DataVolumesReady',
    status,
    reason: ready ? 'AllDVsReady' : 'NotAllDVsReady',
    message: ready ? "All of the VMI's DVs are bound and ready" : "Not all of the VMI's DVs are ready",
    lastProbeTime: null,
    lastTransitionTime: null,
  };
}
