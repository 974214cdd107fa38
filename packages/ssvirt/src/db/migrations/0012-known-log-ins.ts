/** From where users have logged in: failures of strangers elsewhere do not delay them there. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The key is a digest of the name and the network of the address, as in login_failures.
    CREATE TABLE known_log_ins (
      key bytea PRIMARY KEY,
      last_used_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX known_log_ins_age ON known_log_ins (last_used_at);
  `.execute(db);
}
