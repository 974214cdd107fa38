/**
 * What requests about machines write beside their rows: the task, and the wish to have it done. Rows are taken in the order vdcs, vapps, vms,
 * reconciliations, tasks, so that nobody waits for who waits for him.
 */
import { sql, type Transaction } from 'kysely';

import { markDue, requestReconciliation } from './reconciliations.ts';
import type { JsonObject, Tables, TaskId, UserId, VappId, VmId } from './schema.ts';
import { inScope, type Scope } from './scope.ts';
import { createTask, getTask, type ShownTask } from './tasks.ts';
import { getVm, type Vm } from './vms.ts';

type Tx = Transaction<Tables>;

export interface VmTask {
  readonly operation: string;
  readonly user_id: UserId;
  readonly details?: JsonObject;
}

/** The wish first: who works on the machine takes that row before those of its tasks. */
export async function startVmTask(
  tx: Tx,
  vm: Pick<Vm, 'id' | 'cluster' | 'organization_id'>,
  task: VmTask,
): Promise<ShownTask> {
  await requestReconciliation(tx, 'vm', vm.id, vm.cluster);
  return createTask(tx, { ...task, organization_id: vm.organization_id, owner_kind: 'vm', owner_id: vm.id });
}

/** As it is when nobody else can change it any more; held until the end of the transaction. */
export async function lockVm(tx: Tx, scope: Scope, id: VmId): Promise<Vm | undefined> {
  // By itself: what a statement reads beside the row that it waited for is from before the wait.
  const { rows } = await sql`
    SELECT FROM vms JOIN vapps ON vapps.id = vms.vapp_id JOIN vdcs ON vdcs.id = vapps.vdc_id
    WHERE vms.id = ${id} AND vms.deleted_at IS NULL AND ${inScope(scope, 'vdcs.organization_id')}
    FOR NO KEY UPDATE OF vms
  `.execute(tx);
  return rows.length === 0 ? undefined : getVm(tx, scope, id);
}

/** The newest task of one of these operations that has not ended. */
export async function openVmTask(tx: Tx, id: VmId, operations: readonly string[]): Promise<ShownTask | undefined> {
  const { rows } = await sql<{ id: TaskId }>`
    SELECT id FROM tasks WHERE owner_id = ${id} AND ended_at IS NULL AND operation = ANY (${operations}::text[])
    ORDER BY created_at DESC, id DESC LIMIT 1
  `.execute(tx);
  const [open] = rows;
  return open === undefined ? undefined : getTask(tx, 'all', open.id);
}

/** Ends what is under way as `aborted`, since something newer is asked for. After the wish for that, and before its task. */
export async function supersedeTasks(
  tx: Tx,
  vm: Pick<Vm, 'id' | 'vapp_id'>,
  operations: readonly string[],
  by: string,
): Promise<void> {
  const error = { minorErrorCode: 'CONFLICT', message: `It was superseded by ${by}, which was asked for later.` };
  const { rows } = await sql<{ parent: string | null }>`
    UPDATE tasks SET status = 'aborted', error = ${JSON.stringify(error)}::jsonb, ended_at = now(), updated_at = now()
    WHERE owner_id = ${vm.id} AND ended_at IS NULL AND operation = ANY (${operations}::text[])
    RETURNING details ->> 'parent' AS parent
  `.execute(tx);
  // A task on the whole vApp waits for those on its machines.
  if (rows.some(({ parent }) => parent !== null)) await markDue(tx, 'vapp', [vm.vapp_id]);
}

/** What is not named stays, such as data that is never read back. */
export async function patchVmSpec(tx: Tx, id: VmId, part: JsonObject): Promise<void> {
  await sql`
    UPDATE vms SET spec = spec || ${JSON.stringify(part)}::jsonb, updated_at = now() WHERE id = ${id} AND deleted_at IS NULL
  `.execute(tx);
}

/** A vApp that was made for one machine has its name, and goes with it. Holds the row of the vApp; to be called before the machine's is taken. */
export async function lockVapp(
  tx: Tx,
  id: VappId,
): Promise<{ readonly hidden: boolean; readonly name: string } | undefined> {
  const { rows } = await sql<{ hidden: boolean; name: string }>`
    SELECT hidden, name FROM vapps WHERE id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0];
}

/**
 * Desired from here on is that it is not there. A hidden vApp goes with its machine: its row must be held (`lockVapp`). The wish for the machine itself is
 * the caller's to make, with the task.
 */
export async function askForVmRemoval(
  tx: Tx,
  vm: Pick<Vm, 'id' | 'vapp_id' | 'cluster'>,
  { hidden }: { readonly hidden: boolean },
): Promise<void> {
  if (hidden)
    await sql`
      UPDATE vapps SET desired_state = 'absent', updated_at = now() WHERE id = ${vm.vapp_id} AND desired_state <> 'absent'
    `.execute(tx);
  await sql`
    UPDATE vms SET desired_state = 'absent', updated_at = now()
    WHERE id = ${vm.id} AND deleted_at IS NULL AND desired_state <> 'absent'
  `.execute(tx);
  if (hidden) await requestReconciliation(tx, 'vapp', vm.vapp_id, vm.cluster);
}
