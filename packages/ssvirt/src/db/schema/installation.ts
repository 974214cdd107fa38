/** The id of this installation. The first migration creates it. */
import type { Kysely } from 'kysely';

import type { Tables } from './schema.ts';

export async function installationId(db: Kysely<Tables>): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}
