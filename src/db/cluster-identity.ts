/** Which cluster stands behind a name, as it was recorded at first contact, and which one a person has accepted since. */
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

export interface RecordedIdentity {
  /** Null where nobody has been there yet. */
  readonly identity: string | null;
  readonly accepted_identity: string | null;
}

/** Undefined where nothing is known of it. */
export function recordedIdentity(db: Kysely<Tables>, name: string): Promise<RecordedIdentity | undefined> {
  return db
    .selectFrom('clusters')
    .select(['identity', 'accepted_identity'])
    .where('name', '=', name)
    .executeTakeFirst();
}
