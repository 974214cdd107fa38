/**
 * What an installation may have in its tables, for every migration since the first. Each statement fills the table that
 * it names, with the columns that the table had when it was created, so it fits every later level. If a later migration
 * breaks that, the statement gets a second variant.
 */
import { hashPassword } from '../../../packages/ssvirt/src/api/auth/passwords/argon2id.ts';
import { roleIds } from '../../../packages/ssvirt/src/db/tenants/roles.ts';
import type pg from 'pg';

/** The number of rows in each large table: users, VMs, tasks, events. */
export const many = 10_000;
const organizations = 100;
const vdcs = 200;
const vapps = 2_000;

/** A user of the first organization who can log in. */
export const login = { name: 'user-1@org-1', password: 'a password of an older version' };

/** Each kind of row has its own ids, by the row's number. */
function id(kind: number, number = 'n'): string {
  return `('00000000-0000-4000-a00${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

const organization = (number: string): string => id(0, `(1 + (${number}) % ${organizations})`);
const vdc = (number: string): string => id(2, `(1 + (${number}) % ${vdcs})`);
const vapp = (number: string): string => id(4, `(1 + (${number}) % ${vapps})`);
const rows = (count: number): string => `FROM generate_series(1, ${count}) n`;
/** Recent: nothing is old enough to be removed. */
const at = `now() - n * interval '1 second'`;
/** The namespace of the VDC of the vApp of VM n. */
const placeOfVm = `'local', 'vdc-' || (1 + (1 + n % ${vapps}) % ${vdcs})`;

interface Filling {
  /** The migration that creates the table. */
  readonly since: string;
  readonly table: string;
  readonly statement: string;
}

const tenants: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'organizations',
    statement: `INSERT INTO organizations (id, name, display_name, enabled, deleted_at)
      SELECT ${id(0)}, 'org-' || n, 'Organisation ' || n, n % 10 <> 0, CASE WHEN n = ${organizations} THEN now() END ${rows(organizations)}`,
  },
  {
    table: 'users',
    statement: `INSERT INTO users (id, organization_id, username, full_name, email, enabled, created_at)
      SELECT ${id(1)}, ${organization('n - 1')}, 'user-' || n, 'Ünal ' || n, 'user' || n || '@example.org', n % 100 <> 2, ${at} ${rows(many)}`,
  },
  {
    table: 'user_roles',
    statement: `INSERT INTO user_roles (user_id, role_id) SELECT ${id(1)}, '${roleIds.vappUser}' ${rows(many)}`,
  },
  {
    table: 'sessions',
    statement: `INSERT INTO sessions (id, user_id, organization_id, token_hash, expires_at, ended_at)
      SELECT ${id(7)}, ${id(1)}, ${organization('n - 1')}, sha256(n::text::bytea), now() + interval '1 hour', CASE WHEN n % 2 = 0 THEN now() END ${rows(1000)}`,
  },
  {
    table: 'vdcs',
    statement: `INSERT INTO vdcs (id, organization_id, name, namespace, cpu_limit_mhz, memory_limit_mb, vm_quota)
      SELECT ${id(2)}, ${organization('n - 1')}, 'vdc-' || n, 'vdc-' || n, 16000, 32768, n ${rows(vdcs)}`,
  },
  {
    table: 'catalogs',
    statement: `INSERT INTO catalogs (id, organization_id, owner_id, name, published)
      SELECT ${id(3)}, ${organization('n - 1')}, ${id(1)}, 'catalog-' || n, n % 7 = 0 ${rows(organizations)}`,
  },
  {
    table: 'catalog_items',
    statement: `INSERT INTO catalog_items (catalog_id, name, definition)
      SELECT ${id(3, `(1 + n % ${organizations})`)}, 'item-' || n, jsonb_build_object('image', 'fedora:' || n) ${rows(1000)}`,
  },
];

const machines: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'clusters',
    statement: `INSERT INTO clusters (name, identity, state, epoch, synced_at, unreadable_namespaces)
      VALUES ('local', '${'1'.repeat(8)}', 'synced', 1, now(), '{vdc-3}'), ('east', NULL, 'stale', 1, NULL, '{}')`,
  },
  {
    table: 'vapps',
    statement: `INSERT INTO vapps (id, vdc_id, name, hidden, creation, desired_state, deleted_at)
      SELECT ${id(4)}, ${vdc('n')}, 'vapp-' || n, n % 5 = 0, (ARRAY['done', 'done', 'running', 'failed'])[1 + n % 4],
        CASE WHEN n % 90 = 0 THEN 'absent' ELSE 'present' END, CASE WHEN n % 90 = 0 THEN now() END ${rows(vapps)}`,
  },
  {
    table: 'vms',
    statement: `INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name, origin, desired_state, desired_power, cpu_count, memory_mb, spec, deleted_at)
      SELECT ${id(5)}, ${vapp('n')}, 'vm-' || n, ${placeOfVm}, 'vm-' || n,
        CASE WHEN n % 11 = 0 THEN 'discovered' ELSE 'requested' END,
        CASE WHEN n % 11 = 0 THEN 'none' WHEN n % 70 = 0 THEN 'absent' ELSE 'present' END,
        CASE WHEN n % 11 <> 0 THEN 'on' END, 1 + n % 8, 4096, jsonb_build_object('image', 'fedora:' || n), CASE WHEN n % 140 = 0 THEN now() END ${rows(many)}`,
  },
  {
    table: 'vm_observed',
    statement: `INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, ip_addresses, disks, epoch, sequence)
      SELECT ${id(5)}, ${placeOfVm}, 'vm-' || n, ${id(6)}, (ARRAY['POWERED_ON', 'POWERED_OFF', 'POWERING_ON', 'FAILED', 'SUSPENDED', 'DELETED'])[1 + n % 6],
        ARRAY['10.0.0.' || n % 250], '[{"name": "root"}]', 1, n ${rows(many)} WHERE n % 100 <> 0`,
  },
  {
    table: 'vapp_observed',
    statement: `INSERT INTO vapp_observed (vapp_id, cluster, namespace, name, uid, creation, epoch, sequence)
      SELECT ${id(4)}, 'local', 'vdc-1', 'vapp-' || n, ${id(6)}, 'running', 1, n ${rows(100)}`,
  },
];

const operations: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'tasks',
    statement: `INSERT INTO tasks (organization_id, user_id, owner_kind, owner_id, operation, status, progress, created_at, started_at, ended_at)
      SELECT ${organization('n - 1')}, ${id(1)}, 'vm', ${id(5)}, 'vmPowerOn', (ARRAY['success', 'success', 'error', 'canceled'])[1 + n % 4], 100, ${at}, ${at}, ${at} ${rows(many)}`,
  },
  {
    table: 'audit_events',
    statement: `INSERT INTO audit_events (at, organization_id, user_id, user_name, action, entity_kind, entity_id, entity_name, outcome)
      SELECT ${at}, ${organization('n - 1')}, ${id(1)}, 'user-' || n, 'vms.powerOn', 'vm', ${id(5)}, 'vm-' || n, 'success' ${rows(many)}`,
  },
  {
    table: 'sync_failures',
    statement: `INSERT INTO sync_failures (cluster, namespace, vm_name, vm_id, error_type, message, attempts, resolved_at)
      SELECT ${placeOfVm}, 'vm-' || n, ${id(5)}, 'database', 'cannot be written', n, CASE WHEN n % 2 = 0 THEN now() END ${rows(100)}`,
  },
  {
    table: 'leaders',
    statement: `INSERT INTO leaders (name, epoch, lease_epoch, holder) VALUES ('vm-controller', 1, 1, 'one')`,
  },
  { table: 'heartbeats', statement: `INSERT INTO heartbeats (name, epoch, holder) VALUES ('vm-controller', 1, 'one')` },
  {
    // Since level 0004, the rows above have also written entries of their own.
    table: 'change_log',
    statement: `INSERT INTO change_log (at, kind, operation, entity_id, organization_id, data)
      SELECT ${at}, 'vm', 'observed', ${id(5)}, ${organization('n - 1')}, '{"status": "POWERED_ON", "previous": "POWERED_OFF"}' ${rows(many)}`,
  },
];

const apiServer: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'api_tokens',
    statement: `INSERT INTO api_tokens (user_id, organization_id, name, token_hash, revoked_at)
      SELECT ${id(1)}, ${organization('n - 1')}, 'token-' || n, sha256(('t' || n)::bytea), CASE WHEN n % 3 = 0 THEN now() END ${rows(1000)}`,
  },
  {
    table: 'login_failures',
    statement: `INSERT INTO login_failures (key, failures) SELECT sha256(('f' || n)::bytea), n ${rows(100)}`,
  },
  {
    // Due only after the test.
    table: 'reconciliations',
    statement: `INSERT INTO reconciliations (kind, entity_id, cluster, due_at) SELECT 'vdc', ${id(2)}, 'local', now() + interval '1 day' ${rows(vdcs)}`,
  },
  { table: 'vdc_applied', statement: `INSERT INTO vdc_applied (vdc_id, ready) SELECT ${id(2)}, true ${rows(vdcs)}` },
];

const machineWork: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'vm_applied',
    statement: `INSERT INTO vm_applied (vm_id, uid, generation) SELECT ${id(5)}, ${id(6)}, 1 ${rows(many)} WHERE n % 11 <> 0`,
  },
  { table: 'vapp_applied', statement: `INSERT INTO vapp_applied (vapp_id) SELECT ${id(4)} ${rows(vapps)}` },
  {
    table: 'console_tickets',
    statement: `INSERT INTO console_tickets (hash, vm_id, session_id, kind, expires_at)
      SELECT sha256(('c' || n)::bytea), ${id(5)}, ${id(7)}, 'vnc', now() + interval '1 minute' ${rows(100)}`,
  },
];

const repeatedCreations: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'repeated_creations',
    statement: `INSERT INTO repeated_creations (vm_id) SELECT ${id(5)} ${rows(100)}`,
  },
];

const knownLogIns: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'known_log_ins',
    statement: `INSERT INTO known_log_ins (key) SELECT sha256(('k' || n)::bytea) ${rows(100)}`,
  },
];

const clusterDetails: readonly Omit<Filling, 'since'>[] = [
  {
    table: 'cluster_details',
    statement: `INSERT INTO cluster_details (cluster, details, read_at) VALUES ('local', '{"unread": []}', now())`,
  },
];

const fillings: readonly Filling[] = Object.entries({
  '0001-tenants': tenants,
  '0002-machines': machines,
  '0003-operations': operations,
  '0005-api-server': apiServer,
  '0007-machine-work': machineWork,
  '0009-repeated-creations': repeatedCreations,
  '0012-known-log-ins': knownLogIns,
  '0014-cluster-details': clusterDetails,
}).flatMap(([since, tables]) => tables.map((one) => ({ since, ...one })));

/** Fills the tables that exist at this level. */
export async function fill(pool: pg.Pool, level: string): Promise<void> {
  for (const { statement } of fillings.filter(({ since }) => since <= level)) await pool.query(statement);
  const hash = await hashPassword(login.password, { memoryKiB: 64, passes: 1, parallelism: 1 });
  await pool.query(`UPDATE users SET password_hash = $1 WHERE username = 'user-1'`, [hash]);
}
