/**
 * The identity of the cluster behind a name: recorded at first contact, and possibly replaced by one that a person
 * accepted since.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema/schema.ts';

export interface RecordedIdentity {
  /** Null before the first contact. */
  readonly identity: string | null;
  readonly accepted_identity: string | null;
}

/** Undefined when the cluster has no row. */
export function recordedIdentity(db: Kysely<Tables>, name: string): Promise<RecordedIdentity | undefined> {
  return db
    .selectFrom('clusters')
    .select(['identity', 'accepted_identity'])
    .where('name', '=', name)
    .executeTakeFirst();
}
