/**
 * The end of a VM. To prevent deadlocks, rows are locked in the order that requests use: the vApp, the VM, the vApp's
 * reconcile request, that of the VM.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { endTasks, type TaskFailure } from '../work-queue/claimed-tasks.ts';
import { endClaim, markDue, underClaim, type Claim } from '../work-queue/reconciliations.ts';
import type { Tables, TaskId, VappId } from '../schema/schema.ts';
import { inTransaction } from '../connection/transaction.ts';

/**
 * Undoes a request that the cluster refused: the desired state becomes absent, and the fault is stored for the open
 * tasks. These tasks end with the row, so that nothing is left when a client sees the end of a task. A vApp that was
 * created for this VM is removed too. Throws LostClaim.
 */
export function undoVm(db: Kysely<Tables>, claim: Claim, vapp: VappId, why: TaskFailure): Promise<void> {
  return underRowsAndClaim(db, claim, vapp, async (tx) => {
    const id = claim.entityId;
    await sql`
      UPDATE vapps SET desired_state = 'absent', updated_at = now()
      WHERE id = ${vapp} AND hidden AND desired_state <> 'absent' AND deleted_at IS NULL
    `.execute(tx);
    await sql`UPDATE vms SET desired_state = 'absent', updated_at = now() WHERE id = ${id} AND deleted_at IS NULL`.execute(
      tx,
    );
    await sql`
      INSERT INTO vm_applied (vm_id, fault, attempt) VALUES (${id}, ${why.message}, ${claim.attempt})
      ON CONFLICT (vm_id) DO UPDATE SET fault = excluded.fault, attempt = excluded.attempt, updated_at = now()
    `.execute(tx);
    await sql`
      UPDATE tasks SET error = ${JSON.stringify(why)}::jsonb, updated_at = now()
      WHERE owner_kind = 'vm' AND owner_id = ${id} AND operation <> 'vmDelete' AND ended_at IS NULL
    `.execute(tx);
  });
}

/**
 * Deletes the row after nothing of the VM is left in the cluster, and with it a vApp that was created for it alone.
 * Removal tasks succeed; all others fail with `otherwise`. Throws LostClaim.
 */
export function removeVm(db: Kysely<Tables>, claim: Claim, vapp: VappId, otherwise: TaskFailure): Promise<void> {
  return underRowsAndClaim(db, claim, vapp, async (tx) => {
    const id = claim.entityId;
    const gone = sql`deleted_at = now(), updated_at = now()`;
    // The data for the guest is removed with it.
    await sql`
      UPDATE vms SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', ${gone} WHERE id = ${id} AND deleted_at IS NULL
    `.execute(tx);
    await sql`
      UPDATE vapps SET desired_state = 'absent', ${gone}
      WHERE id = ${vapp} AND hidden AND deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM vms WHERE vapp_id = ${vapp} AND deleted_at IS NULL)
        AND NOT EXISTS (SELECT FROM tasks WHERE owner_kind = 'vapp' AND owner_id = ${vapp} AND ended_at IS NULL)
    `.execute(tx);
    const { rows } = await sql<{ readonly id: TaskId; readonly isRemoval: boolean }>`
      SELECT id, operation = 'vmDelete' AS "isRemoval" FROM tasks WHERE owner_kind = 'vm' AND owner_id = ${id} AND ended_at IS NULL
    `.execute(tx);
    const idsOf = (isRemoval: boolean): readonly TaskId[] =>
      rows.filter((task) => task.isRemoval === isRemoval).map((task) => task.id);
    await endTasks(tx, claim, idsOf(true));
    await endTasks(tx, claim, idsOf(false), otherwise);
    await endClaim(tx, claim);
  });
}

function underRowsAndClaim<T>(
  db: Kysely<Tables>,
  claim: Claim,
  vapp: VappId,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`SELECT FROM vapps WHERE id = ${vapp} FOR NO KEY UPDATE`.execute(tx);
    await sql`SELECT FROM vms WHERE id = ${claim.entityId} FOR NO KEY UPDATE`.execute(tx);
    await markDue(tx, 'vapp', [vapp]);
    return underClaim(tx, claim, work);
  });
}
