/** What the controller reports: Events, metrics, the log, the heartbeat, and rows that cannot be written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { until } from '../../runtime/until.ts';
import { create, power } from '../machines.ts';
import type { Running, Scene } from '../scene.ts';

const events = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

async function told(client: Client, namespace: string, reason: string): Promise<readonly string[]> {
  const { items } = await client.list(events, { namespace });
  const all = items as readonly { reason?: string; message?: string; type?: string }[];
  return all.filter((one) => one.reason === reason).map(({ type, message }) => `${type}: ${message}`);
}

const ours = (metrics: string): string =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith('ssvirt_'))
    .join('\n');

export function reportTests(scene: () => Scene, running: () => Running): void {
  test('metrics name the namespace of a VDC, and forget it with the VDC', async () => {
    const { rows, client, database } = scene();
    const { namespace, vdc, vapp } = await scene().place('metrics');
    await create(client, { namespace, vappId: vapp.id });
    await rows.status(namespace, 'POWERED_ON');
    const count = `{namespace="${namespace}",status="POWERED_ON",result="success"} `;
    const counted = [`ssvirt_vm_status_updates_total${count}`, `duration_seconds_count{namespace="${namespace}"} `];
    await until('it is counted', async () => {
      const text = ours(await running().registry.metrics());
      if (counted.every((line) => text.includes(line))) return true;
      throw new Error(text);
    });
    assert.match(await running().registry.metrics(), /^ssvirt_vm_status_lag_seconds_count [1-9]/m);
    await database.database.pool.query('UPDATE vdcs SET deleted_at = now() WHERE id = $1::uuid', [vdc.id]);
    await until('its series are gone', async () => !(await running().registry.metrics()).includes(namespace));
  });

  test('the heartbeat says who writes, and how the clusters are', async () => {
    const { pool } = scene().database.database;
    const { rows } = await pool.query<{ epoch: string; holder: string; details: { clusters: unknown[] }; age: number }>(
      `SELECT epoch, holder, details, extract(epoch FROM now() - at)::float8 AS age FROM heartbeats WHERE name = 'ssvirt-vm-controller'`,
    );
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.holder ?? '', /^scene-/);
    assert.ok((rows[0]?.age ?? Infinity) < 60);
    scene().clock.leap(5000);
    await until('it names the cluster', async () => {
      const { rows: now } = await pool.query<{ details: { clusters: readonly { name: string; state: string }[] } }>(
        'SELECT details FROM heartbeats',
      );
      return now[0]?.details.clusters.some(({ name, state }) => name === 'local' && state === 'synced') === true;
    });
  });

  test('a locked row waits for its lock, and the others do not', async () => {
    const { rows, client, database, clock } = scene();
    const { namespace, vapp } = await scene().place('held');
    await create(client, { namespace, name: 'one', vappId: vapp.id, on: false });
    await create(client, { namespace, name: 'two', vappId: vapp.id, on: false });
    const [first] = await rows.until('both are off', namespace, (all) => all.filter(isOff).length === 2);
    const session = await database.database.pool.connect();
    try {
      await session.query('BEGIN');
      await session.query('SELECT FROM vm_observed WHERE vm_id = $1::uuid FOR UPDATE', [first?.id]);
      await Promise.all([power(client, namespace, 'start', 'one'), power(client, namespace, 'start', 'two')]);
      await rows.until('the other runs', namespace, (all) => all.some(({ status }) => status === 'POWERED_ON'));
      assert.equal((await rows.vms(namespace)).find(({ id }) => id === first?.id)?.status, 'POWERED_OFF');
    } finally {
      await session.query('ROLLBACK');
      session.release();
    }
    await until('both run', async () => {
      clock.leap(300_000);
      return (await rows.vms(namespace)).every(({ status }) => status === 'POWERED_ON');
    });
  });
}

/** Events are rate-limited for the whole cluster, so these tests run while no other test causes any. */
export function eventTests(scene: () => Scene, running: () => Running): void {
  test('a change of status is an Event on the machine, and a line with its fields', async () => {
    const { rows, client, lines } = scene();
    const { namespace, vapp } = await scene().place('events');
    await create(client, { namespace, vappId: vapp.id, on: false });
    const { id } = await rows.status(namespace, 'POWERED_OFF');
    await until('it is reported', async () => (await told(client, namespace, 'StatusUpdated')).length > 0);
    assert.ok(
      (await told(client, namespace, 'StatusUpdated')).includes('Normal: VM status updated to POWERED_OFF'),
      JSON.stringify(await told(client, namespace, 'StatusUpdated')),
    );
    const line = lines.find((one) => one.msg === 'updated VM status' && one['namespace'] === namespace);
    assert.deepEqual(
      [line?.['vm'], line?.['cluster'], line?.['vmID'], line?.['newStatus']],
      ['web', 'local', id, 'POWERED_OFF'],
    );
  });

  test('a row that cannot be written holds no other, is put down after its retries, and heals', async () => {
    const { rows, client, database, clock } = scene();
    const { pool } = database.database;
    const { namespace, vapp } = await scene().place('poison');
    await create(client, { namespace, name: 'bad', vappId: vapp.id, on: false });
    await create(client, { namespace, name: 'good', vappId: vapp.id, on: false });
    const both = await rows.until('both are off', namespace, (all) => all.filter(isOff).length === 2);
    const bad = both.find((row) => row.vm_name === 'bad');
    await pool.query(`
      CREATE FUNCTION refuse_${namespace.replaceAll('-', '_')}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'this row is poisoned'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON vm_observed FOR EACH ROW WHEN (NEW.vm_id = '${bad?.id}')
        EXECUTE FUNCTION refuse_${namespace.replaceAll('-', '_')}()`);
    await Promise.all([power(client, namespace, 'start', 'bad'), power(client, namespace, 'start', 'good')]);
    await rows.until('the good one runs', namespace, (all) => all.some(({ status }) => status === 'POWERED_ON'));
    await until('it is put down', async () => {
      clock.leap(300_000);
      return (await rows.failures(namespace)).length > 0;
    });
    const [failure] = await rows.failures(namespace);
    assert.deepEqual(
      [failure?.vm_name, failure?.error_type, failure?.message, failure?.resolved],
      ['bad', 'database_update_refused', 'this row is poisoned', false],
    );
    assert.ok((failure?.attempts ?? 0) > 3, 'after the retries');
    await until('it is reported', async () => (await told(client, namespace, 'ReconciliationFailed')).length > 0);
    assert.match(
      (await told(client, namespace, 'ReconciliationFailed'))[0] ?? '',
      /^Warning: Failed to update VM status after 4 attempts: database_update_refused; still trying$/,
    );
    assert.equal((await told(client, namespace, 'DatabaseUpdateFailed')).length, 1);
    const text = ours(await running().registry.metrics());
    assert.match(text, /^ssvirt_vm_sync_failures_total [1-9]/m);
    assert.match(
      text,
      new RegExp(
        `^ssvirt_vm_reconcile_errors_total\\{namespace="${namespace}",error_type="database_update_refused"\\} [1-9]`,
        'm',
      ),
    );
    await pool.query('DROP TRIGGER refuse ON vm_observed');
    await until('it has healed', async () => {
      clock.leap(300_000);
      return (await rows.failures(namespace))[0]?.resolved === true;
    });
    await rows.until('both run', namespace, (all) => all.every(({ status }) => status === 'POWERED_ON'));
  });
}

const isOff = ({ status }: { readonly status: string }): boolean => status === 'POWERED_OFF';
