/** Log-ins that succeeded, by digests of the name and the network: all replicas know them. */
import { sql, type Kysely } from 'kysely';

import type { Tables } from '../schema/schema.ts';

/** After this time without a log-in, a network is as unknown as before the first. */
const rememberedForMs = 90 * 24 * 3_600_000;

const isRemembered = sql<boolean>`last_used_at > now() - ${rememberedForMs}::float8 * interval '1 millisecond'`;

export async function rememberLogIn(db: Kysely<Tables>, key: Buffer): Promise<void> {
  await sql`
    INSERT INTO known_log_ins (key) VALUES (${key}) ON CONFLICT (key) DO UPDATE SET last_used_at = now()
  `.execute(db);
}

export async function isKnownLogIn(db: Kysely<Tables>, key: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('known_log_ins')
    .select('last_used_at')
    .where('key', '=', key)
    .where(isRemembered)
    .executeTakeFirst();
  return row !== undefined;
}

export async function dropOldKnownLogIns(db: Kysely<Tables>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('known_log_ins')
    .where(sql<boolean>`NOT ${isRemembered}`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
