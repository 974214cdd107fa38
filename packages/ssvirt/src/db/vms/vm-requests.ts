/**
 * What requests about VMs write beside the VM's row: the task and the reconcile request. To prevent deadlocks, rows are
 * locked in the order vdcs, vapps, vms, reconciliations, tasks.
 */
import { sql, type Transaction } from 'kysely';

import { markDue, requestReconciliation } from '../work-queue/reconciliations.ts';
import type { JsonObject, Tables, TaskId, UserId, VmId } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { createTask, getTask, type ShownTask } from '../tasks/tasks.ts';
import { getVm, type Vm } from './vms.ts';

type Tx = Transaction<Tables>;

export interface VmTask {
  readonly operation: string;
  readonly user_id: UserId;
  readonly details?: JsonObject;
}

/** Open tasks that end because of a newer request, and the name of that request for people. */
export interface Superseded {
  readonly operations: readonly string[];
  readonly by: string;
}

/** The reconcile request comes first, because a worker on the VM locks that row before those of its tasks. */
export async function startVmTask(
  tx: Tx,
  vm: Pick<Vm, 'id' | 'vapp_id' | 'cluster' | 'organization_id'>,
  task: VmTask,
  superseded?: Superseded,
): Promise<ShownTask> {
  await requestReconciliation(tx, 'vm', vm.id, vm.cluster);
  if (superseded !== undefined) await supersede(tx, vm, superseded);
  return createTask(tx, { ...task, organization_id: vm.organization_id, owner_kind: 'vm', owner_id: vm.id });
}

/** `lockVm` locks the VM until the end of the transaction, and reads it after that. */
export async function lockVm(tx: Tx, scope: Scope, id: VmId): Promise<Vm | undefined> {
  // A statement of its own: other values that a statement reads together with the row it waited for are from before the
  // wait.
  const { rows } = await sql`
    SELECT FROM vms JOIN vapps ON vapps.id = vms.vapp_id JOIN vdcs ON vdcs.id = vapps.vdc_id
    WHERE vms.id = ${id} AND vms.deleted_at IS NULL AND ${inScope(scope, 'vdcs.organization_id')}
    FOR NO KEY UPDATE OF vms
  `.execute(tx);
  return rows.length === 0 ? undefined : getVm(tx, scope, id);
}

/**
 * Of these VMs, those that were created in a cluster or observed there. Without one of both, the row is all that there
 * is of a VM.
 */
export async function createdAmong(tx: Tx, ids: readonly VmId[]): Promise<ReadonlySet<VmId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: VmId }>`
    SELECT v.id FROM vms v LEFT JOIN vm_applied a ON a.vm_id = v.id LEFT JOIN vm_observed o ON o.vm_id = v.id
    WHERE v.id = ANY (${ids}::uuid[]) AND coalesce(a.uid, o.uid) IS NOT NULL
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The removal of a disk that is in progress, or that succeeded after the last observation of the VM. Undefined when the
 * disk was added again.
 */
export async function diskRemoval(tx: Tx, id: VmId, disk: string): Promise<ShownTask | undefined> {
  const { rows } = await sql<{ id: TaskId; counts: boolean }>`
    SELECT t.id, t.operation = 'vmDiskRemove' AND (t.ended_at IS NULL OR (t.status = 'success' AND t.ended_at >= o.observed_at)) AS counts
    FROM tasks t LEFT JOIN vm_observed o ON o.vm_id = t.owner_id
    WHERE t.owner_id = ${id} AND t.operation IN ('vmDiskAdd', 'vmDiskRemove') AND t.details ->> 'disk' = ${disk}
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1
  `.execute(tx);
  const [last] = rows;
  return last?.counts === true ? getTask(tx, 'all', last.id) : undefined;
}

async function supersede(tx: Tx, vm: Pick<Vm, 'id' | 'vapp_id'>, { operations, by }: Superseded): Promise<void> {
  const open = sql`owner_id = ${vm.id} AND ended_at IS NULL AND operation = ANY (${operations}::text[])`;
  const { rows } = await sql`SELECT FROM tasks WHERE ${open} AND details ? 'parent' LIMIT 1`.execute(tx);
  // A task on the whole vApp waits for the tasks on its VMs.
  if (rows.length > 0) await markDue(tx, 'vapp', [vm.vapp_id]);
  const error = { minorErrorCode: 'CONFLICT', message: `It was superseded by ${by}, which was requested later.` };
  await sql`
    UPDATE tasks SET status = 'aborted', error = ${JSON.stringify(error)}::jsonb, ended_at = now(), updated_at = now()
    WHERE ${open}
  `.execute(tx);
}

/** Keys that are not given keep their values, such as data that is never read back. */
export async function patchVmSpec(tx: Tx, id: VmId, part: JsonObject): Promise<void> {
  await sql`
    UPDATE vms SET spec = spec || ${JSON.stringify(part)}::jsonb, updated_at = now() WHERE id = ${id} AND deleted_at IS NULL
  `.execute(tx);
}

/**
 * Sets the desired state to absent. A vApp that was created for this VM alone (hidden) is removed too. The caller holds
 * both rows and has locked the vApp first.
 */
export async function askForVmRemoval(
  tx: Tx,
  vm: Pick<Vm, 'id' | 'vapp_id' | 'vapp_hidden' | 'cluster'>,
): Promise<void> {
  if (vm.vapp_hidden)
    await sql`
      UPDATE vapps SET desired_state = 'absent', updated_at = now() WHERE id = ${vm.vapp_id} AND desired_state <> 'absent'
    `.execute(tx);
  await sql`
    UPDATE vms SET desired_state = 'absent', updated_at = now()
    WHERE id = ${vm.id} AND deleted_at IS NULL AND desired_state <> 'absent'
  `.execute(tx);
  await requestReconciliation(tx, 'vm', vm.id, vm.cluster);
  if (vm.vapp_hidden) await requestReconciliation(tx, 'vapp', vm.vapp_id, vm.cluster);
}
