/** The VirtualMachine of a Machine, by server-side apply: fields of ours come back, what others have added stays. */
import type { KubeObject } from '../../kube/object.ts';
import { isConflict } from '../../kube/errors.ts';
import { lockOn } from '../../kube/reconcile/merge-patch.ts';
import { NotOurs } from '../../kube/reconcile/apply-child.ts';
import { ownManagedFields } from '../../kube/reconcile/managed-fields.ts';
import { parentOf, parentUidOf } from '../../kube/reconcile/owners.ts';
import { keyOf } from '../../kube/object.ts';
import { atomicLists, buildVirtualMachine, type MachineParts } from '../../virt/declared-machine/build.ts';
import { findingLabels } from '../../virt/declared-machine/identity.ts';
import { diskName, vmName } from '../../virt/declared-machine/names.ts';
import type { ResolvedMachine } from '../../virt/declared-machine/resolve.ts';
import { annotations } from '../../virt/declared-machine/resource.ts';
import type { VmFacts } from '../../virt/facts/vm.ts';
import { isAdopting, keeperOf, prepareAdoption, refuseForeignVolumes, tellAdoption } from './adoption.ts';
import { asked, lookAgainMs, problem, waiting } from './halted.ts';
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
  if (live === undefined) context.log.info({ ...log, phase: 'Creating' }, 'Creating VirtualMachine resource');
  let stranger: KubeObject | undefined;
  let unseen: KubeObject | undefined;
  const child = {
    type: virtualMachines,
    desired,
    live: live as KubeObject | undefined,
    atomicLists,
    projected: true,
    mayTake(found: KubeObject) {
      if (!mayTake(work, found)) {
        stranger = found;
        return false;
      }
      refuseForeignVolumes(found, desired);
      unseen = found;
      return true;
    },
  };
  try {
    const { object, outcome } = await asked(
      'virtual machine',
      member.name,
      `${live === undefined ? 'create' : 'update'} ${named}`,
      async () => {
        const adopts = live === undefined && (await prepareAdoption(work, key, desired));
        const applied = await operator.applier.apply(member.client, child, { signal });
        if (adopts && applied.outcome === 'applied') await tellAdoption(work, key);
        return applied;
      },
    );
    if (outcome === 'deleting')
      throw waiting('virtual machine', 'Replacing', `${named} is being deleted; waiting for it to be gone`);
    if (outcome === 'applied') tell(work, resolved, live === undefined && unseen === undefined, named);
    return { facts: keptVm.project(object).facts, ...(live === undefined ? {} : { before: live.facts }) };
  } catch (error) {
    if (error instanceof NotOurs) throw refused(work, named, stranger);
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

/** Ours, or one that nobody else looks after where the Machine says so. */
function mayTake(work: Work, found: KubeObject): boolean {
  return isOurs(work)(found) || (isAdopting(work) && keeperOf(work, found) === undefined) || isStripped(work, found);
}

/** One of ours that somebody has stripped of its labels: what we applied, and for whom, can still be seen. */
export function isStripped({ identity }: Work, found: KubeObject): boolean {
  const unmarked = parentUidOf(found.metadata) === undefined && ownManagedFields(found, fieldManager).length > 0;
  const parent = parentOf({ metadata: { ...found.metadata, labels: identity.marks.labels } }, machines);
  return unmarked && parent !== undefined && keyOf(parent) === keyOf(identity);
}

function refused(work: Work, named: string, found?: KubeObject): Error {
  const { member, identity } = work;
  const keeper = found === undefined ? undefined : keeperOf(work, found);
  const message =
    `${named} exists in cluster "${member.name}" and was not made for Machine "${keyOf(identity)}". ` +
    (keeper !== undefined && isAdopting(work)
      ? `It is that of ${keeper}: two would change it in turn. Name the Machine otherwise or, if nobody looks after it any more, take those labels off it`
      : `Set the annotation ${annotations.adopt}: "true" on the Machine to take it over, or delete or rename it`);
  return problem('virtual machine', { reason: 'AdoptionRefused', message }, lookAgainMs);
}
