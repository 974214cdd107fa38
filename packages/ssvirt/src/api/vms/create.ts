/** Records a planned VM: its row, its task, the reconcile request and the audit record. No cluster is called. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables, TaskId, VmId } from '../../db/schema/schema.ts';
import type { ShownTask } from '../../db/tasks/tasks.ts';
import type { Vapp } from '../../db/vapps/vapps.ts';
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import { startVmTask } from '../../db/vms/vm-requests.ts';
import { createVm, type Vm } from '../../db/vms/vms.ts';
import { machineName } from '../../kubevirt/tenant-vm/names.ts';
import { recordAudit } from '../audit/record.ts';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { Allocation } from '../vdcs/allocation.ts';
import type { MachinePlan } from './plan.ts';

/** The request is recorded in the row, and the task applies it to the cluster. */
export interface StartedVm {
  readonly vm: Vm;
  readonly task: ShownTask;
}

export interface MachinePlace {
  readonly vdc: Pick<Vdc, 'organization_id'>;
  readonly vapp: Pick<Vapp, 'id' | 'name' | 'creation'>;
}

export interface CreationOptions {
  /** The task of the vApp that waits for this one; its own audit record names the user. */
  readonly parent?: TaskId;
}

/** `allocationOf` returns the allocation that it needs, for `requireAllocation`. */
export function allocationOf({ cpus, memoryMb, spec }: MachinePlan): Allocation {
  const nics = spec.nics ?? Math.max(1, spec.networks.length);
  return { vms: 1, cpus: cpus ?? 0, memoryMb: memoryMb ?? 0, storageMb: spec.storageMb ?? 0, nics };
}

/**
 * Call `requireEnabled`, `requireAllocation` and `requireVmQuotas` before it in the same transaction. The first two lock
 * the VDC's row: call them before `createVapp`. Throws `Duplicate` if the vApp has a VM of that name.
 */
export async function createMachine(
  tx: Transaction<Tables>,
  caller: Caller,
  { vdc, vapp }: MachinePlace,
  plan: MachinePlan,
  { parent }: CreationOptions = {},
): Promise<StartedVm> {
  if (parent === undefined) requireMade(vapp);
  const id = randomUUID() as VmId;
  const { name, description, guestOs } = plan;
  const vm = await createVm(tx, {
    id,
    vapp_id: vapp.id,
    owner_id: caller.userId,
    name,
    description,
    vm_name: machineName(name, id),
    desired_power: plan.powerOn ? 'on' : 'off',
    cpu_count: plan.cpus,
    memory_mb: plan.memoryMb,
    guest_os: guestOs ?? null,
    spec: { ...plan.spec },
  });
  const task = await startVmTask(tx, vm, {
    operation: 'vmCreate',
    user_id: caller.userId,
    details: { powerOn: plan.powerOn, ...(parent === undefined ? {} : { parent }) },
  });
  if (parent === undefined)
    await recordAudit(tx, caller, {
      action: 'vms.create',
      entity: { kind: 'vm', id, name },
      organizationId: vdc.organization_id,
      details: { vapp: vm.vapp_name, cpus: plan.cpus, memoryMb: plan.memoryMb, storageMb: plan.spec.storageMb },
    });
  return { vm, task };
}

/**
 * A vApp that cannot be created is rolled back, or canceled, as a unit: a VM that was added meanwhile would be deleted
 * with it.
 */
function requireMade({ name, creation }: MachinePlace['vapp']): void {
  if (creation === 'running')
    throw new ApiError(
      'BUSY_ENTITY',
      `The vApp "${name}" is still being created and accepts no other VMs yet: wait for its task to end.`,
    );
}
