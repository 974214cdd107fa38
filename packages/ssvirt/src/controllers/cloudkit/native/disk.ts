/** The disk of an order. It is created, grown, and deleted with the order. Nothing else is ever done to it. */
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import type { KubeObject } from '@ssvirt/kube/object';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { parentUidOf } from '@ssvirt/kube/reconcile/owners';
import { importUrlsIn } from '../../../kubevirt/tenant-vm/boot-source.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { buildDataVolume, dataVolumeMarks } from '../../../kubevirt/order/build.ts';
import { diskChange, type DiskChange } from '../../../kubevirt/order/disk-change.ts';
import { childNames } from '../../../kubevirt/order/names.ts';
import type { OrderParameters } from '../../../kubevirt/order/parameters/parameters.ts';
import { labels } from '../../../kubevirt/order/resource.ts';
import { chooseStorageClass } from '../../../kubevirt/order/parameters/storage-class.ts';
import {
  applyChild,
  createChild,
  isOurs,
  isTakeable,
  markChild,
  nameOf,
  writing,
  type FoundChild,
} from '../children.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { refused } from '../operator/step-halted.ts';
import { claims, dataVolumes } from '../../../fleet/kinds.ts';
import { tell, type OrderWork } from '../work.ts';

export interface OrderDiskPlan {
  readonly change: Exclude<DiskChange, { readonly problem: unknown }>;
  readonly dataVolume: FoundChild;
  readonly claim: KubeObject | undefined;
  /** Set only for a disk that is to be created. */
  readonly storageClass?: string;
}

/** `planDisk` writes nothing: what is impossible is found before anything else is created. */
export async function planDisk(
  work: OrderWork,
  parameters: OrderParameters,
  dataVolume: FoundChild,
): Promise<OrderDiskPlan> {
  const { caches, operator } = work;
  const claim = await claimOf(work, childNames(work.identity).dataVolume, dataVolume.object);
  const classes = caches.classes.list().map(({ facts }) => facts);
  const change = diskChange(parameters, dataVolume.object, claim, classes);
  if (typeof change === 'object' && 'problem' in change) throw refused(change.problem);
  if (change !== 'create') return { change, dataVolume, claim };
  if (!caches.dataVolumes.isServed) throw importerMissing();
  await requireImportable(work, buildDataVolume(work.identity, parameters, ''));
  const choice = chooseStorageClass(operator.config.storageClass, classes);
  if ('problem' in choice) throw refused(choice.problem);
  return { change, dataVolume, claim, storageClass: choice.name };
}

/** Only before the import: a disk that is filled needs its source no more. */
export async function requireImportable({ operator }: OrderWork, desired: KubeLike): Promise<void> {
  for (const url of importUrlsIn(desired)) {
    const refusal = await operator.images.check(url);
    if (refusal === undefined) continue;
    const message = `The disk cannot be imported: ${refusal.message}.`;
    throw refused({ reason: 'InvalidParameters', message }, lookAgainMs);
  }
}

/**
 * Returns the PersistentVolumeClaim of the disk. CDI copies our labels to it, so normally it is cached. A claim that
 * was created by AAP's DataVolume, or whose DataVolume is gone, is in no cache. The cache holds the claims of all
 * orders, and two orders may use the same name, so the owner is checked.
 */
export async function claimOf(
  work: OrderWork,
  name: string,
  dataVolume: KubeObject | undefined,
): Promise<KubeObject | undefined> {
  const { caches, cluster, identity, signal } = work;
  const key = { namespace: identity.tenantNamespace, name };
  const cached = caches.claims.get(key);
  if (cached === undefined && isOurs(work, dataVolume)) return undefined;
  const found = cached ?? (await find(cluster.client, claims, key, { signal, beforeMaking: dataVolume === undefined }));
  if (found === undefined || isTakeable(work, found)) return found;
  if (dataVolume !== undefined && parentUidOf(found.metadata) === undefined) return found;
  const message = `${nameOf(claims, key)} exists and is not part of this order: delete or rename it, or give the order another name. It was left unchanged.`;
  throw refused({ reason: 'NameConflict', message }, lookAgainMs);
}

export async function ensureDisk(work: OrderWork, parameters: OrderParameters, plan: OrderDiskPlan): Promise<void> {
  const { identity } = work;
  const { change, dataVolume, claim, storageClass = '' } = plan;
  if (change === 'create') {
    await createChild(work, dataVolumes, buildDataVolume(identity, parameters, storageClass));
    tellIfRemade(work);
    return;
  }
  // The PersistentVolumeClaim first: it is looked for only until the DataVolume carries our labels.
  if (claim !== undefined && !isOurs(work, claim)) await markChild(work, claims, claim);
  if (dataVolume.object !== undefined && !isMarked(work, dataVolume.object))
    await applyChild(work, { type: dataVolumes, desired: dataVolumeMarks(identity), found: dataVolume });
  if (change !== 'keep' && claim !== undefined) await growClaim(work, claim, change.grow);
}

/**
 * The VM is still as ordered, but the data of its disk is lost. An Event says so, or users would have to find out by
 * themselves.
 */
function tellIfRemade(work: OrderWork): void {
  const { order, identity } = work;
  if (order.status?.reconciledConfigVersion === undefined) return;
  const name = nameOf(dataVolumes, { namespace: identity.tenantNamespace, name: childNames(identity).dataVolume });
  const message = `${name} was deleted; it is created again from its image, and its data is lost unless there is a backup`;
  tell(work, 'Warning', 'DiskRemade', message);
}

export function isMarked(work: OrderWork, object: KubeObject): boolean {
  return isOurs(work, object) && object.metadata.labels?.[labels.order] === work.identity.name;
}

export async function growClaim(work: OrderWork, claim: KubeObject, size: string): Promise<void> {
  const { identity, cluster, caches, signal } = work;
  const key = { namespace: identity.tenantNamespace, name: claim.metadata.name ?? '' };
  // It may have been labeled just before.
  const live = caches.claims.get(key) ?? claim;
  const body = { metadata: lockOn(live), spec: { resources: { requests: { storage: size } } } };
  await writing(work, `let ${nameOf(claims, key)} grow`, () =>
    cluster.client.patch(claims, key, { type: 'merge', body }, { signal }),
  );
  tell(work, 'Normal', 'DiskGrows', `${nameOf(claims, key)} grows to ${size}`);
}

export function importerMissing(): Error {
  const message =
    'The cluster serves no DataVolumes, which disks need: ask an administrator to install CDI (the Containerized Data Importer).';
  return refused({ reason: 'DataImporterMissing', message }, lookAgainMs);
}
