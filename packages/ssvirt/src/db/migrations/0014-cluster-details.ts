/** What each cluster consists of, as the vm-controller read it last. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE cluster_details (
      cluster text PRIMARY KEY,
      details jsonb NOT NULL,
      read_at timestamptz NOT NULL
    );
  `.execute(db);
}
