/**
 * Failed logins, counted under digests of the login name and of the client address: all replicas share the counts, and
 * the time is PostgreSQL's. Each failure beyond a threshold doubles the wait of its key, up to a limit. After some time
 * without a failure the count starts over.
 */
import { sql, type Kysely } from 'kysely';

import type { Tables } from '../schema/schema.ts';

export interface FailureKey {
  readonly key: Buffer;
  /** The number of failures without a wait. */
  readonly threshold: number;
  readonly maxWaitMs: number;
}

const firstWaitMs = 1_000;
const forgottenAfterMs = 15 * 60_000;
/** 2^20 seconds is above any limit; a larger exponent would only overflow. */
const maxDoublings = 20;

/** How long the caller must wait for these keys, in milliseconds; 0 means not at all. */
export async function waitOf(db: Kysely<Tables>, keys: readonly Pick<FailureKey, 'key'>[]): Promise<number> {
  const { wait } = await db
    .selectFrom('login_failures')
    .select(sql<number>`coalesce(ceil(extract(epoch FROM max(blocked_until) - now()) * 1000), 0)::integer`.as('wait'))
    .where(
      'key',
      'in',
      keys.map(({ key }) => key),
    )
    .where('blocked_until', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return wait;
}

/** One separate statement per key: two attempts that share keys cannot deadlock. */
export async function addFailures(db: Kysely<Tables>, keys: readonly FailureKey[]): Promise<void> {
  for (const key of keys) await addFailure(db, key);
}

async function addFailure(db: Kysely<Tables>, { key, threshold, maxWaitMs }: FailureKey): Promise<void> {
  const until = (failures: ReturnType<typeof sql>) => sql`
    CASE WHEN ${failures} >= ${threshold}::integer THEN now() + interval '1 millisecond' * least(
      ${maxWaitMs}::float8, ${firstWaitMs}::float8 * power(2, least(${failures} - ${threshold}::integer, ${maxDoublings}::integer))
    ) END`;
  const failures = sql`(CASE
    WHEN f.last_failed_at < now() - ${forgottenAfterMs}::float8 * interval '1 millisecond' THEN 1 ELSE f.failures + 1
  END)`;
  await sql`
    INSERT INTO login_failures AS f (key, failures, blocked_until) VALUES (${key}, 1, ${until(sql`1`)})
    ON CONFLICT (key) DO UPDATE SET failures = ${failures}, last_failed_at = now(), blocked_until = ${until(failures)}
  `.execute(db);
}

export async function clearFailures(db: Kysely<Tables>, keys: readonly Pick<FailureKey, 'key'>[]): Promise<void> {
  await db
    .deleteFrom('login_failures')
    .where(
      'key',
      'in',
      keys.map(({ key }) => key),
    )
    .execute();
}

/** `dropOldFailures` deletes failures that no longer count. */
export async function dropOldFailures(db: Kysely<Tables>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_failures')
    .where('last_failed_at', '<', sql<Date>`now() - ${2 * forgottenAfterMs}::float8 * interval '1 millisecond'`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
