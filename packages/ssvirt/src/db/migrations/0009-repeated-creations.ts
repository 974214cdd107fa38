/** What was sent to a cluster for the Secrets of a vApp or a machine, and was not heard of again. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An attempt to make it went no further, and another one went on: what the first had sent may come when nobody waits for it any more.
    CREATE TABLE repeated_creations (
      vapp_id uuid UNIQUE REFERENCES vapps ON DELETE CASCADE,
      vm_id uuid UNIQUE REFERENCES vms ON DELETE CASCADE,
      noted_at timestamptz NOT NULL DEFAULT now(),
      CHECK (num_nonnulls(vapp_id, vm_id) = 1)
    );
  `.execute(db);
}
