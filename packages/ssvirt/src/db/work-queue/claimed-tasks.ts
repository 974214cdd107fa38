/** Tasks on an entity, moved on by the worker that holds the claim on the entity. */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import { heldClaim, LostClaim, type Claim } from './reconciliations.ts';
import type { JsonObject, Tables, TaskId, TaskStatus } from '../schema/schema.ts';

export interface OpenTask {
  readonly id: TaskId;
  readonly operation: string;
  readonly status: TaskStatus;
  readonly step: string;
}

/** `DetailedTask` is an open task with all that is known about the request. */
export interface DetailedTask extends OpenTask {
  readonly details: JsonObject;
  readonly error: JsonObject | null;
  readonly ageMs: number;
}

export interface TaskFailure {
  /** An error code of the API. */
  readonly minorErrorCode: string;
  readonly message: string;
}

/** `openTasks` returns the open tasks of the entity, oldest first. */
export async function openTasks(
  db: Kysely<Tables>,
  { kind, entityId }: Pick<Claim, 'kind' | 'entityId'>,
): Promise<readonly DetailedTask[]> {
  const { rows } = await sql<DetailedTask>`
    SELECT id, operation, status, step, details, error, (extract(epoch FROM now() - created_at) * 1000)::float8 AS "ageMs" FROM tasks
    WHERE owner_kind = ${kind} AND owner_id = ${entityId} AND ended_at IS NULL
    ORDER BY created_at, id
  `.execute(db);
  return rows;
}

/** `reportTasks` marks the tasks as running and records the present step. Throws LostClaim. */
export async function reportTasks(
  db: Kysely<Tables>,
  claim: Claim,
  ids: readonly TaskId[],
  { step, progress }: { readonly step: string; readonly progress: number },
): Promise<void> {
  if (ids.length === 0) return;
  await update(
    db,
    claim,
    ids,
    sql`status = 'running', step = ${step}, progress = ${progress}, started_at = coalesce(started_at, now())`,
  );
}

/** Records details that must be known if this attempt is the last one. Throws LostClaim. */
export async function noteInTask(db: Kysely<Tables>, claim: Claim, id: TaskId, details: JsonObject): Promise<void> {
  await update(db, claim, [id], sql`details = details || ${JSON.stringify(details)}::jsonb`);
}

/**
 * Ends the tasks: with success when there is no failure. An error that was recorded earlier stays, and so does a
 * canceled task. Throws LostClaim.
 */
export async function endTasks(
  db: Kysely<Tables>,
  claim: Claim,
  ids: readonly TaskId[],
  failure?: TaskFailure,
): Promise<void> {
  if (ids.length === 0) return;
  const end = sql`ended_at = now(), started_at = coalesce(started_at, now())`;
  await update(
    db,
    claim,
    ids,
    failure === undefined
      ? sql`${end}, status = 'success', error = NULL, progress = 100`
      : sql`${end}, status = 'error', error = coalesce(error, ${JSON.stringify(failure)}::jsonb)`,
  );
}

/**
 * Changes only open tasks. It is one statement, because this runs many times for each request: the claim is locked
 * before any task is written, and when the claim is lost no task is written. Throws LostClaim.
 */
async function update(
  db: Kysely<Tables>,
  claim: Claim,
  ids: readonly TaskId[],
  changes: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ readonly held: boolean }>`
    WITH held AS (${heldClaim(claim)}), written AS (
      UPDATE tasks SET ${changes}, updated_at = now() WHERE id = ANY (${ids}::uuid[]) AND ended_at IS NULL AND EXISTS (SELECT FROM held)
    )
    SELECT EXISTS (SELECT FROM held) AS held
  `.execute(db);
  if (rows[0]?.held !== true) throw new LostClaim(claim);
}
