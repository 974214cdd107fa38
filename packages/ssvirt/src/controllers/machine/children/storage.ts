/**
 * The disks of a Machine, beside its VM. They are created, grown, and deleted with the Machine. Nothing else is ever
 * done to them.
 */
import { defined } from '@ssvirt/base/values/defined';
import { whyNotAttached } from '../../../fleet/placement/attached-claim.ts';
import { isKind } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { isConditionTrue } from '@ssvirt/kube/reconcile/conditions';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { diskName, vmName } from '../../../kubevirt/machine/names.ts';
import {
  isAttached,
  type AttachedDisk,
  type OwnDisk,
  type ResolvedMachine,
} from '../../../kubevirt/machine/resolve.ts';
import { annotations, conditions, type MachineProblem } from '../../../kubevirt/machine/resource.ts';
import { foreignSource, planDisk, type DiskPlan } from '../../../kubevirt/machine/storage.ts';
import { importUrlsIn } from '../../../kubevirt/tenant-vm/boot-source.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { adoptDisk, claimantOf, conflict, liveChild } from '../placement/adoption.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { asked, askedToApply, problem, waiting } from '../step-halted.ts';
import type { Machine } from '../machine-types.ts';
import { claimProjection, type ProjectedClaim, type ProjectedDataVolume } from '../projections.ts';
import { claims, dataVolumes } from '../../../fleet/kinds.ts';
import { isOurs, type MachineWork } from '../work.ts';

/** Existing PersistentVolumeClaims, by the disk that uses them. */
export type AttachedClaims = ReadonlyMap<string, ProjectedClaim>;

/** `ensureDisks` creates every disk that can be created, even if another one fails; then reports the first problem. */
export async function ensureDisks(work: MachineWork, { disks }: ResolvedMachine): Promise<AttachedClaims> {
  const { caches } = work;
  const classes = caches.classes.list().map(({ facts }) => facts);
  let refused: DiskPlan['problem'];
  const leaving: string[] = [];
  const attached = new Map<string, ProjectedClaim>();
  for (const disk of disks) {
    if (isAttached(disk)) {
      const found = await attachedClaim(work, disk);
      if ('problem' in found) refused ??= found.problem;
      else attached.set(disk.name, found.claim);
      continue;
    }
    const strange = await adoptable(work, disk);
    if (strange !== undefined) {
      refused ??= strange;
      continue;
    }
    const plan = planDisk(work.identity, disk, { classes, existing: existingDisk(work, disk.name) });
    if (plan.create !== undefined) await create(work, disk, plan.create);
    if (plan.grow !== undefined) await grow(work, disk, plan.grow);
    if (plan.replace !== undefined) leaving.push(await clear(work, disk));
    if (plan.waitFor !== undefined) leaving.push(plan.waitFor);
    refused ??= plan.problem;
  }
  if (refused !== undefined) throw problem('storage', refused, lookAgainMs);
  if (leaving.length > 0)
    throw waiting('storage', 'Replacing', `waiting for ${leaving.join(', ')} to be gone; it is created again then`);
  return attached;
}

/**
 * If the Machine has nothing at the place of the disk, adopts what an earlier Machine of its name left there. Resolves
 * to the reason if that is impossible.
 */
async function adoptable(work: MachineWork, { name }: OwnDisk): Promise<MachineProblem | undefined> {
  const before = existingDisk(work, name);
  const isForeign = strangerIn(work, before) !== undefined;
  if (!isForeign && (before.claim !== undefined || before.dataVolume !== undefined)) return undefined;
  await adoptDisk(work, diskName(work.identity.name, name));
  const stranger = strangerIn(work, existingDisk(work, name));
  return stranger === undefined ? undefined : conflict(work, stranger.type, stranger.object, name);
}

function strangerIn(
  work: MachineWork,
  { claim, dataVolume }: LiveDisk,
): { readonly type: ResourceType<KubeObject>; readonly object: KubeObject } | undefined {
  if (dataVolume !== undefined && !isOurs(work)(dataVolume)) return { type: dataVolumes, object: dataVolume };
  const isFilled = claim?.metadata.ownerReferences?.some(({ uid }) => uid === dataVolume?.metadata.uid) === true;
  if (claim !== undefined && !isOurs(work)(claim) && !isFilled) return { type: claims, object: claim };
  return undefined;
}

/** A PersistentVolumeClaim that the Machine names is used as it is, unless it is another Machine's or in its use. */
async function attachedClaim(
  work: MachineWork,
  disk: AttachedDisk,
): Promise<{ readonly claim: ProjectedClaim } | { readonly problem: MachineProblem }> {
  const { identity, member, machine } = work;
  const found = await liveChild(work, claims, disk.existingClaim);
  if (found === undefined) {
    const message = `spec.disks["${disk.name}"].existingClaim: cluster "${member.name}" has no PersistentVolumeClaim "${identity.namespace}/${disk.existingClaim}": create it, or name another`;
    return { problem: { reason: 'ClaimNotFound', message } };
  }
  const refusal = whyNotAttached({ ...claimantOf(work), machine, cluster: member.name }, disk, found);
  return refusal === undefined ? { claim: claimProjection.project(found) } : { problem: refusal };
}

export interface LiveDisk {
  readonly claim?: ProjectedClaim;
  readonly dataVolume?: ProjectedDataVolume;
}

export function existingDisk({ caches, identity: { namespace, name } }: MachineWork, disk: string): LiveDisk {
  const key = { namespace, name: diskName(name, disk) };
  const claim = caches.claims.get(key);
  const dataVolume = caches.dataVolumes.informer?.get(key);
  return defined({ claim, dataVolume });
}

async function create(work: MachineWork, disk: OwnDisk, desired: KubeLike): Promise<void> {
  const { member, operator, machine, identity, context, signal, caches } = work;
  const type: ResourceType<KubeObject> = desired.kind === 'DataVolume' ? dataVolumes : claims;
  const { namespace, name } = desired.metadata;
  if (type === dataVolumes) {
    if (caches.dataVolumes.informer === undefined) throw importerMissing(work, disk);
    refuseForeignSource(work, disk);
    await requireImportable(work, disk, desired);
  }
  await askedToApply('storage', member.name, `create ${type.kind} "${namespace}/${name}"`, async () => {
    try {
      await member.client.create(type, desired, { signal });
    } catch (error) {
      if (!isKind(error, 'AlreadyExists')) throw error;
      // If it was deleted since, the next attempt may create it.
      const found = await liveChild(work, type, name ?? '');
      if (found === undefined || isOurs(work)(found)) throw error;
      throw problem('storage', conflict(work, type, found, disk.name), lookAgainMs);
    }
  });
  // oxlint-disable-next-line architecture/log-messages -- the words of the original vitistack operator, which people search for
  context.log.info(
    { machine: identity.name, namespace, phase: machine.status?.phase ?? 'Pending', disk: name },
    `Created ${type.kind} resource`,
  );
  const vm = caches.vms.get({ namespace, name: vmName(identity.name) });
  if (name !== undefined && vm?.claims.includes(name) === true && hadItsDisks(machine)) {
    const message = `${type.kind} "${namespace}/${name}" was deleted from outside, and its data with it: created it again in cluster "${member.name}"`;
    operator.event(machine, 'Warning', 'DiskLost', message);
    return;
  }
  // The first disks are part of the creation of the VM, which has its own Event.
  if (vm !== undefined)
    operator.event(
      machine,
      'Normal',
      'DiskCreated',
      `Created ${type.kind} "${namespace}/${name}" (${disk.size}) in cluster "${member.name}"`,
    );
}

/** A disk that was never there or never filled held no data. */
function hadItsDisks({ status }: Machine): boolean {
  return isConditionTrue(status?.conditions, conditions.storageReady);
}

/**
 * Deletes a DataVolume that was never filled and whose source has changed: it contains no data. The resourceVersion
 * ensures that one that is filled meanwhile stays.
 */
async function clear(work: MachineWork, disk: OwnDisk): Promise<string> {
  const { member, operator, machine, identity, signal } = work;
  const { dataVolume } = existingDisk(work, disk.name);
  const key = { namespace: identity.namespace, name: diskName(identity.name, disk.name) };
  const named = `DataVolume "${key.namespace}/${key.name}"`;
  const { uid, resourceVersion } = dataVolume?.metadata ?? {};
  if (uid === undefined || resourceVersion === undefined) return named;
  await asked('storage', member.name, `delete ${named}`, () =>
    member.client.delete(dataVolumes, key, { signal, uid, resourceVersion }),
  );
  operator.event(machine, 'Normal', 'DiskReplaced', `Deleted ${named}, which was never filled: its source was changed`);
  return named;
}

async function grow(work: MachineWork, disk: OwnDisk, wanted: KubeLike): Promise<void> {
  const { member, operator, machine, signal, caches } = work;
  const { namespace, name } = wanted.metadata;
  const live = caches.claims.get({ namespace, name });
  if (live === undefined) return;
  const body = { metadata: lockOn(live), spec: wanted['spec'] };
  await askedToApply('storage', member.name, `grow PersistentVolumeClaim "${namespace}/${name}"`, () =>
    member.client.patch(claims, { namespace, name }, { type: 'merge', body }, { signal }),
  );
  operator.event(machine, 'Normal', 'DiskGrows', `PersistentVolumeClaim "${namespace}/${name}" grows to ${disk.size}`);
}

/** Only before the import: a disk that is filled needs its source no more. */
async function requireImportable({ operator }: MachineWork, { name }: OwnDisk, desired: KubeLike): Promise<void> {
  for (const url of importUrlsIn(desired)) {
    const refusal = await operator.images.check(url);
    if (refusal === undefined) continue;
    const message = `spec.disks["${name}"].source: ${refusal.message}`;
    throw refusal.kind === 'unresolved'
      ? waiting('storage', 'ImageHostUnresolved', message)
      : problem('storage', { reason: 'InvalidSpec', message }, lookAgainMs);
  }
}

function importerMissing({ member }: MachineWork, { name }: OwnDisk): Error {
  const message = `spec.disks["${name}"].source: cluster "${member.name}" serves no DataVolumes. Install CDI (the Containerized Data Importer) there, or leave out the source`;
  return problem('storage', { reason: 'DataImporterMissing', message }, lookAgainMs);
}

/**
 * The operator may read that namespace, but the creator of the Machine may not: an owner of that namespace has to allow
 * it.
 */
function refuseForeignSource(work: MachineWork, disk: OwnDisk): void {
  const { caches, identity, member } = work;
  const from = foreignSource(identity, disk);
  if (from === undefined) return;
  const found = caches.namespaces.get({ name: from });
  if (found === undefined) throw sourceMissing(work, disk, from);
  const { labels = {}, annotations: said = {} } = found.metadata;
  const values = [labels[annotations.allowCopies], said[annotations.allowCopies]];
  if (values.includes('true') || values.includes(identity.supervisor)) return;
  const message =
    `spec.disks["${disk.name}"].source is in the namespace "${from}", which does not let Machines of other namespaces copy from it: ` +
    `label or annotate it in cluster "${member.name}" with ${annotations.allowCopies}="true", or name a source of the Machine's own namespace`;
  throw problem('storage', { reason: 'NamespaceNotAllowed', message }, lookAgainMs);
}

function sourceMissing({ member }: MachineWork, { name }: OwnDisk, from: string): Error {
  const message =
    `spec.disks["${name}"].source is in the namespace "${from}", which does not exist in cluster "${member.name}": name another source, or create that namespace ` +
    `with the source, and label or annotate it with ${annotations.allowCopies}="true"`;
  return problem('storage', { reason: 'NamespaceNotAllowed', message }, lookAgainMs);
}
