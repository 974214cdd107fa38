/**
 * The end of a vApp. To prevent deadlocks, rows are locked in the order that requests use: the vApp, its VMs, the
 * claim.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { endTasks, type TaskFailure } from '../work-queue/claimed-tasks.ts';
import { endClaim, markDue, type Claim } from '../work-queue/reconciliations.ts';
import type { Tables, TaskId } from '../schema/schema.ts';
import { underMachinesAndClaim } from './vapp-applied.ts';

/**
 * Undoes a request that could not be fulfilled: the desired state of the vApp and its VMs becomes absent, and the fault
 * is stored for the open tasks. These tasks end with the rows, so that nothing is left when a client sees the end of a
 * task. Throws LostClaim.
 */
export function undoVapp(db: Kysely<Tables>, claim: Claim, why: TaskFailure): Promise<void> {
  return underMachinesAndClaim(db, claim, async (tx) => {
    const id = claim.entityId;
    await sql`
      INSERT INTO vapp_applied (vapp_id, fault, attempt) VALUES (${id}, ${why.message}, ${claim.attempt})
      ON CONFLICT (vapp_id) DO UPDATE SET fault = excluded.fault, attempt = excluded.attempt, updated_at = now()
    `.execute(tx);
    await sql`
      UPDATE vapps SET desired_state = 'absent', spec = spec - 'parameters', updated_at = now() WHERE id = ${id} AND deleted_at IS NULL
    `.execute(tx);
    const { rows } = await sql<{ readonly id: string }>`
      UPDATE vms SET desired_state = 'absent', updated_at = now()
      WHERE vapp_id = ${id} AND desired_state <> 'absent' AND deleted_at IS NULL RETURNING id
    `.execute(tx);
    // The VMs that have work of their own.
    await markDue(
      tx,
      'vm',
      rows.map((row) => row.id),
    );
    await sql`
      UPDATE tasks SET error = ${JSON.stringify(why)}::jsonb, updated_at = now()
      WHERE owner_kind = 'vapp' AND owner_id = ${id} AND operation <> 'vappDelete' AND ended_at IS NULL
    `.execute(tx);
  });
}

/**
 * Deletes the vApp and its VMs after nothing of it is left in the cluster. Removal tasks succeed; all others fail with
 * `otherwise`. Resolves to false when a VM still has work of its own, which must end first. Throws LostClaim.
 */
export function removeVapp(db: Kysely<Tables>, claim: Claim, otherwise: TaskFailure): Promise<boolean> {
  return underMachinesAndClaim(db, claim, async (tx) => {
    const id = claim.entityId;
    const machines = sql`vms WHERE vapp_id = ${id} AND deleted_at IS NULL`;
    const busy = await sql`
      SELECT FROM reconciliations WHERE kind = 'vm' AND entity_id IN (SELECT id FROM ${machines}) LIMIT 1
    `.execute(tx);
    if (busy.rows.length > 0) return false;
    await endAll(tx, claim, otherwise);
    const gone = sql`deleted_at = now(), updated_at = now()`;
    // The data for guests is removed with them.
    await sql`
      UPDATE vms SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', ${gone} WHERE vapp_id = ${id} AND deleted_at IS NULL
    `.execute(tx);
    await sql`UPDATE vapps SET spec = spec - 'parameters', ${gone} WHERE id = ${id} AND deleted_at IS NULL`.execute(tx);
    await endClaim(tx, claim);
    return true;
  });
}

/** Ends all open tasks on the vApp and its VMs, because no worker will look at them again. */
async function endAll(tx: Transaction<Tables>, claim: Claim, otherwise: TaskFailure): Promise<void> {
  const { rows } = await sql<{ readonly id: TaskId; readonly isRemoval: boolean }>`
    SELECT id, operation IN ('vappDelete', 'vmDelete') AS "isRemoval" FROM tasks
    WHERE ended_at IS NULL AND (
      (owner_kind = 'vapp' AND owner_id = ${claim.entityId})
      OR (owner_kind = 'vm' AND owner_id IN (SELECT id FROM vms WHERE vapp_id = ${claim.entityId} AND deleted_at IS NULL))
    )
  `.execute(tx);
  const idsOf = (isRemoval: boolean): readonly TaskId[] =>
    rows.filter((task) => task.isRemoval === isRemoval).map(({ id }) => id);
  await endTasks(tx, claim, idsOf(true));
  await endTasks(tx, claim, idsOf(false), otherwise);
}
