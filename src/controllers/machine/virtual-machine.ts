/** The VirtualMachine of a Machine, by server-side apply: fields of ours come back, what others have added stays. */
import type { KubeObject } from '../../kube/object.ts';
import { ApiError, isConflict } from '../../kube/errors.ts';
import { lockOn } from '../../kube/reconcile/merge-patch.ts';
import { NotOurs } from '../../kube/reconcile/apply-child.ts';
import { ownManagedFields } from '../../kube/reconcile/managed-fields.ts';
import { recordedEntries } from '../../kube/reconcile/atomic-lists.ts';
import { parentOf, parentUidOf } from '../../kube/reconcile/owners.ts';
import { keyOf } from '../../kube/object.ts';
import { atomicLists, buildVirtualMachine, type MachineParts } from '../../virt/declared-machine/build.ts';
import { findingLabels } from '../../virt/declared-machine/identity.ts';
import { diskName, vmName } from '../../virt/declared-machine/names.ts';
import { takesPlace, type ResolvedMachine } from '../../virt/declared-machine/resolve.ts';
import { claimOfVolume } from '../../virt/declared-machine/adopted.ts';
import { annotations } from '../../virt/declared-machine/resource.ts';
import { fields, list, type Fields } from '../../virt/facts/reading.ts';
import type { VmFacts } from '../../virt/facts/vm.ts';
import { askedToApply, lookAgainMs, problem, waiting } from './halted.ts';
import { byParent } from './caches.ts';
import { keptVm } from './kept.ts';
import { fieldManager, machines, virtualMachines } from './kinds.ts';
import { isOurs, type Work } from './work.ts';

export interface AppliedVm {
  readonly facts: VmFacts;
  /** As it was before; absent where there was none. */
  readonly before?: VmFacts;
}

export async function ensureVirtualMachine(
  work: Work,
  resolved: ResolvedMachine,
  parts: MachineParts,
): Promise<AppliedVm> {
  const { caches, member, machine, operator, identity, signal, context } = work;
  const key = { namespace: identity.namespace, name: vmName(identity.name) };
  const live = caches.vms.get(key);
  const desired: KubeObject = buildVirtualMachine(identity, resolved, parts);
  const named = `VirtualMachine "${keyOf(key)}"`;
  const log = {
    machine: identity.name,
    namespace: identity.namespace,
    phase: machine.status?.phase ?? 'Pending',
    vm: key.name,
  };
  // oxlint-disable-next-line architecture/log-messages -- the words of the original vitistack operator, which people search for
  if (live === undefined) context.log.info({ ...log, phase: 'Creating' }, 'Creating VirtualMachine resource');
  let unseen: KubeObject | undefined;
  const child = {
    type: virtualMachines,
    desired,
    live: live as KubeObject | undefined,
    atomicLists,
    projected: true,
    mayTake(found: KubeObject) {
      if (!mayTake(work, found)) return false;
      unseen = found;
      const note = annotations.adopted;
      // It was adopted, and nobody could know: without its labels it is in no cache.
      if (live === undefined && found.metadata.annotations?.[note] !== desired.metadata.annotations?.[note])
        throw new ApiError('Conflict', `cannot apply ${named}: it was adopted, which was not known`, { code: 409 });
      refuseForeignVolumes(found, desired);
      return true;
    },
  };
  try {
    const { object, outcome } = await askedToApply(
      'virtual machine',
      member.name,
      `${live === undefined ? 'create' : 'update'} ${named}`,
      () => operator.applier.apply(member.client, child, { signal }),
    );
    if (outcome === 'deleting')
      throw waiting('virtual machine', 'Replacing', `${named} is being deleted; waiting for it to be gone`);
    if (outcome === 'applied') tell(work, resolved, live === undefined && unseen === undefined, named);
    return { facts: keptVm.project(object).facts, ...(live === undefined ? {} : { before: live.facts }) };
  } catch (error) {
    if (error instanceof NotOurs) throw refused(work, named);
    if (live === undefined && unseen !== undefined && isConflict(error)) await label(work, unseen);
    throw error;
  }
}

/**
 * Without its labels it is in no cache, and what was applied last cannot be told from what another leader has applied since: that would be a conflict for ever. With
 * them it is seen again, and the next round knows what it changes. Only those by which it is found, which never go: a patch owns what it writes beside our applies,
 * and none of these would ever take it away again.
 */
async function label({ member, signal, identity }: Work, { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const labels = findingLabels(identity);
  if (Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)) return;
  const body = { metadata: { ...lockOn({ metadata }), labels } };
  await member.client.patch(virtualMachines, { namespace, name }, { type: 'merge', body }, { signal });
}

function tell(work: Work, resolved: ResolvedMachine, isNew: boolean, named: string): void {
  const { operator, machine, member, context, identity } = work;
  const done = isNew ? 'Created' : 'Updated';
  operator.event(machine, 'Normal', isNew ? 'VMCreated' : 'VMUpdated', `${done} ${named} in cluster "${member.name}"`);
  // oxlint-disable-next-line architecture/log-messages -- the words of the original vitistack operator, which people search for
  context.log.info(
    { machine: identity.name, namespace: identity.namespace, phase: 'Creating' },
    `${done} VirtualMachine resource`,
  );
  const kept = keptDisks(work, resolved);
  if (kept.length > 0)
    operator.event(
      machine,
      'Normal',
      'DiskDetached',
      `Kept until the Machine is deleted, since no disk of the spec names them: ${kept.join(', ')}`,
    );
}

/** Disks that were taken out of the spec. CDI fills a disk in a claim of its own, which bears our labels, and is that disk's and no disk. */
function keptDisks({ caches, identity }: Work, { disks }: ResolvedMachine): readonly string[] {
  const wanted = new Set(disks.map(({ name }) => diskName(identity.name, name)));
  return caches.claims
    .byIndex(byParent, identity.uid)
    .filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === 'PersistentVolumeClaim'))
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => !wanted.has(name));
}

/** One that is to be adopted is ours by now. */
function mayTake(work: Work, found: KubeObject): boolean {
  return isOurs(work)(found) || isStripped(work, found);
}

/** One of ours that somebody has stripped of its labels: what we applied, and for whom, can still be seen. */
export function isStripped({ identity }: Work, found: KubeObject): boolean {
  const unmarked = parentUidOf(found.metadata) === undefined && ownManagedFields(found, fieldManager).length > 0;
  const parent = parentOf({ metadata: { ...found.metadata, labels: identity.marks.labels } }, machines);
  return unmarked && parent !== undefined && keyOf(parent) === keyOf(identity);
}

export function refused(work: Work, named: string): Error {
  const { member, identity } = work;
  const message =
    `${named} exists in cluster "${member.name}" and was not made for Machine "${keyOf(identity)}". ` +
    `Set the annotation ${annotations.adopt}: "true" on the Machine to take it over, or delete or rename it`;
  return problem('virtual machine', { reason: 'AdoptionRefused', message }, lookAgainMs);
}

/**
 * A volume that bears the name of a disk and is something else would be put aside for that disk, which is empty. One that we have put there ourselves is ours to
 * change.
 */
function refuseForeignVolumes(found: KubeObject, desired: KubeObject): void {
  const own = new Set(recordedEntries(found)[volumes]);
  const live = new Map(volumesOf(found).map((volume) => [volume['name'], volume]));
  for (const wanted of volumesOf(desired)) {
    const name = String(wanted['name']);
    const there = live.get(name);
    const claim = claimOfVolume(wanted);
    if (there === undefined || claim === undefined || own.has(name) || claimOfVolume(there) === claim) continue;
    const message = takesPlace(name, claimOfVolume(there));
    throw problem('virtual machine', { reason: 'NameConflict', message }, lookAgainMs);
  }
}

const volumes = 'spec.template.spec.volumes';

function volumesOf(vm: KubeObject): readonly Fields[] {
  const { template } = fields(fields(vm)['spec']);
  return list(fields(fields(template)['spec'])['volumes']).map(fields);
}
