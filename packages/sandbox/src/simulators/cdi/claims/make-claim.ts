/** Creates the PVC of a DataVolume, or returns why it cannot. */
import { isKind, isNotFound, type KubeError } from '@ssvirt/kube/errors';
import { keyOfObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { controllerOf, controllerReference } from '@ssvirt/kube/reconcile/owners';
import {
  dataVolumes,
  persistentVolumeClaims,
  type DataVolume,
  type PersistentVolumeClaim,
} from '../../kubevirt/objects.ts';
import { renderClaim, type ClaimGround } from './claim-spec.ts';
import { claimOf, populatorKinds, populatorSourceOf, type PopulatorKind } from './claim.ts';
import { volumeCloneSources, volumeImportSources, volumeSnapshots, volumeUploadSources } from '../kinds.ts';
import * as name from '../names.ts';
import type { CloneOrigin, Origin } from '../origin.ts';
import { isBusy, tell, type CdiShell } from '../shell.ts';
import type { Problem } from '../status.ts';
import { isCsi } from '../storage-profile.ts';

export type Made =
  | { readonly claim: PersistentVolumeClaim; readonly dataVolume: DataVolume }
  | { readonly problem: Problem; readonly again?: boolean }
  /** No retry can help: the namespace is being deleted. */
  | 'hopeless';

export const populatorTypes: Readonly<Record<PopulatorKind, ResourceType>> = {
  VolumeImportSource: volumeImportSources,
  VolumeCloneSource: volumeCloneSources,
  VolumeUploadSource: volumeUploadSources,
};

export async function makeClaim(shell: CdiShell, dataVolume: DataVolume, origin: Origin): Promise<Made> {
  const { caches } = shell;
  const phase = dataVolume.status?.phase ?? '';
  if (origin.kind === 'clone' && !(await exists(shell, origin))) {
    const message = `The source ${origin.of} ${origin.name} doesn't exist`;
    return { problem: { phase, reason: 'CloneWithoutSource', message }, again: origin.of === 'snapshot' };
  }
  const ground: ClaimGround = {
    classes: caches.classes.list(),
    profile: (storageClass) => caches.profiles.get({ name: storageClass }),
    config: caches.configs.get({ name: 'config' }),
    isClone: origin.kind === 'clone',
    source: origin.kind === 'clone' && origin.of === 'pvc' ? caches.claims.get(origin) : undefined,
  };
  const rendered = renderClaim(dataVolume, ground);
  if ('problem' in rendered) {
    if (rendered.warning !== undefined && rendered.warning !== rendered.problem)
      tell(shell, dataVolume, ['Warning', 'ErrClaimNotValid', rendered.warning]);
    return { problem: { phase: '', reason: 'ErrClaimNotValid', message: rendered.problem } };
  }
  const asked = dataVolume.metadata.annotations?.[name.USE_POPULATOR];
  const populator =
    origin.kind !== 'external' && (asked === undefined ? isCsi(rendered.storageClass) : asked === 'true');
  const noted = asked === undefined ? await note(shell, dataVolume, populator) : dataVolume;
  if (populator && !isBusy(shell)) await createSource(shell, noted, origin);
  return create(shell, noted, claimOf(noted, rendered.spec, { origin, populator }));
}

async function exists({ caches, cluster }: CdiShell, origin: CloneOrigin): Promise<boolean> {
  if (origin.of === 'pvc') return caches.claims.get(origin) !== undefined;
  try {
    await cluster.client.get(volumeSnapshots, origin, { metadataOnly: true });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/**
 * Records in an annotation whether a populator is used. The DataVolume keeps that choice even if the storage class
 * changes.
 */
function note({ cluster }: CdiShell, dataVolume: DataVolume, populator: boolean): Promise<DataVolume> {
  const { uid } = dataVolume.metadata;
  const body = { metadata: { uid, annotations: { [name.USE_POPULATOR]: String(populator) } } };
  return cluster.client.patch(dataVolumes, keyOfObject(dataVolume), { type: 'merge', body });
}

async function createSource({ cluster }: CdiShell, dataVolume: DataVolume, origin: Origin): Promise<void> {
  if (origin.kind !== 'import' && origin.kind !== 'clone' && origin.kind !== 'upload') return;
  const kind = populatorKinds[origin.kind];
  const { namespace, name: called, spec } = populatorSourceOf(dataVolume, kind, origin);
  const isHere = namespace === dataVolume.metadata.namespace;
  const metadata = {
    namespace,
    name: called,
    ...(isHere ? { ownerReferences: [controllerReference(dataVolumes, dataVolume)] } : {}),
  };
  try {
    await cluster.client.create(populatorTypes[kind], { metadata, spec });
  } catch (error) {
    // NotFound: the installed definitions may not include this kind. Only users would look at the object.
    if (!isKind(error, 'AlreadyExists', 'NotFound')) throw error;
  }
}

async function create({ cluster }: CdiShell, dataVolume: DataVolume, wanted: PersistentVolumeClaim): Promise<Made> {
  try {
    return { claim: await cluster.client.create(persistentVolumeClaims, wanted), dataVolume };
  } catch (error) {
    if (!isKind(error, 'Forbidden', 'Invalid')) throw error;
    const message = messageOf(error);
    if (message.includes('because it is being terminated')) return 'hopeless';
    if (message.includes('exceeded quota'))
      return { problem: { phase: 'Pending', reason: 'ErrExceededQuota', message }, again: true };
    return { problem: { phase: '', reason: 'ErrClaimNotValid', message }, again: isKind(error, 'Forbidden') };
  }
}

export function messageOf(error: KubeError): string {
  return error.status?.message ?? error.message;
}

/** `standingOf` says to whom an existing PVC belongs. */
export function standingOf(claim: PersistentVolumeClaim, dataVolume: DataVolume): 'own' | 'adoptable' | 'foreign' {
  const owner = controllerOf(claim);
  if (owner?.uid === dataVolume.metadata.uid) return 'own';
  if (owner !== undefined) return 'foreign';
  const { annotations = {} } = claim.metadata;
  const isFilled = annotations[name.POPULATED_FOR] === dataVolume.metadata.name;
  return isFilled || dataVolume.metadata.annotations?.[name.ALLOW_ADOPTION] === 'true' ? 'adoptable' : 'foreign';
}

export function adopt(
  { cluster }: CdiShell,
  claim: PersistentVolumeClaim,
  dataVolume: DataVolume,
): Promise<PersistentVolumeClaim> {
  const { uid, resourceVersion, ownerReferences = [] } = claim.metadata;
  const body = {
    metadata: {
      uid,
      resourceVersion,
      ownerReferences: [...ownerReferences, controllerReference(dataVolumes, dataVolume)],
      annotations: { [name.POPULATED_FOR]: dataVolume.metadata.name ?? '' },
    },
  };
  return cluster.client.patch(persistentVolumeClaims, keyOfObject(claim), { type: 'merge', body });
}
