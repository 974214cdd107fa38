/**
 * The end of a virtual data center. The row is locked before the claim, since whoever asks for something writes the row first and the wish then: the other
 * way round both could wait for each other.
 */
import { sql, type Kysely, type Transaction } from 'kysely';

import { endTasks, type TaskFailure } from './claimed-tasks.ts';
import { endClaim, underClaim, type Claim } from './reconciliations.ts';
import type { Tables, TaskId } from './schema.ts';
import { inTransaction } from './transaction.ts';
import { recordFault } from './vdc-applied.ts';

/**
 * Undoes what was asked for and refused: from now on it is to be absent, and the fault is remembered for those who wait. False where something else was
 * asked for meanwhile: that may not be refused. Throws LostClaim.
 */
export function undoVdc(db: Kysely<Tables>, claim: Claim, why: TaskFailure): Promise<boolean> {
  return unlessMoreWished(db, claim, async (tx) => {
    await recordFault(tx, claim, why.message);
    await setDesired(tx, claim, 'absent');
    // They end when the row goes: who has seen the end of a task finds nothing left.
    await sql`
      UPDATE tasks SET error = ${JSON.stringify(why)}::jsonb, updated_at = now()
      WHERE owner_kind = 'vdc' AND owner_id = ${claim.entityId} AND operation <> 'vdcDelete' AND ended_at IS NULL
    `.execute(tx);
  });
}

/** Undoes a removal that must not be done: it is to be present again. False where something else was asked for meanwhile. Throws LostClaim. */
export function keepVdc(
  db: Kysely<Tables>,
  claim: Claim,
  tasks: readonly TaskId[],
  why: TaskFailure,
): Promise<boolean> {
  return unlessMoreWished(db, claim, async (tx) => {
    await setDesired(tx, claim, 'present');
    // The vApps that were to go with it: those that somebody deletes by themselves were changed at another time.
    await sql`
      UPDATE vapps SET desired_state = 'present', updated_at = now()
      WHERE vdc_id = ${claim.entityId} AND desired_state = 'absent' AND deleted_at IS NULL
        AND updated_at IN (SELECT created_at FROM tasks WHERE id = ANY (${tasks}::uuid[]))
    `.execute(tx);
    await endTasks(tx, claim, tasks, why);
  });
}

/**
 * Its namespace is gone: the row goes, and with it what was in it. Who asked for that has it now; whoever asked for anything else is told why not.
 * Throws LostClaim.
 */
export function removeVdc(db: Kysely<Tables>, claim: Claim, otherwise: TaskFailure): Promise<void> {
  return underRowAndClaim(db, claim, async (tx) => {
    const id = claim.entityId;
    const live = sql`deleted_at IS NULL`;
    const gone = sql`deleted_at = now(), updated_at = now()`;
    const vapps = sql`SELECT id FROM vapps WHERE vdc_id = ${id}`;
    // All that guests were to be told goes with them.
    await sql`UPDATE vapps SET spec = spec - 'parameters', ${gone} WHERE vdc_id = ${id} AND ${live}`.execute(tx);
    await sql`
      UPDATE vms SET spec = (spec - 'cloudInit' - 'sshKeys') #- '{source,parameters}', ${gone} WHERE vapp_id IN (${vapps}) AND ${live}
    `.execute(tx);
    await sql`UPDATE vdcs SET ${gone} WHERE id = ${id} AND ${live}`.execute(tx);
    // Whoever works on one of them just now has lost it.
    const within = sql`(kind = 'vapp' AND entity_id IN (${vapps})) OR (kind = 'vm' AND entity_id IN (SELECT id FROM vms WHERE vapp_id IN (${vapps})))`;
    await sql`DELETE FROM reconciliations WHERE ${within}`.execute(tx);
    await endOpenTasks(tx, claim, otherwise);
    await endClaim(tx, claim);
  });
}

/** All that are open, on it and on what was in it, since nobody will look at them again. */
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
      SELECT FROM reconciliations WHERE kind = ${claim.kind} AND entity_id = ${claim.entityId} AND wish = ${claim.wish}
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
