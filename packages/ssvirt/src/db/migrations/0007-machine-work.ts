/** What the work on vApps and machines leaves behind in the clusters, how a vApp is made, and tickets for consoles. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- How it is made, where a template makes it. Values of parameters are taken out as soon as the cluster has them.
    ALTER TABLE vapps ADD COLUMN spec jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(spec) = 'object');

    -- What has been made of a machine: written by who holds its claim, and by nobody else.
    CREATE TABLE vm_applied (
      vm_id uuid PRIMARY KEY REFERENCES vms ON DELETE CASCADE,
      -- Of the VirtualMachine that was made for the row; null before. One that is gone is not made again.
      uid uuid,
      -- After our last write.
      generation bigint NOT NULL DEFAULT 0,
      fault text,
      attempt bigint NOT NULL DEFAULT 0,
      updated_at timestamptz NOT NULL DEFAULT now()
    );

    -- The same of a vApp: the TemplateInstance that makes its machines, where one does.
    CREATE TABLE vapp_applied (
      vapp_id uuid PRIMARY KEY REFERENCES vapps ON DELETE CASCADE,
      uid uuid,
      fault text,
      attempt bigint NOT NULL DEFAULT 0,
      updated_at timestamptz NOT NULL DEFAULT now()
    );

    -- Each kind of work is claimed by itself.
    DROP INDEX reconciliations_due;
    CREATE INDEX reconciliations_due ON reconciliations (cluster, kind, due_at);

    -- Let somebody into the console of one machine, once and soon. Only a digest is kept.
    CREATE TABLE console_tickets (
      hash bytea PRIMARY KEY,
      vm_id uuid NOT NULL REFERENCES vms ON DELETE CASCADE,
      session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('serial', 'vnc')),
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      used_at timestamptz
    );
    CREATE INDEX console_tickets_age ON console_tickets (expires_at);
    CREATE INDEX console_tickets_vm ON console_tickets (vm_id);
    CREATE INDEX console_tickets_session ON console_tickets (session_id);
  `.execute(db);
}
