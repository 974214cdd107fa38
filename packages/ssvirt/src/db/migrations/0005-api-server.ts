/** What the API server needs beyond the tenants' rows: the provider's organisation, API tokens, throttled log-ins, and who works on what. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row: the labels of what is made in the clusters say which installation has made it.
    CREATE TABLE installation (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      created_at timestamptz NOT NULL DEFAULT now()
    );
    INSERT INTO installation DEFAULT VALUES;

    -- Of the provider; it is there from the start, and stays. The id is the one that VCD's own has everywhere.
    INSERT INTO organizations (id, name, display_name, description, can_manage_orgs, can_publish)
    VALUES ('a93c9db9-7471-3192-8d09-a8f7eeda85f9', 'System', 'System', 'The provider', true, true);

    -- Lives longer than a session: whoever has one gets access tokens for it. The hash is null until it is handed out.
    CREATE TABLE api_tokens (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      organization_id uuid NOT NULL REFERENCES organizations,
      name text NOT NULL CHECK (name <> ''),
      token_hash bytea UNIQUE,
      created_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz
    );
    CREATE INDEX api_tokens_user ON api_tokens (user_id);
    CREATE INDEX api_tokens_organization ON api_tokens (organization_id, created_at);
    CREATE UNIQUE INDEX api_tokens_live_name ON api_tokens (user_id, lower(name)) WHERE revoked_at IS NULL;

    -- The end that no use moves, and the token that the session came from, with which it ends.
    ALTER TABLE sessions ADD COLUMN lasts_until timestamptz NOT NULL DEFAULT 'infinity';
    ALTER TABLE sessions ADD COLUMN api_token_id uuid REFERENCES api_tokens ON DELETE CASCADE;
    CREATE INDEX sessions_api_token ON sessions (api_token_id) WHERE api_token_id IS NOT NULL;

    -- Failed log-ins, by a digest of who was named and by where they came from: known to all replicas.
    CREATE TABLE login_failures (
      key bytea PRIMARY KEY,
      failures integer NOT NULL CHECK (failures > 0),
      last_failed_at timestamptz NOT NULL DEFAULT now(),
      blocked_until timestamptz
    );
    CREATE INDEX login_failures_age ON login_failures (last_failed_at);

    -- Templates and images of the clusters are shown among its items.
    ALTER TABLE catalogs ADD COLUMN includes_templates boolean NOT NULL DEFAULT true;

    -- What a vCPU counts: limits in MHz become limits in vCPUs by it.
    ALTER TABLE vdcs ADD COLUMN vcpu_mhz integer NOT NULL DEFAULT 1000 CHECK (vcpu_mhz > 0);

    /*
     * Work on entities whose desired state is to be brought to a cluster. An entity is claimed in a short transaction: owner, attempt and the end of the
     * lease by this database's clock. What its owner writes later says "where attempt = mine", so a claim that was lost writes nothing.
     */
    CREATE TABLE reconciliations (
      kind text NOT NULL,
      entity_id uuid NOT NULL,
      -- A cluster that hangs holds up its own entities only.
      cluster text NOT NULL,
      due_at timestamptz NOT NULL DEFAULT now(),
      -- Raised with every wish; work that began before the last one is not the last.
      wish bigint NOT NULL DEFAULT 1,
      owner text,
      attempt bigint NOT NULL DEFAULT 0,
      lease_until timestamptz,
      failures integer NOT NULL DEFAULT 0,
      -- What it waits for, or why the last attempt failed, for people.
      message text NOT NULL DEFAULT '',
      updated_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (kind, entity_id),
      CHECK ((owner IS NULL) = (lease_until IS NULL))
    );
    CREATE INDEX reconciliations_due ON reconciliations (cluster, due_at);

    -- What has been made of a virtual data center: written by who holds its claim, and by nobody else.
    CREATE TABLE vdc_applied (
      vdc_id uuid PRIMARY KEY REFERENCES vdcs ON DELETE CASCADE,
      namespace_uid uuid,
      -- By kind: the uid, the resourceVersion after our last apply, and a digest of what we applied.
      objects jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(objects) = 'object'),
      -- Everything was there as asked for, at least once.
      ready boolean NOT NULL DEFAULT false,
      fault text,
      attempt bigint NOT NULL DEFAULT 0,
      updated_at timestamptz NOT NULL DEFAULT now()
    );
  `.execute(db);
}
