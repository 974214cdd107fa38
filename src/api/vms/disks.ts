/** Disks that are added to a machine and taken from it. */
import type { Kysely } from 'kysely';
import type { Tables, VmId } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { diskRemoval, patchVmSpec, startVmTask } from '../../db/vm-requests.ts';
import { getVm, type Vm } from '../../db/vms.ts';
import type { FaultReason } from '../../virt/status/faults.ts';
import type { Caller } from '../caller.ts';
import { badRequest, conflict, found } from '../errors.ts';
import { requireAllocation } from '../vdcs/allocation.ts';
import type { StartedVm } from './create.ts';
import { diskOf } from './disk-plan.ts';
import { largest, type NewDiskInput } from './new-machine.ts';
import { audited, mayRun, lockForChange, offersOf, type Surroundings } from './service.ts';
import { shownDisks, specOf, storageOf } from './shown-disks.ts';

export function addDisk(
  db: Kysely<Tables>,
  caller: Caller,
  id: VmId,
  { asked, around }: { readonly asked: NewDiskInput; readonly around: Pick<Surroundings, 'catalogSource'> },
): Promise<StartedVm> {
  return inTransaction(db, async (tx) => {
    const vm = await lockForChange(tx, caller, id);
    const disks = shownDisks(vm);
    const disk = diskOf(
      offersOf(around, vm),
      '',
      asked,
      disks.map(({ name }) => name),
    );
    if (disks.length > largest.disks)
      throw conflict(`The machine "${vm.name}" has ${disks.length} disks, and cannot get more; remove one first.`);
    await requireAllocation(tx, vm.vdc_id, { vms: 0, cpus: 0, memoryMb: 0, storageMb: disk.sizeMb });
    await patchVmSpec(tx, id, {
      disks: [...(specOf(vm).disks ?? []), { ...disk, added: true }],
      storageMb: storageOf(vm) + disk.sizeMb,
    });
    const details = { disk: disk.name, sizeMb: disk.sizeMb };
    const task = await startVmTask(tx, vm, { operation: 'vmDiskAdd', user_id: caller.userId, details });
    await audited(tx, caller, vm, 'vms.addDisk', details);
    return { vm: found(await getVm(tx, 'all', id)), task };
  });
}

/** Its data goes with it. What is on its way out already goes on, and gives back its size once; the answer is the same. */
export function removeDisk(db: Kysely<Tables>, caller: Caller, id: VmId, name: string): Promise<StartedVm> {
  return inTransaction(db, async (tx) => {
    const vm = await lockForChange(tx, caller, id);
    const earlier = await diskRemoval(tx, id, name);
    if (earlier !== undefined) return { vm, task: earlier };
    const sizeMb = requireRemovable(vm, name);
    await patchVmSpec(tx, id, {
      disks: (specOf(vm).disks ?? []).filter((disk) => disk.name !== name),
      storageMb: Math.max(0, storageOf(vm) - sizeMb),
    });
    const details = { disk: name };
    const task = await startVmTask(tx, vm, { operation: 'vmDiskRemove', user_id: caller.userId, details });
    await audited(tx, caller, vm, 'vms.removeDisk', details);
    return { vm: found(await getVm(tx, 'all', id)), task };
  });
}

/** It has no instance yet that could use a disk; its cluster has the last word. */
function waitsForDisks({ status, fault_reason }: Vm): boolean {
  return status === 'POWERING_ON' && fault_reason !== null && diskReasons.has(fault_reason);
}

const diskReasons: ReadonlySet<string> = new Set<FaultReason>(['DISK_PENDING', 'DISK_REFUSED', 'IMPORT_FAILED']);

/** What it counts for. What a template or somebody else has put into the machine is left to the cluster to judge. */
function requireRemovable(vm: Vm, name: string): number {
  const disks = shownDisks(vm);
  const disk = disks.find((one) => one.name === name);
  if (disk === undefined) {
    const names = disks.map((one) => one.name).join(', ');
    throw badRequest(`The machine "${vm.name}" has no disk "${name.slice(0, 100)}"; it has: ${names || 'none'}.`);
  }
  if (disk.boot)
    throw conflict(
      `The disk "${name}" is the one that the machine "${vm.name}" boots from; delete the machine instead.`,
    );
  const { disks: askedFor, source } = specOf(vm);
  const asked = askedFor?.find((one) => one.name === name);
  if (asked !== undefined && asked.added !== true && mayRun(vm) && !waitsForDisks(vm))
    throw conflict(
      `The disk "${name}" was made with the machine "${vm.name}", and cannot be taken out while that runs (${vm.status}); power it off first.`,
    );
  // Of a machine that was described by the request, what was not asked for does not count.
  return asked?.sizeMb ?? (source?.kind === 'direct' ? 0 : (disk.sizeMb ?? 0));
}
