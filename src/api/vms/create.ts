/** A machine that has been planned comes into being: its row, its task, the wish to have it made, and who has asked. No cluster is touched. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables, TaskId, VmId } from '../../db/schema.ts';
import type { ShownTask } from '../../db/tasks.ts';
import type { Vapp } from '../../db/vapps.ts';
import type { Vdc } from '../../db/vdcs.ts';
import { startVmTask } from '../../db/vm-requests.ts';
import { createVm, type Vm } from '../../db/vms.ts';
import { machineName } from '../../virt/machine/names.ts';
import { recordAudit } from '../audit/record.ts';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import type { Allocation } from '../vdcs/allocation.ts';
import type { MachinePlan } from './plan.ts';

/** What was asked for is in the row, and a task brings it to the cluster. */
export interface StartedVm {
  readonly vm: Vm;
  readonly task: ShownTask;
}

export interface MachinePlace {
  readonly vdc: Pick<Vdc, 'organization_id'>;
  readonly vapp: Pick<Vapp, 'id' | 'name' | 'creation'>;
}

export interface CreationOptions {
  /** The task on the whole vApp that waits for this one; who has asked for that is in its audit event. */
  readonly parent?: TaskId;
}

/** What it takes of the allocation, for `requireAllocation`. */
export function allocationOf({ cpus, memoryMb, spec }: MachinePlan): Allocation {
  return { vms: 1, cpus: cpus ?? 0, memoryMb: memoryMb ?? 0, storageMb: spec.storageMb ?? 0 };
}

/**
 * `requireEnabled` and `requireAllocation` come before it in the same transaction, and before `createVapp`: they hold the VDC's row.
 * Throws `Duplicate` where the vApp has a machine of that name.
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
    ...(parent === undefined ? {} : { details: { parent } }),
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

/** What cannot be made is undone as a whole, and given up as a whole: a machine that was asked for by itself would go with it. */
function requireMade({ name, creation }: MachinePlace['vapp']): void {
  if (creation === 'running')
    throw new ApiError(
      'BUSY_ENTITY',
      `The vApp "${name}" is still being made, and takes no other machines before that is done: wait for its task to end.`,
    );
}
