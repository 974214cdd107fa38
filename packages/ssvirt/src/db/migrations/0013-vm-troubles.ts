/** Since when each VM has had its current trouble: how long it may last does not start again with every leader. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE vm_observed
      ADD COLUMN trouble text,
      ADD COLUMN trouble_since timestamptz;
  `.execute(db);
}
