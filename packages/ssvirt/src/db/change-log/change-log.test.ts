/** What the triggers write to the change log. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, test } from 'node:test';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';

let harness: TestDatabase;
const ids = {
  organization: '10000000-0000-4000-8000-000000000001',
  vdc: '20000000-0000-4000-8000-000000000001',
  vapp: '30000000-0000-4000-8000-000000000001',
  vm: '40000000-0000-4000-8000-000000000001',
};

interface Row {
  readonly kind: string;
  readonly operation: string;
  readonly entity_id: string;
  readonly organization_id: string | null;
  readonly vdc_id: string | null;
  readonly vapp_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

before(async () => {
  harness = await startTestDatabase();
  await run(`INSERT INTO organizations (id, name) VALUES ('${ids.organization}', 'acme')`);
  await run(
    `INSERT INTO vdcs (id, organization_id, name, namespace) VALUES ('${ids.vdc}', '${ids.organization}', 'one', 'ns')`,
  );
  await run(`INSERT INTO vapps (id, vdc_id, name) VALUES ('${ids.vapp}', '${ids.vdc}', 'app')`);
});

async function run(statement: string): Promise<void> {
  await harness.database.pool.query(statement);
}

/** Returns the rows that the statement adds to the change log. */
async function logged(statement: string): Promise<readonly Row[]> {
  await run('DELETE FROM change_log');
  await run(statement);
  const { rows } = await harness.database.pool.query<Row>(
    'SELECT kind, operation, entity_id, organization_id, vdc_id, vapp_id, data FROM change_log ORDER BY transaction, sequence',
  );
  return rows;
}

const briefly = (rows: readonly Row[]): readonly string[] => rows.map((row) => `${row.kind} ${row.operation}`);

test('a machine that is made, changed, marked as deleted and removed is reported with its organization, VDC and vApp', async () => {
  const place = { entity_id: ids.vm, organization_id: ids.organization, vdc_id: ids.vdc, vapp_id: ids.vapp, data: {} };
  const made = await logged(
    `INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name) VALUES ('${ids.vm}', '${ids.vapp}', 'a', 'local', 'ns', 'a')`,
  );
  assert.deepEqual(made, [{ kind: 'vm', operation: 'created', ...place }]);
  assert.deepEqual(await logged(`UPDATE vms SET description = 'new'`), [
    { kind: 'vm', operation: 'updated', ...place },
  ]);
  assert.deepEqual(await logged(`UPDATE vms SET description = 'new'`), []);
  assert.deepEqual(await logged('UPDATE vms SET deleted_at = now()'), [{ kind: 'vm', operation: 'deleted', ...place }]);
  assert.deepEqual(await logged('DELETE FROM vms'), []);
});

test('every table of what is asked for tells what happens to it', async () => {
  const { organization } = ids;
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [`INSERT INTO organizations (name) VALUES ('b'), ('c')`, ['organization created', 'organization created']],
    [`DELETE FROM organizations WHERE name = 'b'`, ['organization deleted']],
    [`INSERT INTO users (organization_id, username) VALUES ('${organization}', 'joe')`, ['user created']],
    [`UPDATE vdcs SET enabled = false`, ['vdc updated']],
    [`INSERT INTO catalogs (organization_id, name) VALUES ('${organization}', 'images')`, ['catalog created']],
    [`INSERT INTO catalog_items (catalog_id, name) SELECT id, 'linux' FROM catalogs`, ['catalogItem created']],
    [`UPDATE vapps SET deleted_at = now()`, ['vapp deleted']],
    [`UPDATE vapps SET deleted_at = NULL`, ['vapp updated']],
    [
      `INSERT INTO tasks (organization_id, owner_kind, owner_id, operation) VALUES ('${organization}', 'vm', '${ids.vm}', 'start')`,
      ['task created'],
    ],
    [`UPDATE tasks SET progress = 10`, ['task updated']],
    [`DELETE FROM tasks`, ['task deleted']],
  ];
  for (const [statement, said] of cases) {
    const rows = await logged(statement);
    assert.deepEqual(briefly(rows), said, statement);
    assert.ok(
      rows.every((row) => row.organization_id !== null),
      statement,
    );
  }
});

test('an observation is reported with both states when something that is shown differs, and only then', async () => {
  await run(
    `INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name) VALUES ('${ids.vm}', '${ids.vapp}', 'a', 'local', 'ns', 'a')`,
  );
  const first = await logged(
    `INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, epoch, sequence) VALUES ('${ids.vm}', 'local', 'ns', 'a', '${ids.vm}', 'POWERED_OFF', 1, 1)`,
  );
  const { organization, vdc, vapp, vm } = ids;
  const place = { entity_id: vm, organization_id: organization, vdc_id: vdc, vapp_id: vapp };
  const row = { kind: 'vm', operation: 'observed', ...place };
  assert.deepEqual(first, [{ ...row, data: { status: 'POWERED_OFF', previous: null, stale: true } }]);
  assert.deepEqual(await logged(`UPDATE vm_observed SET status = 'POWERED_ON', sequence = 2`), [
    { ...row, data: { status: 'POWERED_ON', previous: 'POWERED_OFF', stale: true } },
  ]);
  assert.deepEqual(await logged(`UPDATE vm_observed SET sequence = 3, observed_at = now()`), []);
  assert.equal((await logged(`UPDATE vm_observed SET ip_addresses = '{10.0.0.1}'`)).length, 1);
  await run('DELETE FROM vms');
});

test('a template instance and a cluster are reported too', async () => {
  const vapp = await logged(
    `INSERT INTO vapp_observed (vapp_id, cluster, namespace, name, uid, creation, epoch, sequence) VALUES ('${ids.vapp}', 'local', 'ns', 'app', '${ids.vm}', 'running', 1, 1)`,
  );
  assert.deepEqual(
    vapp.map(({ kind, entity_id, vdc_id, data }) => ({ kind, entity_id, vdc_id, data })),
    [{ kind: 'vapp', entity_id: ids.vapp, vdc_id: ids.vdc, data: { creation: 'running' } }],
  );
  assert.deepEqual(briefly(await logged(`INSERT INTO clusters (name, state, epoch) VALUES ('west', 'synced', 1)`)), [
    'cluster observed',
  ]);
  assert.deepEqual(await logged(`UPDATE clusters SET epoch = 2, synced_at = now()`), []);
  const [stale] = await logged(`UPDATE clusters SET state = 'stale'`);
  assert.deepEqual(stale?.data, { name: 'west', state: 'stale' });
});

test('who listens is woken by each commit that tells something, on the channel of those who wrote it', async () => {
  const listener = harness.database.client();
  await listener.connect();
  try {
    for (const [channel, statement] of [
      ['ssvirt_changes', `INSERT INTO organizations (name) VALUES ('heard')`],
      ['ssvirt_observations', `INSERT INTO clusters (name, state, epoch) VALUES ('heard', 'synced', 1)`],
    ] as const) {
      await listener.query(`LISTEN ${channel}`);
      const heard = once(listener, 'notification', { signal: AbortSignal.timeout(5000) });
      await run(statement);
      const [notification] = (await heard) as readonly { readonly channel: string }[];
      assert.equal(notification?.channel, channel);
    }
  } finally {
    await listener.end();
  }
});
