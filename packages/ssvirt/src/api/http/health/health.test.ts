import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { directoryOf, startApi, testSettings, type ApiHarness } from '../../../../../../test/api/harness.ts';
import { setCluster } from '../../../../../../test/database/rows.ts';
import { createLeaderStore } from '../../../db/observations/leaders.ts';

const healthy = { status: 'healthy', controller: 'running' };
const unhealthy = { status: 'unhealthy', controller: 'not_running' };

suite('health', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  const registry = new Registry();
  let waitsFor: string | undefined;
  before(async () => {
    const clusters = directoryOf(
      { name: 'local', available: true, message: '' },
      { name: 'north', available: false, message: 'connection refused' },
    );
    api = await startApi({ clusters, registry, waitsFor: () => waitsFor });
  });
  after(() => api.stop());

  /** A request is counted when its response ends, which is just before or just after the client has read it. */
  async function metricsWith(label: string): Promise<string> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const text = await registry.metrics();
      if (text.includes(label) || Date.now() > deadline) return text;
      await pause(5);
    }
  }

  test('says that the process is alive, and of which version', async () => {
    for (const path of ['/healthz', '/api/v1/health']) {
      const { status, body } = await api.ask('GET', path);
      assert.equal(status, 200);
      assert.deepEqual({ ...body, timestamp: '' }, { status: 'ok', version: testSettings.version, timestamp: '' });
      assert.ok(Math.abs(Date.parse(String(body['timestamp'])) - Date.now()) < 60_000);
    }
    const { body } = await api.ask('GET', '/api/v1/version');
    assert.deepEqual(body, { name: 'ssvirt', version: testSettings.version });
  });

  test('counts clusters that are away without naming them, and is ready all the same', async () => {
    await setCluster(api.db, { name: 'local', state: 'synced' });
    const { status, body, text } = await api.ask('GET', '/readyz');
    assert.equal(status, 200);
    assert.equal(text.includes('north'), false, text);
    assert.deepEqual(
      { ...body, timestamp: '' },
      {
        ready: true,
        timestamp: '',
        services: { database: 'ready', clusters: { ready: 1, unavailable: 1, stale: 0, unknown: 0 } },
        degraded: 1,
      },
    );
  });

  test('does not call a cluster ready that no vm-controller has followed, or of which the database does not say', async () => {
    const seen = async (): Promise<unknown> => {
      const { status, body } = await api.ask('GET', '/readyz');
      const { database, clusters } = body['services'] as { database: string; clusters: object };
      return [status, database, clusters, body['degraded']];
    };
    const unknown = [200, 'ready', { ready: 0, unavailable: 1, stale: 0, unknown: 1 }, 2];
    await setCluster(api.db, { name: 'local', state: 'synced' });
    await sql`ALTER TABLE clusters RENAME TO away`.execute(api.db);
    try {
      assert.deepEqual(await seen(), unknown, 'the query fails');
    } finally {
      await sql`ALTER TABLE away RENAME TO clusters`.execute(api.db);
    }
    const held = await api.db.connection().execute(async (other) => {
      await sql`BEGIN; LOCK TABLE clusters IN ACCESS EXCLUSIVE MODE`.execute(other);
      const answer = await seen();
      await sql`ROLLBACK`.execute(other);
      return answer;
    });
    assert.deepEqual(held, unknown, 'the query takes too long');
    await api.db.deleteFrom('clusters').execute();
    assert.deepEqual(await seen(), unknown, 'there was no contact yet');
  });

  test('is not ready while the tables are not, and says so', async () => {
    waitsFor = 'it is waiting for its database';
    try {
      const { status, body } = await api.ask('GET', '/readyz');
      assert.deepEqual([status, body['ready'], body['message']], [503, false, waitsFor]);
      assert.equal((await api.ask('GET', '/healthz')).status, 200);
      assert.equal((await api.ask('GET', '/cloudapi/1.0.0/roles')).status, 503);
    } finally {
      waitsFor = undefined;
    }
  });

  test('tells whether the controller is at work, by what it has written last', async () => {
    const leaders = createLeaderStore(api.test.database.pool);
    const name = 'ssvirt-vm-controller';
    const controller = async (): Promise<readonly unknown[]> => {
      const { status, body } = await api.ask('GET', '/health/controller');
      return [status, body];
    };
    assert.deepEqual(await controller(), [503, unhealthy], 'nobody has ever led');
    const epoch = await leaders.raise({ name, leaseEpoch: 1, holder: 'a', staleAfterMs: 30_000 });
    assert.deepEqual(await controller(), [200, healthy], 'one has just won');
    await api.db
      .updateTable('leaders')
      .set({ won_at: new Date(0) })
      .execute();
    assert.deepEqual(await controller(), [503, unhealthy], 'it has won long ago and was not heard of since');
    await leaders.beat({ name, epoch: epoch ?? 0 }, 'a', {});
    assert.deepEqual(await controller(), [200, healthy], 'its heart has beaten');
    await api.db.updateTable('heartbeats').set({ epoch: 0 }).execute();
    assert.deepEqual(await controller(), [503, unhealthy], 'the heartbeat is of an earlier leader');
    await leaders.beat({ name, epoch: epoch ?? 0 }, 'a', {});
    await api.db
      .updateTable('heartbeats')
      .set({ at: new Date(Date.now() - 31_000) })
      .execute();
    assert.deepEqual(await controller(), [503, unhealthy], 'it is silent');
  });

  test('counts requests by route and never by URL', async () => {
    const { token } = await api.person('vApp User');
    await api.ask('GET', '/cloudapi/1.0.0/orgs/urn:vcloud:org:00000000-0000-4000-8000-0000000000ff', { token });
    await api.ask('GET', '/secret/of/nobody');
    const text = await metricsWith('status="404"');
    const route = 'route="/cloudapi/1.0.0/orgs/:orgId"';
    assert.match(text, new RegExp(`ssvirt_api_requests_total\\{method="GET",${route},status="403"\\} 1`));
    assert.match(text, new RegExp(`ssvirt_api_request_duration_seconds_count\\{method="GET",${route}\\} 1`));
    assert.match(text, /ssvirt_api_requests_total\{method="GET",route="none",status="404"\} 1/);
    assert.doesNotMatch(text, /secret|0000ff/);
    assert.match(text, /^ssvirt_api_requests_in_flight \d+$/m);
  });

  // Must be the last test, because the database is closed afterwards.
  test('is not ready without the database, and alive all the same', async () => {
    await api.test.database.close();
    const { status, body } = await api.ask('GET', '/readyz');
    assert.equal(status, 503);
    assert.deepEqual([body['ready'], (body['services'] as { database: string }).database], [false, 'unavailable']);
    const controller = await api.ask('GET', '/health/controller');
    assert.deepEqual([controller.status, controller.body], [503, unhealthy]);
    assert.equal((await api.ask('GET', '/healthz')).status, 200);
  });
});
