import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { inDatabase } from '../../../../../test/database/prepared.ts';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { openDatabase, type Database } from '../connection/database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { migrations } from '../migrations/index.ts';
import { newestMigration } from '../migrations/newest.ts';

const names = Object.keys(migrations);
let harness: TestDatabase;
const opened: Database[] = [];

before(async () => {
  harness = await startTestDatabase();
});

after(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await harness.stop();
});

/** Opens connections to one new, empty database. */
async function empty(name: string, connections: number): Promise<readonly Database[]> {
  await harness.database.pool.query(`CREATE DATABASE ${name}`);
  const made = Array.from({ length: connections }, () => openDatabase({ url: inDatabase(harness.url, name) }));
  opened.push(...made);
  return made;
}

test('an empty database gets everything, and a second time nothing', async () => {
  const [database] = await empty('empty', 1);
  assert.deepEqual(await migrate(database!), { from: undefined, to: names.at(-1), applied: names });
  assert.deepEqual(await migrate(database!), { from: names.at(-1), to: names.at(-1), applied: [] });
});

test('of several that start at once one does the work, and all find it done', async () => {
  const databases = await empty('several', 4);
  const done = await Promise.all(databases.map((database) => migrate(database)));
  assert.deepEqual(
    done.map((one) => one.applied.length).sort((a, b) => a - b),
    [0, 0, 0, names.length],
  );
  assert.deepEqual(new Set(done.map((one) => one.to)), new Set([names.at(-1)]));
});

test('a database that a newer version has been at is refused', async () => {
  const [database] = await empty('newer', 1);
  const later: Migration = { up: async (db: Kysely<unknown>) => void (await sql`SELECT 1`.execute(db)) };
  await migrate(database!, { ...migrations, '9999-of-tomorrow': later });
  await assert.rejects(migrate(database!), {
    name: 'MigrationError',
    message:
      'cannot use the database: it has the migration 9999-of-tomorrow, which this version does not know; a newer ssvirt has been here: use that version or a later one',
  });
});

test('a migration that fails is named, and leaves nothing of itself or of those before it', async () => {
  const [database] = await empty('failing', 1);
  const broken: Migration = {
    up: async (db: Kysely<unknown>) => void (await sql`CREATE TABLE x (); SELECT 1/0`.execute(db)),
  };
  await assert.rejects(
    migrate(database!, { ...migrations, '0099-broken': broken }),
    /^MigrationError: cannot bring the database up to date: migration 0099-broken failed: division by zero$/,
  );
  assert.deepEqual(await appliedMigrations(database!.db), []);
  assert.equal((await migrate(database!)).applied.length, names.length);
});

test('existing machines and vApps get their owners, and no event says so', async () => {
  const [database] = await empty('filled', 1);
  const { pool } = database!;
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0008'));
  await migrate(database!, before);
  await pool.query(`
    WITH o AS (INSERT INTO organizations (name) VALUES ('acme'), ('other') RETURNING id, name),
      d AS (INSERT INTO vdcs (organization_id, name, namespace) SELECT id, name, name FROM o RETURNING id, name),
      a AS (INSERT INTO vapps (vdc_id, name) SELECT id, name FROM d RETURNING id, name)
    INSERT INTO vms (vapp_id, name, cluster, namespace, vm_name) SELECT id, name, 'local', name, name FROM a`);
  const log = async () => {
    const { rows: counted } = await pool.query<{ rows: number }>('SELECT count(*) AS rows FROM change_log');
    return counted[0]?.rows;
  };
  const logged = await log();
  await migrate(database!);
  assert.equal(await log(), logged);
  const { rows } = await pool.query(`
    SELECT v.name, o.name AS organization, d.name AS vdc, a.organization_id = o.id AS same FROM vms v
    JOIN organizations o ON o.id = v.organization_id JOIN vdcs d ON d.id = v.vdc_id JOIN vapps a ON a.id = v.vapp_id ORDER BY 1`);
  assert.deepEqual(
    rows,
    ['acme', 'other'].map((name) => ({ name, organization: name, vdc: name, same: true })),
  );
  await pool.query("UPDATE vms SET description = 'new'");
  assert.notEqual(await log(), logged);
});

test('VMs and vApps get the owner that the audit trail names, and no event says so', async () => {
  const [database] = await empty('owners', 1);
  const { pool } = database!;
  await migrate(database!, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0011')));
  const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const [ann, bob, gone] = [1, 2, 3].map(id);
  const vapps = { empty: id(10), item: id(11), alone: id(12), old: id(13), bobs: id(14) };
  const namedVapps = Object.entries(vapps).map(([name, uuid]) => `('${uuid}', '${name}')`);
  await pool.query(`
    INSERT INTO organizations (id, name) VALUES ('${id(90)}', 'acme');
    INSERT INTO users (id, organization_id, username) VALUES ('${ann}', '${id(90)}', 'ann'), ('${bob}', '${id(90)}', 'bob');
    INSERT INTO vdcs (id, organization_id, name, namespace) VALUES ('${id(91)}', '${id(90)}', 'v', 'ns');
    INSERT INTO vapps (id, vdc_id, name, hidden) SELECT v.id::uuid, '${id(91)}', v.name, v.name = 'alone'
      FROM (VALUES ${namedVapps.join(', ')}) v (id, name);
    INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name, origin, desired_state, created_at)
      SELECT v.id::uuid, v.vapp_id::uuid, v.name, 'local', 'ns', v.name, v.origin, CASE v.origin WHEN 'discovered' THEN 'none' ELSE 'present' END,
        now() + v.later * interval '1 s'
      FROM (VALUES ('${id(20)}', '${vapps.item}', 'of-item', 'requested', 0), ('${id(21)}', '${vapps.item}', 'found', 'discovered', 0),
        ('${id(22)}', '${vapps.item}', 'added', 'requested', 60), ('${id(23)}', '${vapps.alone}', 'alone', 'requested', 0),
        ('${id(24)}', '${vapps.old}', 'old', 'requested', 0), ('${id(25)}', '${vapps.bobs}', 'refused', 'requested', 0),
        ('${id(26)}', '${vapps.item}', 'unknown', 'requested', 60)) v (id, vapp_id, name, origin, later);
    INSERT INTO audit_events (user_id, action, entity_kind, entity_id, outcome) VALUES
      ('${ann}', 'vapps.create', 'vapp', '${vapps.empty}', 'success'), ('${bob}', 'vapps.update', 'vapp', '${vapps.empty}', 'success'),
      ('${ann}', 'vapps.instantiate', 'vapp', '${vapps.item}', 'success'), ('${bob}', 'vms.create', 'vm', '${id(22)}', 'success'),
      ('${bob}', 'vms.create', 'vm', '${id(23)}', 'success'), ('${gone}', 'vapps.create', 'vapp', '${vapps.old}', 'success'),
      ('${bob}', 'vapps.create', 'vapp', '${vapps.bobs}', 'success'), ('${ann}', 'vms.create', 'vm', '${id(25)}', 'refused')`);
  const log = async () => (await pool.query<{ rows: number }>('SELECT count(*) AS rows FROM change_log')).rows;
  const logged = await log();
  await migrate(database!);
  assert.deepEqual(await log(), logged);
  const owners = async (table: string): Promise<unknown> => {
    const { rows } = await pool.query<{ name: string; username: string | null }>(
      `SELECT t.name, u.username FROM ${table} t LEFT JOIN users u ON u.id = t.owner_id`,
    );
    return Object.fromEntries(rows.map(({ name, username }) => [name, username]));
  };
  assert.deepEqual(await owners('vapps'), { empty: 'ann', item: 'ann', alone: 'bob', old: null, bobs: 'bob' });
  assert.deepEqual(await owners('vms'), {
    'of-item': 'ann',
    found: null,
    added: 'bob',
    alone: 'bob',
    old: null,
    refused: null,
    unknown: null,
  });
});

test('existing VMs get what lists sort them by, and addresses that are none are left out', async () => {
  const [database] = await empty('keys', 1);
  const { pool } = database!;
  await migrate(database!, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0015')));
  await pool.query(`
    WITH o AS (INSERT INTO organizations (name) VALUES ('acme') RETURNING id),
      u AS (INSERT INTO users (organization_id, username) SELECT id, 'Ann' FROM o RETURNING id),
      d AS (INSERT INTO vdcs (organization_id, name, namespace) SELECT id, 'Blue', 'ns' FROM o RETURNING id),
      a AS (INSERT INTO vapps (vdc_id, name) SELECT id, 'a' FROM d RETURNING id)
    INSERT INTO vms (vapp_id, name, cluster, namespace, vm_name, owner_id, cpu_count)
    SELECT a.id, v.name, 'local', 'ns', v.name, u.id, v.cpus FROM a LEFT JOIN u ON true, (VALUES ('seen', 2), ('new', NULL)) v (name, cpus)`);
  await pool.query(`
    INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, cpu_count, guest_os, ip_addresses, epoch, sequence)
    SELECT id, 'local', 'ns', 'seen', gen_random_uuid(), 'POWERED_ON', 4, repeat('Long ', 1000), '{fe80::1%eth0,1.2.3,10.0.0.9}', 1, 1 FROM vms WHERE name = 'seen'`);
  await migrate(database!);
  const { rows } = await pool.query(`
    SELECT v.name, k.vdc_name, k.owner_name, s.status, k.cpus, k.memory_mb, length(k.guest_os) AS guest, host(k.address) AS address, k.listed
    FROM vm_list_keys k JOIN vm_list_states s USING (vm_id, listed) JOIN vms v ON v.id = k.vm_id ORDER BY 1`);
  const both = { vdc_name: 'blue', owner_name: 'ann', memory_mb: '-1', listed: true };
  assert.deepEqual(rows, [
    { ...both, name: 'new', status: 'unresolved', cpus: '-1', guest: 0, address: '0.0.0.0' },
    { ...both, name: 'seen', status: 'powered_on', cpus: '2', guest: 200, address: '10.0.0.9' },
  ]);
});

test('the migration that a start looks for is the last one', () => {
  assert.equal(newestMigration, names.at(-1));
});
