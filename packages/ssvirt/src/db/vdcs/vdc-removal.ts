/**
 * The end of a VDC. The row is locked before the claim, because a request writes the row first and the reconcile
 * request second. The opposite order could deadlock.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { endTasks, type TaskFailure } from '../work-queue/claimed-tasks.ts';
import { endClaim, underClaim, type Claim } from '../work-queue/reconciliations.ts';
import type { Tables, TaskId } from '../schema/schema.ts';
import { inTransaction } from '../connection/transaction.ts';
import { recordFault } from './vdc-applied.ts';

/**
 * Undoes a request that the cluster refused: the desired state becomes absent, and the fault is stored for the open
 * tasks. Resolves to false when a new request came in the meantime, which may not be refused. Throws LostClaim.
 */
export function undoVdc(db: Kysely<Tables>, claim: Claim, why: TaskFailure): Promise<boolean> {
  return unlessMoreWished(db, claim, async (tx) => {
    await recordFault(tx, claim, why.message);
    await setDesired(tx, claim, 'absent');
    // The tasks end with the row, so that nothing is left when a client sees the end of a task.
    await sql`
      UPDATE tasks SET error = ${JSON.stringify(why)}::jsonb, updated_at = now()
      WHERE owner_kind = 'vdc' AND owner_id = ${claim.entityId} AND operation <> 'vdcDelete' AND ended_at IS NULL
    `.execute(tx);
  });
}

/**
 * Undoes a removal that must not be done: the desired state becomes present again. Resolves to false when a new request
 * came in the meantime. Throws LostClaim.
 */
export function keepVdc(
  db: Kysely<Tables>,
  claim: Claim,
  tasks: readonly TaskId[],
  why: TaskFailure,
): Promise<boolean> {
  return unlessMoreWished(db, claim, async (tx) => {
    await setDesired(tx, claim, 'present');
    // The vApps whose removal came with this request. Those that a user deletes separately were changed at another
    // time.
    await sql`
      UPDATE vapps SET desired_state = 'present', updated_at = now()
      WHERE vdc_id = ${claim.entityId} AND desired_state = 'absent' AND deleted_at IS NULL
        AND updated_at IN (SELECT created_at FROM tasks WHERE id = ANY (${tasks}::uuid[]))
    `.execute(tx);
    await endTasks(tx, claim, tasks, why);
  });
}

/**
 * Deletes the VDC and everything in it after its namespace is gone. Removal tasks succeed; all others fail with
 * `otherwise`. Throws LostClaim.
 */
export function removeVdc(db: Kysely<Tables>, claim: Claim, otherwise: TaskFailure): Promise<void> {
  return underRowAndClaim(db, claim, async (tx) => {
    const id = claim.entityId;
    const live = sql`deleted_at IS NULL`;
    const gone = sql`deleted_at = now(), updated_at = now()`;
    const vapps = sql`SELECT id FROM vapps WHERE vdc_id = ${id}`;
    // The data for guests is removed with them.
    await sql`UPDATE vapps SET spec = spec - 'parameters', ${gone} WHERE vdc_id = ${id} AND ${live}`.execute(tx);
    await sql`
      UPDATE vms SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', ${gone} WHERE vapp_id IN (${vapps}) AND ${live}
    `.execute(tx);
    await sql`UPDATE vdcs SET ${gone} WHERE id = ${id} AND ${live}`.execute(tx);
    // A worker on one of them loses its claim.
    const within = sql`(kind = 'vapp' AND entity_id IN (${vapps})) OR (kind = 'vm' AND entity_id IN (SELECT id FROM vms WHERE vapp_id IN (${vapps})))`;
    await sql`DELETE FROM reconciliations WHERE ${within}`.execute(tx);
    await endOpenTasks(tx, claim, otherwise);
    await endClaim(tx, claim);
  });
}

/** Ends all open tasks on the VDC and its contents, because no worker will look at them again. */
async function endOpenTasks(tx: Transaction<Tables>, claim: Claim, otherwise: TaskFailure): Promise<void> {
  const vapps = sql`SELECT id FROM vapps WHERE vdc_id = ${claim.entityId}`;
  const { rows } = await sql<{ readonly id: TaskId; readonly isRemoval: boolean }>`
    SELECT id, operation IN ('vdcDelete', 'vappDelete', 'vmDelete') AS "isRemoval" FROM tasks
    WHERE ended_at IS NULL AND (
      (owner_kind = 'vdc' AND owner_id = ${claim.entityId})
      OR (owner_kind = 'vapp' AND owner_id IN (${vapps}))
      OR (owner_kind = 'vm' AND owner_id IN (SELECT id FROM vms WHERE vapp_id IN (${vapps})))
    )
  `.execute(tx);
  const idsOf = (isRemoval: boolean): readonly TaskId[] =>
    rows.filter((task) => task.isRemoval === isRemoval).map((task) => task.id);
  await endTasks(tx, claim, idsOf(true));
  await endTasks(tx, claim, idsOf(false), otherwise);
}

async function setDesired(tx: Transaction<Tables>, { entityId }: Claim, state: 'present' | 'absent'): Promise<void> {
  await sql`UPDATE vdcs SET desired_state = ${state}, updated_at = now() WHERE id = ${entityId}`.execute(tx);
}

function unlessMoreWished(
  db: Kysely<Tables>,
  claim: Claim,
  work: (tx: Transaction<Tables>) => Promise<void>,
): Promise<boolean> {
  return underRowAndClaim(db, claim, async (tx) => {
    const { rows } = await sql`
      SELECT FROM reconciliations WHERE kind = ${claim.kind} AND entity_id = ${claim.entityId} AND wish = ${claim.requestNumber}
    `.execute(tx);
    if (rows.length > 0) await work(tx);
    return rows.length > 0;
  });
}

function underRowAndClaim<T>(
  db: Kysely<Tables>,
  claim: Claim,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`SELECT FROM vdcs WHERE id = ${claim.entityId} FOR NO KEY UPDATE`.execute(tx);
    return underClaim(tx, claim, work);
  });
}
