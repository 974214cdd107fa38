/**
 * The contents of the database before a measurement: one organization with large tables of everything, and others with
 * little.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { hashPassword, recommendedCost } from '../../packages/ssvirt/src/api/auth/passwords/argon2id.ts';
import { systemOrganization } from '../../packages/ssvirt/src/api/caller.ts';
import { hashOfToken } from '../../packages/ssvirt/src/api/http/authenticate.ts';
import { roleIds } from '../../packages/ssvirt/src/db/tenants/roles.ts';

export const organization = 'bench';
export const organizationId = '00000000-0000-4000-8001-000000000001';
/** A catalog whose items are rows. */
export const bigCatalog = '00000000-0000-4000-8002-000000000001';
/** A catalog that shows the offers of the cluster. */
export const discoveringCatalog = '00000000-0000-4000-8002-000000000002';
/** The VDC with all VMs. */
export const bigVdc = id(3, 1);
export const password = 'a password of the bench only';

/** The size of small tables. */
export const few = 1000;

/** The numbers of different values by which lists of VMs are filtered. */
export const guestSystems = 20;
export const sizes = 16;
export const owners = 10;

export function id(kind: number, number: number): string {
  return `00000000-0000-4000-900${kind}-${number.toString(16).padStart(12, '0')}`;
}

export const userId = (number: number): string => id(1, number);
export const itemId = (number: number): string => id(2, number);
export const vdcId = (number: number): string => id(3, number);
export const vappId = (number: number): string => id(4, number);
export const vmId = (number: number): string => id(5, number);
export const userName = (number: number): string => `user-${String(number).padStart(6, '0')}`;

/** Users 1 to 99 are reserved for log-ins. */
export const loginUsers = 99;

const definition = {
  image: 'containerdisks/fedora:42',
  cpus: 2,
  memoryMb: 4096,
  diskSizeGb: 20,
  guestOs: 'Fedora 42',
  parameters: [{ name: 'HOSTNAME', description: 'The name that the machine has for itself', required: true }],
};

/** The uuid of a row: the prefix of its kind, and its number. */
function idOfRow(kind: number, number = 'n'): string {
  return `('00000000-0000-4000-900${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

export async function fillRows(pool: pg.Pool, rows: number): Promise<void> {
  const hash = await hashPassword(password, recommendedCost);
  const steps: readonly (readonly [text: string, values: readonly unknown[]])[] = [
    [
      `INSERT INTO organizations (id, name, display_name) SELECT $1::uuid, $2, 'Bench'
       UNION ALL SELECT ${idOfRow(0)}, 'org-' || n, 'Organization ' || n FROM generate_series(1, $3::int) n`,
      [organizationId, organization, few],
    ],
    [
      `INSERT INTO users (id, organization_id, username, full_name, email, enabled, password_hash, created_at)
       SELECT ${idOfRow(1)}, $1, 'user-' || lpad(n::text, 6, '0'), 'Bench User ' || md5(n::text), 'user' || n || '@bench.example',
         n % 1000 <> 0, CASE WHEN n <= $3 THEN $4 END, now() - n * interval '1 minute'
       FROM generate_series(1, $2::int) n`,
      [organizationId, rows, loginUsers, hash],
    ],
    [
      `INSERT INTO user_roles (user_id, role_id) SELECT ${idOfRow(1)}, $2::uuid FROM generate_series(1, $1::int) n`,
      [rows, roleIds.vappUser],
    ],
    [
      `INSERT INTO vdcs (id, organization_id, name, namespace, cpu_limit_mhz, memory_limit_mb)
       SELECT ${idOfRow(3)}, $1, 'vdc-' || n, 'vdc-bench-' || n, 16000, 32768 FROM generate_series(1, $2::int) n`,
      [organizationId, few],
    ],
    [`INSERT INTO vdc_applied (vdc_id, ready) SELECT ${idOfRow(3)}, true FROM generate_series(1, $1::int) n`, [few]],
    [
      `INSERT INTO catalogs (id, organization_id, name, includes_templates)
       SELECT $1::uuid, $3::uuid, 'big', false UNION ALL SELECT $2::uuid, $3::uuid, 'discovering', true
       UNION ALL SELECT ${idOfRow(6)}, $3::uuid, 'catalog-' || n, false FROM generate_series(1, $4::int) n`,
      [bigCatalog, discoveringCatalog, organizationId, few],
    ],
    [
      `INSERT INTO catalog_items (id, catalog_id, name, description, definition, created_at)
       SELECT ${idOfRow(2)}, $1, 'item-' || md5(n::text), 'Item ' || n, $3::jsonb, now() - n * interval '1 minute'
       FROM generate_series(1, $2::int) n`,
      [bigCatalog, rows, JSON.stringify(definition)],
    ],
    [
      `INSERT INTO tasks (organization_id, user_id, owner_kind, owner_id, operation, status, progress, created_at, started_at, ended_at)
       SELECT $1, ${idOfRow(1)}, 'vdc', ${idOfRow(3, '(1 + n % $3::int)')}, 'vdcUpdate', CASE WHEN n % 1000 = 0 THEN 'error' ELSE 'success' END,
         100, at, at, at
       FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - n * interval '1 minute' AS at) times`,
      [organizationId, rows, few],
    ],
    [
      `INSERT INTO audit_events (at, organization_id, user_id, user_name, action, entity_kind, entity_id, entity_name, outcome)
       SELECT now() - n * interval '1 minute', $1, ${idOfRow(1)}, 'user-' || n, 'users.update', 'user', ${idOfRow(1)}, 'user-' || n, 'success'
       FROM generate_series(1, $2::int) n`,
      [organizationId, rows],
    ],
    [
      `INSERT INTO vapps (id, vdc_id, name) SELECT ${idOfRow(4)}, $1, 'vapp-' || n FROM generate_series(1, $2::int) n`,
      [bigVdc, rows],
    ],
    [
      `INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name, cpu_count, memory_mb, owner_id, created_at)
       SELECT ${idOfRow(5)}, ${idOfRow(4)}, 'vm-' || n, 'local', 'vdc-bench-1', 'vm-' || n, 1 + n % $2::int, 1024 * (1 + n % $2::int),
         ${idOfRow(1, '(1 + n % $3::int)')}, now() - n * interval '1 minute'
       FROM generate_series(1, $1::int) n`,
      [rows, sizes, owners],
    ],
    [
      `INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, guest_os, ip_addresses, epoch, sequence)
       SELECT ${idOfRow(5)}, 'local', 'vdc-bench-1', 'vm-' || n, gen_random_uuid(), CASE WHEN n % 1000 = 0 THEN 'FAILED' ELSE 'POWERED_ON' END,
         'Guest ' || n % $2::int, ARRAY[host('10.0.0.0'::inet + n)], 0, 0
       FROM generate_series(1, $1::int) n`,
      [rows, guestSystems],
    ],
    [
      `INSERT INTO api_tokens (user_id, organization_id, name, token_hash)
       SELECT ${idOfRow(1)}, $1, 'token-' || n, sha256(n::text::bytea) FROM generate_series(1, $2::int) n`,
      [organizationId, Math.min(few, rows)],
    ],
    [
      `INSERT INTO sync_failures (cluster, namespace, vm_name, error_type, message, attempts, resolved_at)
       SELECT 'local', 'vdc-bench-1', 'vm-' || n, 'Timeout', 'the database did not answer', 11, now() FROM generate_series(1, $1::int) n`,
      [few],
    ],
  ];
  for (const [text, values] of steps) await pool.query(text, [...values]);
}

export interface Sessions {
  /** The session token of an Organization Administrator of the bench's organization. */
  readonly tenant: string;
  readonly system: string;
}

export async function makeSessions(pool: pg.Pool): Promise<Sessions> {
  return {
    tenant: await session(pool, organizationId, roleIds.organizationAdministrator),
    system: await session(pool, systemOrganization, roleIds.systemAdministrator),
  };
}

async function session(pool: pg.Pool, home: string, role: string): Promise<string> {
  const token = `bench.${randomBytes(32).toString('base64url')}`;
  await pool.query(
    `WITH made AS (INSERT INTO users (organization_id, username) VALUES ($1, 'the-bench') RETURNING id),
       granted AS (INSERT INTO user_roles (user_id, role_id) SELECT id, $2::uuid FROM made)
     INSERT INTO sessions (user_id, organization_id, token_hash, expires_at) SELECT id, $1, $3, now() + interval '1 day' FROM made`,
    [home, role, hashOfToken(token)],
  );
  return token;
}
