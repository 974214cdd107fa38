import type { Kysely, Transaction } from 'kysely';

import type { Tables } from '../schema/schema.ts';

/** `inTransaction` runs `work` in the caller's transaction if there is one, otherwise in a new one. */
export function inTransaction<T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Transaction<Tables>) : db.transaction().execute(work);
}
