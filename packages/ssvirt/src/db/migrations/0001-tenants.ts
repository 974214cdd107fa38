/** Who there is, and what they may use: organisations, users, roles, sessions, virtual data centers, catalogs. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE organizations (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      name text NOT NULL CHECK (name <> ''),
      display_name text NOT NULL DEFAULT '',
      description text NOT NULL DEFAULT '',
      enabled boolean NOT NULL DEFAULT true,
      can_manage_orgs boolean NOT NULL DEFAULT false,
      can_publish boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    );
    -- A deleted name can be used again: natural keys are unique among live rows only, here and below.
    CREATE UNIQUE INDEX organizations_live_name ON organizations (lower(name)) WHERE deleted_at IS NULL;

    CREATE TABLE roles (
      id uuid PRIMARY KEY,
      name text NOT NULL UNIQUE,
      description text NOT NULL DEFAULT '',
      read_only boolean NOT NULL DEFAULT true
    );
    INSERT INTO roles (id, name, description) VALUES
      ('00000000-0000-4000-8000-000000000001', 'System Administrator', 'May do everything, in every organization'),
      ('00000000-0000-4000-8000-000000000002', 'Organization Administrator', 'May do everything in the own organization'),
      ('00000000-0000-4000-8000-000000000003', 'vApp Author', 'May make vApps, virtual machines and catalog items'),
      ('00000000-0000-4000-8000-000000000004', 'vApp User', 'May use the vApps and virtual machines that are there'),
      ('00000000-0000-4000-8000-000000000005', 'Read-only', 'May look, and change nothing');

    CREATE TABLE users (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      organization_id uuid NOT NULL REFERENCES organizations,
      username text NOT NULL CHECK (username <> ''),
      full_name text NOT NULL DEFAULT '',
      description text NOT NULL DEFAULT '',
      email text NOT NULL DEFAULT '',
      -- Never leaves the database but to be compared; null for a user who cannot log in by password.
      password_hash text,
      enabled boolean NOT NULL DEFAULT true,
      locked boolean NOT NULL DEFAULT false,
      provider_type text NOT NULL DEFAULT 'LOCAL',
      deployed_vm_quota integer NOT NULL DEFAULT 0 CHECK (deployed_vm_quota >= 0),
      stored_vm_quota integer NOT NULL DEFAULT 0 CHECK (stored_vm_quota >= 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    );
    CREATE UNIQUE INDEX users_live_name ON users (organization_id, lower(username)) WHERE deleted_at IS NULL;

    CREATE TABLE user_roles (
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      role_id uuid NOT NULL REFERENCES roles,
      PRIMARY KEY (user_id, role_id)
    );
    CREATE INDEX user_roles_role ON user_roles (role_id);

    CREATE TABLE sessions (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      organization_id uuid NOT NULL REFERENCES organizations,
      -- SHA-256 of the token: whoever reads the table cannot log in with it.
      token_hash bytea NOT NULL UNIQUE,
      client_address text NOT NULL DEFAULT '',
      user_agent text NOT NULL DEFAULT '',
      created_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      ended_at timestamptz
    );
    CREATE INDEX sessions_user ON sessions (user_id);
    CREATE INDEX sessions_expiry ON sessions (expires_at);

    CREATE TABLE vdcs (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      organization_id uuid NOT NULL REFERENCES organizations,
      name text NOT NULL CHECK (name <> ''),
      description text NOT NULL DEFAULT '',
      -- The member of the fleet, and the namespace there.
      cluster text NOT NULL DEFAULT 'local' CHECK (cluster <> ''),
      namespace text NOT NULL CHECK (namespace <> ''),
      allocation_model text NOT NULL DEFAULT 'PayAsYouGo'
        CHECK (allocation_model IN ('PayAsYouGo', 'AllocationPool', 'ReservationPool', 'Flex')),
      cpu_allocated_mhz bigint NOT NULL DEFAULT 0 CHECK (cpu_allocated_mhz >= 0),
      cpu_limit_mhz bigint NOT NULL DEFAULT 0 CHECK (cpu_limit_mhz >= 0),
      memory_allocated_mb bigint NOT NULL DEFAULT 0 CHECK (memory_allocated_mb >= 0),
      memory_limit_mb bigint NOT NULL DEFAULT 0 CHECK (memory_limit_mb >= 0),
      storage_limit_mb bigint NOT NULL DEFAULT 0 CHECK (storage_limit_mb >= 0),
      vm_quota integer NOT NULL DEFAULT 0 CHECK (vm_quota >= 0),
      nic_quota integer NOT NULL DEFAULT 100 CHECK (nic_quota >= 0),
      network_quota integer NOT NULL DEFAULT 50 CHECK (network_quota >= 0),
      thin_provision boolean NOT NULL DEFAULT false,
      enabled boolean NOT NULL DEFAULT true,
      desired_state text NOT NULL DEFAULT 'present' CHECK (desired_state IN ('present', 'absent')),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    );
    CREATE UNIQUE INDEX vdcs_live_name ON vdcs (organization_id, lower(name)) WHERE deleted_at IS NULL;
    CREATE UNIQUE INDEX vdcs_live_namespace ON vdcs (cluster, namespace) WHERE deleted_at IS NULL;

    CREATE TABLE catalogs (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      organization_id uuid NOT NULL REFERENCES organizations,
      owner_id uuid REFERENCES users,
      name text NOT NULL CHECK (name <> ''),
      description text NOT NULL DEFAULT '',
      published boolean NOT NULL DEFAULT false,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    );
    CREATE UNIQUE INDEX catalogs_live_name ON catalogs (organization_id, lower(name)) WHERE deleted_at IS NULL;

    CREATE TABLE catalog_items (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      catalog_id uuid NOT NULL REFERENCES catalogs,
      name text NOT NULL CHECK (name <> ''),
      description text NOT NULL DEFAULT '',
      -- What a machine is made of: an image or an instance type with preference, and parameters.
      definition jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(definition) = 'object'),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    );
    CREATE UNIQUE INDEX catalog_items_live_name ON catalog_items (catalog_id, lower(name)) WHERE deleted_at IS NULL;
  `.execute(db);
}
