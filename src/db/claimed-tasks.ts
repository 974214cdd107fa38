/** Tasks on an entity, moved on by who holds the claim on it. */
import { sql, type Kysely } from 'kysely';

import { underClaim, type Claim } from './reconciliations.ts';
import type { Tables, TaskId } from './schema.ts';

export interface TaskFailure {
  /** One of the codes of the API. */
  readonly minorErrorCode: string;
  readonly message: string;
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
