/**
 * Cancels tasks if that leaves nothing half done: what is being created is deleted again, and a task that waits for a
 * state stops waiting. Other tasks end by themselves.
 */
import type { Kysely, Transaction } from 'kysely';
import { cancelChildren } from '../../db/tasks/cancellations.ts';
import { markDue, requestReconciliation } from '../../db/work-queue/reconciliations.ts';
import type { Tables, TaskId, VappId, VdcId, VmId } from '../../db/schema/schema.ts';
import { advanceTask, getTask, isEnded, type ShownTask } from '../../db/tasks/tasks.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { getUser } from '../../db/tenants/users.ts';
import { askForVappRemoval, lockMachines, lockVapp } from '../../db/vapps/vapp-requests.ts';
import { askForVdcRemoval } from '../../db/vdcs/vdc-removal-request.ts';
import { lockVdc } from '../../db/vdcs/vdcs.ts';
import { askForVmRemoval, lockVm } from '../../db/vms/vm-requests.ts';
import { getVm } from '../../db/vms/vms.ts';
import { recordAudit } from '../audit/record.ts';
import { hasRole, isSystemAdministrator, type Caller } from '../caller.ts';
import { ApiError, conflict, found, noAccess } from '../errors.ts';
import { powerTasks, vappPowerTasks } from '../vms/power-tasks.ts';
import { redactedFor } from './redaction.ts';

type Tx = Transaction<Tables>;
/** Writes the consequences, all rows but the task's own; throws CONFLICT if the task cannot be canceled. */
type GiveUp = (tx: Tx, task: ShownTask) => Promise<void>;

const ways: Readonly<Record<string, GiveUp>> = {
  vdcCreate: giveUpVdc,
  vmCreate: giveUpMachine,
  vappCreate: giveUpVapp,
  vappInstantiate: giveUpVapp,
  ...Object.fromEntries(powerTasks.map((operation) => [operation, giveUpPower])),
  ...Object.fromEntries(vappPowerTasks.map((operation) => [operation, giveUpVappPower])),
};

export function cancelTask(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<ShownTask> {
  return inTransaction(db, async (tx) => {
    const asked = found(await getTask(tx, caller.scope, id));
    await requireMayCancel(tx, caller, asked);
    if (isEnded(asked.status)) throw hasEnded(asked);
    const giveUp = ways[asked.operation] ?? refuse;
    await giveUp(tx, asked);
    // Last, like all code that finishes tasks. If another process has just finished it, everything is rolled back.
    if ((await advanceTask(tx, id, { status: 'canceled' })) === undefined)
      throw hasEnded(found(await getTask(tx, caller.scope, id)));
    await recordAudit(tx, caller, {
      action: 'tasks.cancel',
      entity: { kind: 'task', id, name: asked.operation },
      organizationId: asked.organization_id,
      details: { [asked.owner_kind]: asked.owner_name },
    });
    return redactedFor(caller, found(await getTask(tx, caller.scope, id)));
  });
}

/**
 * Administrators may cancel what users of their organization requested, other users their own requests. Canceling a
 * request of the provider would delete what the provider created.
 */
async function requireMayCancel(tx: Tx, caller: Caller, { user_id }: ShownTask): Promise<void> {
  if (isSystemAdministrator(caller) || user_id === caller.userId) return;
  if (!hasRole(caller, 'Organization Administrator')) throw noAccess();
  if (user_id === null || (await getUser(tx, caller.organizationId, user_id)) === undefined)
    throw new ApiError(
      'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
      'Only a system administrator may cancel this task: no user of your organization requested it.',
    );
}

async function refuse(_tx: Tx, { operation }: ShownTask): Promise<never> {
  throw conflict(`${operation} cannot be canceled: only creations and power changes can. Wait for it to end.`);
}

/** Locks the row of the VDC before that of the task, the order in which all code locks them. */
async function giveUpVdc(tx: Tx, asked: ShownTask): Promise<void> {
  const vdc = await lockVdc(tx, 'all', asked.owner_id as VdcId);
  if (vdc === undefined || vdc.desired_state === 'absent') throw isLeaving('virtual data center', asked.owner_name);
  if (vdc.ready)
    throw conflict(
      `The virtual data center ${vdc.name} already exists, so its creation cannot be canceled; delete it instead.`,
    );
  await askForVdcRemoval(tx, vdc.id);
  await requestReconciliation(tx, 'vdc', vdc.id, vdc.cluster);
}

async function giveUpMachine(tx: Tx, { owner_id, owner_name, details }: ShownTask): Promise<void> {
  if (typeof details['parent'] === 'string')
    throw conflict(`The VM ${owner_name} is created as part of its vApp; cancel the task of the vApp.`);
  const seen = await getVm(tx, 'all', owner_id as VmId);
  const vapp = seen && (await lockVapp(tx, 'all', seen.vapp_id));
  const vm = vapp && (await lockVm(tx, 'all', owner_id as VmId));
  if (vm === undefined || vm.status === 'DELETING') throw isLeaving('VM', owner_name);
  await askForVmRemoval(tx, vm);
}

async function giveUpVapp(tx: Tx, { id, owner_id, owner_name }: ShownTask): Promise<void> {
  const vapp = await lockVapp(tx, 'all', owner_id as VappId);
  if (vapp === undefined || vapp.desired_state === 'absent') throw isLeaving('vApp', owner_name);
  await askForVappRemoval(tx, vapp, await lockMachines(tx, vapp.id));
  await requestReconciliation(tx, 'vapp', vapp.id, vapp.cluster);
  await cancelChildren(tx, vapp.id, id);
}

/**
 * The desired power state stays; the task no longer waits for it, and if the cluster was not called yet, it is not
 * called for this task.
 */
async function giveUpPower(tx: Tx, { owner_id, owner_name, operation, details }: ShownTask): Promise<void> {
  if (details['sent'] === true)
    throw conflict(`${operation} has already been sent to the VM ${owner_name}, so it cannot be canceled.`);
  const vm = await lockVm(tx, 'all', owner_id as VmId);
  await markDue(tx, 'vm', [owner_id]);
  if (vm !== undefined && typeof details['parent'] === 'string') await markDue(tx, 'vapp', [vm.vapp_id]);
}

async function giveUpVappPower(tx: Tx, { id, owner_id }: ShownTask): Promise<void> {
  await lockVapp(tx, 'all', owner_id as VappId);
  await lockMachines(tx, owner_id as VappId);
  await markDue(tx, 'vapp', [owner_id]);
  await cancelChildren(tx, owner_id as VappId, id);
}

function isLeaving(kind: string, name: string): ApiError {
  return conflict(`The ${kind} ${name} is already being deleted; wait for the task to end.`);
}

function hasEnded({ status }: ShownTask): ApiError {
  return conflict(`The task has already ended (${status}), so it cannot be canceled.`);
}
