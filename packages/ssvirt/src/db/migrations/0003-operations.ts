/** What happens: tasks, the change log that wakes readers, the audit, failures to synchronise, and who leads. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE tasks (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid REFERENCES users,
      -- Such as 'vm' and the id of one; no foreign key, since a task outlives what it removed.
      owner_kind text NOT NULL,
      owner_id uuid NOT NULL,
      operation text NOT NULL,
      status text NOT NULL DEFAULT 'queued'
        CHECK (status IN ('queued', 'preRunning', 'running', 'success', 'error', 'canceled', 'aborted')),
      progress integer NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
      step text NOT NULL DEFAULT '',
      error jsonb,
      details jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      started_at timestamptz,
      ended_at timestamptz,
      CHECK ((ended_at IS NOT NULL) = (status IN ('success', 'error', 'canceled', 'aborted')))
    );
    CREATE INDEX tasks_owner ON tasks (owner_id, created_at DESC);
    CREATE INDEX tasks_organization ON tasks (organization_id, created_at DESC);
    CREATE INDEX tasks_user ON tasks (user_id);
    CREATE INDEX tasks_open ON tasks (created_at) WHERE ended_at IS NULL;
    CREATE INDEX tasks_ended ON tasks (ended_at) WHERE ended_at IS NOT NULL;

    CREATE TABLE audit_events (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      at timestamptz NOT NULL DEFAULT now(),
      organization_id uuid,
      user_id uuid,
      user_name text NOT NULL DEFAULT '',
      action text NOT NULL,
      entity_kind text NOT NULL DEFAULT '',
      entity_id uuid,
      entity_name text NOT NULL DEFAULT '',
      outcome text NOT NULL CHECK (outcome IN ('success', 'refused', 'failed')),
      request_id text NOT NULL DEFAULT '',
      client_address text NOT NULL DEFAULT '',
      details jsonb NOT NULL DEFAULT '{}'
    );
    CREATE INDEX audit_events_organization ON audit_events (organization_id, at DESC);
    CREATE INDEX audit_events_at ON audit_events (at);

    -- A VirtualMachine whose state could not be written for a long time. It stays, resolved, when that is over.
    CREATE TABLE sync_failures (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      cluster text NOT NULL,
      namespace text NOT NULL,
      vm_name text NOT NULL,
      vm_id uuid,
      error_type text NOT NULL,
      message text NOT NULL,
      attempts integer NOT NULL CHECK (attempts > 0),
      first_failed_at timestamptz NOT NULL DEFAULT now(),
      last_failed_at timestamptz NOT NULL DEFAULT now(),
      resolved_at timestamptz
    );
    CREATE UNIQUE INDEX sync_failures_open ON sync_failures (cluster, namespace, vm_name) WHERE resolved_at IS NULL;
    CREATE INDEX sync_failures_resolved ON sync_failures (resolved_at) WHERE resolved_at IS NOT NULL;

    -- Who may write what only a leader may: a batch takes this row FOR SHARE at its own epoch, and writes nothing at another.
    CREATE TABLE leaders (
      name text PRIMARY KEY,
      epoch bigint NOT NULL,
      -- The epoch of the Lease that was won; a smaller one is of an older leader.
      lease_epoch bigint NOT NULL,
      -- Raised where the outcome of a statement is unknown: if it comes late it is of an older round, and writes nothing.
      round bigint NOT NULL DEFAULT 0,
      holder text NOT NULL,
      won_at timestamptz NOT NULL DEFAULT now()
    );

    -- Apart from leaders: a heartbeat must not wait for a batch, nor a batch for it.
    CREATE TABLE heartbeats (
      name text PRIMARY KEY,
      epoch bigint NOT NULL,
      holder text NOT NULL,
      at timestamptz NOT NULL DEFAULT now(),
      details jsonb NOT NULL DEFAULT '{}'
    );

    /*
     * Readers resume by (transaction, sequence) and read below the horizon of running transactions only, so that no commit is skipped. NOTIFY carries
     * nothing: it wakes them.
     */
    CREATE TABLE change_log (
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
      sequence bigint GENERATED ALWAYS AS IDENTITY,
      at timestamptz NOT NULL DEFAULT now(),
      kind text NOT NULL,
      operation text NOT NULL CHECK (operation IN ('created', 'updated', 'observed', 'deleted')),
      entity_id uuid NOT NULL,
      organization_id uuid,
      vdc_id uuid,
      vapp_id uuid,
      data jsonb NOT NULL DEFAULT '{}',
      PRIMARY KEY (transaction, sequence)
    );
    CREATE INDEX change_log_at ON change_log (at);
  `.execute(db);
}
