/**
 * The disks of an OrderTemplate. They are created, grown, and deleted with the order. Nothing else is ever done to
 * them.
 */
import type { KubeObject } from '@ssvirt/kube/object';
import { hashOf } from '@ssvirt/kube/reconcile/apply-child';
import { templateDisk, templateDiskChange, withStorageClass } from '../../../kubevirt/order/custom/disk.ts';
import type { DiskChange } from '../../../kubevirt/order/disk-change.ts';
import { childMetadata } from '../../../kubevirt/order/identity.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { chooseStorageClass } from '../../../kubevirt/order/parameters/storage-class.ts';
import { applyChild, createChild, isOurs, markChild, type FoundChild } from '../children.ts';
import { typeOf } from './template-kinds.ts';
import { claimOf, growClaim, isMarked, requireImportable } from '../native/disk.ts';
import { refused } from '../operator/step-halted.ts';
import { madeAsAnnotation } from '../operator/projections.ts';
import { claims, dataVolumes } from '../../../fleet/kinds.ts';
import type { OrderWork } from '../work.ts';

export interface TemplateDiskPlan {
  readonly change: Exclude<DiskChange, { readonly problem: unknown }>;
  /** Undefined if the template contains the PersistentVolumeClaim itself. */
  readonly dataVolume: FoundChild | undefined;
  readonly claim: KubeObject | undefined;
  /** Set only for a disk that is to be created and that names no storage class. */
  readonly storageClass?: string;
}

/** `planTemplateDisk` writes nothing. */
export async function planTemplateDisk(
  work: OrderWork,
  desired: KubeLike,
  found: FoundChild,
): Promise<TemplateDiskPlan> {
  const { caches, operator } = work;
  const isVolume = desired.kind === 'DataVolume';
  const claim = isVolume ? await claimOf(work, desired.metadata.name, found.object) : found.object;
  const dataVolume = isVolume ? found : undefined;
  const classes = caches.classes.list().map(({ facts }) => facts);
  const live = {
    dataVolume: dataVolume?.object,
    claim,
    madeAs: (dataVolume?.object ?? claim)?.metadata.annotations?.[madeAsAnnotation],
    wantedAs: wantedAs(desired),
  };
  const change = templateDiskChange(desired, live, classes);
  if (typeof change === 'object' && 'problem' in change) throw refused(change.problem);
  if (change === 'create') await requireImportable(work, desired);
  if (change !== 'create' || templateDisk(desired).storageClass !== undefined) return { change, dataVolume, claim };
  const choice = chooseStorageClass(operator.config.storageClass, classes);
  if ('problem' in choice) throw refused(choice.problem);
  return { change, dataVolume, claim, storageClass: choice.name };
}

function wantedAs(desired: KubeLike): string {
  return hashOf(templateDisk(desired).lasting);
}

/** `madeDisk` returns the disk as it is created. */
export function madeDisk(desired: KubeLike, { storageClass }: TemplateDiskPlan): KubeLike {
  const { metadata } = desired;
  const annotations = { ...metadata.annotations, [madeAsAnnotation]: wantedAs(desired) };
  const marked = { ...desired, metadata: { ...metadata, annotations } };
  return storageClass === undefined ? marked : withStorageClass(marked, storageClass);
}

export async function ensureTemplateDisk(work: OrderWork, desired: KubeLike, plan: TemplateDiskPlan): Promise<void> {
  const { identity } = work;
  const { change, dataVolume, claim } = plan;
  if (change === 'create') {
    await createChild(work, typeOf(desired.kind), madeDisk(desired, plan));
    return;
  }
  if (claim !== undefined && !isOurs(work, claim)) await markChild(work, claims, claim);
  if (dataVolume?.object !== undefined && !isMarked(work, dataVolume.object)) {
    const { apiVersion, kind } = desired;
    const marks = { apiVersion, kind, metadata: childMetadata(identity, desired.metadata.name) };
    await applyChild(work, { type: dataVolumes, desired: marks, found: dataVolume });
  }
  if (change !== 'keep' && claim !== undefined) await growClaim(work, claim, change.grow);
}
