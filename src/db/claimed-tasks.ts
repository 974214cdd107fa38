/** Tasks on an entity, moved on by who holds the claim on it. */
import { sql, type Kysely } from 'kysely';

import { underClaim, type Claim } from './reconciliations.ts';
import type { JsonObject, Tables, TaskId, TaskStatus } from './schema.ts';

export interface OpenTask {
  readonly id: TaskId;
  readonly operation: string;
  readonly status: TaskStatus;
  readonly step: string;
}

/** An open task with all that is known of what is asked for. */
export interface DetailedTask extends OpenTask {
  readonly details: JsonObject;
  readonly error: JsonObject | null;
  readonly ageMs: number;
}

export interface TaskFailure {
  /** One of the codes of the API. */
  readonly minorErrorCode: string;
  readonly message: string;
}

/** Those of the entity, in the order in which they were asked for. */
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

/** They run, and this is what is done for them just now. Throws LostClaim. */
export async function reportTasks(
  db: Kysely<Tables>,
  claim: Claim,
  ids: readonly TaskId[],
  { step, progress }: { readonly step: string; readonly progress: number },
): Promise<void> {
  if (ids.length === 0) return;
  await underClaim(db, claim, (tx) =>
    sql`
      UPDATE tasks SET status = 'running', step = ${step}, progress = ${progress}, started_at = coalesce(started_at, now()), updated_at = now()
      WHERE id = ANY (${ids}::uuid[]) AND ended_at IS NULL
    `.execute(tx),
  );
}

/** What is to be known of it should this attempt be its last. Throws LostClaim. */
export async function noteInTask(db: Kysely<Tables>, claim: Claim, id: TaskId, details: JsonObject): Promise<void> {
  await underClaim(db, claim, (tx) =>
    sql`
      UPDATE tasks SET details = details || ${JSON.stringify(details)}::jsonb, updated_at = now()
      WHERE id = ${id} AND ended_at IS NULL
    `.execute(tx),
  );
}

/** They have ended, well where there is no failure. A reason that was put down before stays; so does one that somebody has cancelled. Throws LostClaim. */
export async function endTasks(
  db: Kysely<Tables>,
  claim: Claim,
  ids: readonly TaskId[],
  failure?: TaskFailure,
): Promise<void> {
  if (ids.length === 0) return;
  const error = failure === undefined ? null : JSON.stringify(failure);
  await underClaim(db, claim, (tx) =>
    sql`
      UPDATE tasks SET status = ${failure === undefined ? 'success' : 'error'}, error = CASE WHEN ${failure === undefined} THEN NULL ELSE coalesce(error, ${error}::jsonb) END, ended_at = now(), updated_at = now(),
        started_at = coalesce(started_at, now()), progress = CASE WHEN ${failure === undefined} THEN 100 ELSE progress END
      WHERE id = ANY (${ids}::uuid[]) AND ended_at IS NULL
    `.execute(tx),
  );
}
