import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';

import { sql, type Kysely } from 'kysely';

import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser, makeVapp, makeVdc, makeVm, observe } from '../../../../../test/database/rows.ts';
import { appendAuditEvent } from './audit.ts';
import { createCatalogItem } from '../catalogs/catalog-items.ts';
import { createCatalog } from '../catalogs/catalogs.ts';
import { sweepRetention } from './retention.ts';
import type { Tables, VmId } from '../schema/schema.ts';
import { createSession } from '../tenants/sessions.ts';
import { createTask } from '../tasks/tasks.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
});
after(() => running.stop());
beforeEach(async () => {
  const emptied = ['tasks', 'sessions', ...soft, 'audit_events', 'sync_failures', 'change_log'];
  for (const table of emptied) await sql`DELETE FROM ${sql.table(table)}`.execute(db);
});

/** In the order of the foreign keys: children before parents. */
const soft = ['vms', 'vapps', 'catalog_items', 'catalogs', 'vdcs', 'users', 'organizations'] as const;
const hour = 3_600_000;
const ages = { changeLog: hour, tasks: 2 * hour, audit: 3 * hour, deleted: 4 * hour };

const sweep = async (given = ages, options = {}) => Object.fromEntries(await sweepRetention(db, given, options));
const ago = (hours: number): Date => new Date(Date.now() - hours * hour);

async function setAll(table: keyof Tables, column: string, value: Date | null): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${value}`.execute(db);
}

async function count(table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? NaN;
}

/** Creates one live row of everything; the changes this logs are ignored. */
async function makeWorld() {
  const user = await makeUser(db);
  const { id: user_id, organization_id } = user;
  const catalog = await createCatalog(db, { organization_id, owner_id: user_id, name: 'images' });
  await createCatalogItem(db, { catalog_id: catalog.id, name: 'fedora' });
  const vdc = await makeVdc(db, { organization_id });
  const vapp = await makeVapp(db, { vdc_id: vdc.id });
  const vm = await makeVm(db, { vapp_id: vapp.id });
  await observe(db, vm, 'POWERED_ON');
  const token_hash = Buffer.from(randomUUID());
  await createSession(db, { user_id, organization_id, token_hash, expires_at: ago(-1) });
  await createTask(db, { organization_id, user_id, owner_kind: 'vm', owner_id: vm.id, operation: 'powerOn' });
  await appendAuditEvent(db, { organization_id, user_id, action: 'powerOn', outcome: 'success' });
  const failure = {
    cluster: 'local',
    namespace: 'a',
    vm_name: 'b',
    error_type: 'database',
    message: 'no',
    attempts: 10,
  };
  await db.insertInto('sync_failures').values(failure).execute();
  return { user, vm, vapp, vdc };
}

test('what lives stays, however old it is', async () => {
  await makeWorld();
  for (const table of [...soft, 'tasks', 'sessions'] as const) await setAll(table, 'created_at', ago(10_000));
  await setAll('sync_failures', 'first_failed_at', ago(10_000));
  assert.deepEqual(await sweep(), {});
});

test('each kind of thing goes at its own age', async () => {
  await makeWorld();
  const ends: readonly (readonly [keyof Tables, string, hours: number])[] = [
    ['change_log', 'at', 1],
    ['tasks', 'ended_at', 2],
    ['audit_events', 'at', 3],
    ['sync_failures', 'resolved_at', 4],
    ['sessions', 'ended_at', 4],
    ['catalog_items', 'deleted_at', 4],
    ['vms', 'deleted_at', 4],
  ];
  await sql`UPDATE tasks SET status = 'success', ended_at = now()`.execute(db);
  for (const [table, column, hours] of ends) {
    await setAll(table, column, ago(hours - 0.1));
    assert.deepEqual((await sweep())[table], undefined, `${table} before its age`);
    const there = await count(table);
    assert.ok(there > 0);
    await setAll(table, column, ago(hours + 0.1));
    assert.equal((await sweep())[table], there, `${table} after its age`);
    assert.equal(await count(table), 0);
  }
  assert.equal(await count('vm_observed'), 0);
});

test('all that was deleted goes in one sweep, children before parents', async () => {
  await makeWorld();
  for (const table of soft) await setAll(table, 'deleted_at', ago(5));
  await sql`UPDATE tasks SET status = 'error', ended_at = ${ago(5)}`.execute(db);
  await setAll('sessions', 'ended_at', ago(5));
  const { change_log: _, ...removed } = await sweep();
  const one = Object.fromEntries([...soft, 'tasks', 'sessions'].map((table) => [table, 1]));
  assert.deepEqual(removed, one);
});

test('a parent stays while a child does', async () => {
  const { user } = await makeWorld();
  await setAll('users', 'deleted_at', ago(5));
  await setAll('organizations', 'deleted_at', ago(5));
  await setAll('vdcs', 'deleted_at', ago(5));
  await setAll('vapps', 'deleted_at', ago(5));
  await setAll('catalogs', 'deleted_at', ago(5));
  assert.deepEqual(await sweep(), {});
  for (const table of ['vms', 'catalog_items'] as const) await setAll(table, 'deleted_at', ago(5));
  await setAll('sessions', 'ended_at', ago(5));
  assert.deepEqual(await sweep(), { sessions: 1, vms: 1, vapps: 1, catalog_items: 1, catalogs: 1, vdcs: 1 });
  // The open task refers to both.
  assert.equal((await sql`SELECT FROM users WHERE id = ${user.id}`.execute(db)).rows.length, 1);
  await sql`UPDATE tasks SET status = 'aborted', ended_at = ${ago(5)}`.execute(db);
  assert.deepEqual(await sweep(), { tasks: 1, users: 1, organizations: 1 });
});

test('a machine that is gone from the cluster goes, even if no request removed it', async () => {
  const cases = [
    { status: 'DELETED', since: ago(5), desired: 'absent', goes: true },
    { status: 'DELETED', since: ago(5), desired: 'none', goes: true },
    { status: 'DELETED', since: ago(3), desired: 'absent', goes: false },
    { status: 'DELETED', since: ago(5), desired: 'present', goes: true },
    { status: 'DELETED', since: ago(3), desired: 'present', goes: false },
    { status: 'DELETING', since: ago(5), desired: 'absent', goes: false },
    { status: 'POWERED_OFF', since: ago(5), desired: 'none', goes: false },
  ] as const;
  const { id: vapp_id } = await makeVapp(db);
  const staying = new Set<VmId>();
  for (const { status, since, desired, goes } of cases) {
    const vm = await makeVm(db, { vapp_id, desired_state: desired });
    await observe(db, vm, status, { status_changed_at: since });
    if (!goes) staying.add(vm.id);
  }
  assert.deepEqual(await sweep(), { vms: cases.length - staying.size });
  const left = await db.selectFrom('vms').select('id').execute();
  assert.deepEqual(new Set(left.map(({ id }) => id)), staying);
});

test('many rows go in small batches, each committed on its own; a sweep can be stopped between them', async () => {
  await sql`
    INSERT INTO audit_events (action, outcome, at) SELECT 'x', 'success', ${ago(5)} FROM generate_series(1, 25)
  `.execute(db);
  assert.deepEqual(await sweep(ages, { batchSize: 10 }), { audit_events: 25 });
  await sql`
    INSERT INTO audit_events (action, outcome, at) SELECT 'x', 'success', ${ago(5)} FROM generate_series(1, 20)
  `.execute(db);
  assert.deepEqual(await sweep(ages, { batchSize: 10 }), { audit_events: 20 });
  await assert.rejects(sweep(ages, { signal: AbortSignal.abort(new Error('going down')) }), /going down/);
});

test('a locked row is left for the next time, without a wait', async () => {
  const [held, free] = [await makeOrganization(db), await makeOrganization(db)];
  await setAll('organizations', 'deleted_at', ago(5));
  await db.transaction().execute(async (tx) => {
    await sql`SELECT FROM organizations WHERE id = ${held.id} FOR KEY SHARE`.execute(tx);
    assert.deepEqual(await sweep(), { organizations: 1 });
  });
  const left = await db.selectFrom('organizations').select('id').execute();
  assert.deepEqual(left, [{ id: held.id }]);
  assert.notEqual(left[0]?.id, free.id);
  assert.deepEqual(await sweep(), { organizations: 1 });
});
