/** Adds disks to a VM and removes them. */
import type { Kysely } from 'kysely';
import type { Tables, VmId } from '../../db/schema/schema.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { diskRemoval, patchVmSpec, startVmTask } from '../../db/vms/vm-requests.ts';
import { getVm, type Vm } from '../../db/vms/vms.ts';
import type { FaultReason } from '../../kubevirt/status/faults.ts';
import type { Caller } from '../caller.ts';
import { badRequest, conflict, found } from '../errors.ts';
import { noAllocation, requireAllocation } from '../vdcs/allocation.ts';
import type { StartedVm } from './create.ts';
import { diskOf } from './disk-plan.ts';
import { largest, type NewDiskInput } from './new-vm.ts';
import { audited, mayRun, lockForChange, offersOf, type VmServiceContext } from './service.ts';
import { shownDisks, specOf, storageOf } from './shown-disks.ts';

export function addDisk(
  db: Kysely<Tables>,
  caller: Caller,
  id: VmId,
  { asked, around }: { readonly asked: NewDiskInput; readonly around: Pick<VmServiceContext, 'catalogSource'> },
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
      throw conflict(`The VM "${vm.name}" has ${disks.length} disks, which is the limit; remove one first.`);
    await requireAllocation(tx, vm.vdc_id, { ...noAllocation, storageMb: disk.sizeMb });
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

/** `removeDisk` deletes the disk with its data. A repeated request returns the same task and gives back the size only once. */
export function removeDisk(db: Kysely<Tables>, caller: Caller, id: VmId, name: string): Promise<StartedVm> {
  return inTransaction(db, async (tx) => {
    const vm = await lockForChange(tx, caller, id);
    const earlier = await diskRemoval(tx, id, name);
    if (earlier !== undefined) return { vm, task: earlier };
    const sizeMb = requireRemovable(vm, name, (await mayRun(tx, [vm])).length > 0);
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

/** It has no instance yet that could use a disk; the cluster decides. */
function waitsForDisks({ status, fault_reason }: Vm): boolean {
  return status === 'POWERING_ON' && fault_reason !== null && diskReasons.has(fault_reason);
}

/** Those that a disk can have which is not there yet, and which ends with the disk. */
const diskReasons: ReadonlySet<string> = new Set<FaultReason>([
  'DISK_PENDING',
  'DISK_MISSING',
  'DISK_REFUSED',
  'IMPORT_FAILED',
  'SOURCE_MISSING',
  'SOURCE_FORBIDDEN',
  'QUOTA_EXCEEDED',
]);

/**
 * The size that it counts for. For disks of a template or of another client, the cluster decides whether they can be
 * removed.
 */
function requireRemovable(vm: Vm, name: string, isActive: boolean): number {
  const disks = shownDisks(vm);
  const disk = disks.find((one) => one.name === name);
  if (disk === undefined) {
    const names = disks.map((one) => one.name).join(', ');
    throw badRequest(`The VM "${vm.name}" has no disk "${name.slice(0, 100)}"; it has: ${names || 'none'}.`);
  }
  if (disk.boot) throw conflict(`The disk "${name}" is the boot disk of the VM "${vm.name}"; delete the VM instead.`);
  const { disks: askedFor, source } = specOf(vm);
  const asked = askedFor?.find((one) => one.name === name);
  if (asked !== undefined && asked.added !== true && isActive && !waitsForDisks(vm))
    throw conflict(
      vm.stale
        ? `The disk "${name}" was created with the VM "${vm.name}" and cannot be removed while it may run: its status ${vm.status} is not current. Wait until the status is current.`
        : `The disk "${name}" was created with the VM "${vm.name}" and cannot be removed while it runs (${vm.status}); power it off first.`,
    );
  // For a VM that the request described, only requested disks count.
  return asked?.sizeMb ?? (source?.kind === 'direct' ? 0 : (disk.sizeMb ?? 0));
}
