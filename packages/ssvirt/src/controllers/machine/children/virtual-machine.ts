/** The VirtualMachine of a Machine, by server-side apply: our fields are restored, fields that others added stay. */
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { KubeError, isConflict } from '@ssvirt/kube/errors';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import { NotOurs } from '@ssvirt/kube/reconcile/apply-child';
import { ownManagedFields } from '@ssvirt/kube/reconcile/managed-fields';
import { recordedEntries } from '@ssvirt/kube/reconcile/atomic-lists';
import { parentOf, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import { atomicLists, buildVirtualMachine, type MachineParts } from '../../../kubevirt/machine/build.ts';
import { findingLabels } from '../../../kubevirt/machine/identity.ts';
import { diskName, vmName } from '../../../kubevirt/machine/names.ts';
import { takesPlace, type ResolvedMachine } from '../../../kubevirt/machine/resolve.ts';
import { claimOfVolume } from '../../../kubevirt/machine/adopted.ts';
import { annotations } from '../../../kubevirt/machine/resource.ts';
import { fields, list, type Fields } from '../../../kubevirt/facts/reading.ts';
import type { VmFacts } from '../../../kubevirt/facts/vm.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { askedToApply, problem, waiting } from '../step-halted.ts';
import { byParent } from '../caches.ts';
import { vmProjection } from '../projections.ts';
import { fieldManager, machines } from '../machine-types.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { isOurs, type MachineWork } from '../work.ts';

export interface AppliedVm {
  readonly facts: VmFacts;
  /** The facts before the apply; absent if there was no VM. */
  readonly before?: VmFacts;
}

export async function ensureVirtualMachine(
  work: MachineWork,
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
      // An adopted VM without our labels is in no cache, so the adoption was not known.
      if (live === undefined && found.metadata.annotations?.[note] !== desired.metadata.annotations?.[note])
        throw new KubeError('Conflict', `cannot apply ${named}: it was adopted, which was not known`, { code: 409 });
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
    return { facts: vmProjection.project(object).facts, ...(live === undefined ? {} : { before: live.facts }) };
  } catch (error) {
    if (error instanceof NotOurs) throw refused(work, named);
    if (live === undefined && unseen !== undefined && isConflict(error)) await label(work, unseen);
    throw error;
  }
}

/**
 * Restores labels that were removed. Without them the VM is in no cache, and our last apply cannot be told from what
 * another leader has applied since: every apply would be a conflict. With them the VM is seen again, and the next
 * reconcile knows what it changes. Writes only the labels that the VM is found by, which are permanent: fields that a
 * patch writes have another manager than our applies, so an apply could never remove others.
 */
async function label({ member, signal, identity }: MachineWork, { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const labels = findingLabels(identity);
  if (Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)) return;
  const body = { metadata: { ...lockOn({ metadata }), labels } };
  await member.client.patch(virtualMachines, { namespace, name }, { type: 'merge', body }, { signal });
}

function tell(work: MachineWork, resolved: ResolvedMachine, isNew: boolean, named: string): void {
  const { operator, machine, member, context, identity } = work;
  const done = isNew ? 'Created' : 'Updated';
  operator.event(machine, 'Normal', isNew ? 'VMCreated' : 'VMUpdated', `${done} ${named} in cluster "${member.name}"`);
  // oxlint-disable-next-line architecture/log-messages -- the words of the original vitistack operator, which people search for
  context.log.info(
    { machine: identity.name, namespace: identity.namespace, phase: 'Creating' },
    `${done} VirtualMachine resource`,
  );
  const removed = removedDisks(work, resolved);
  if (removed.length > 0)
    operator.event(
      machine,
      'Normal',
      'DiskDetached',
      `Kept until the Machine is deleted, since no disk of the spec names them: ${removed.join(', ')}`,
    );
}

/**
 * Disks that were removed from the spec. CDI fills a disk through a PersistentVolumeClaim of its own, which carries our
 * labels. It belongs to that disk and is not a disk itself.
 */
function removedDisks({ caches, identity }: MachineWork, { disks }: ResolvedMachine): readonly string[] {
  const wanted = new Set(disks.map(({ name }) => diskName(identity.name, name)));
  return caches.claims
    .byIndex(byParent, identity.uid)
    .filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === 'PersistentVolumeClaim'))
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => !wanted.has(name));
}

/** A VM that is to be adopted carries our labels by now. */
function mayTake(work: MachineWork, found: KubeObject): boolean {
  return isOurs(work)(found) || isStripped(work, found);
}

/**
 * Whether the VM is ours although its labels were removed: the managed fields show what we applied, and the annotation
 * for which Machine.
 */
export function isStripped({ identity }: MachineWork, found: KubeObject): boolean {
  const unmarked = parentUidOf(found.metadata) === undefined && ownManagedFields(found, fieldManager).length > 0;
  const parent = parentOf({ metadata: { ...found.metadata, labels: identity.marks.labels } }, machines);
  return unmarked && parent !== undefined && keyOf(parent) === keyOf(identity);
}

export function refused(work: MachineWork, named: string): Error {
  const { member, identity } = work;
  const message =
    `${named} exists in cluster "${member.name}" and was not created for Machine "${keyOf(identity)}". ` +
    `Set the annotation ${annotations.adopt}: "true" on the Machine to take it over, or delete or rename it`;
  return problem('virtual machine', { reason: 'AdoptionRefused', message }, lookAgainMs);
}

/**
 * Refuses to replace a foreign volume that has the name of a disk: the new disk would be empty. A volume that we added
 * ourselves may be changed.
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
