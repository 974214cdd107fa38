/** What the provider sees of the clusters: their state, and VMs whose state could not be written. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { directoryOf, startApi, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { makeVdc, makeVm, setCluster } from '../../../../../test/database/rows.ts';

const clusters = '/cloudapi/1.0.0/clusters';
const failures = '/cloudapi/1.0.0/syncFailures';

suite('the provider is shown', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let provider: Person;
  before(async () => {
    api = await startApi({
      clusters: directoryOf(
        { name: 'north', available: false, message: 'connection refused' },
        { name: 'local', available: true, message: '' },
      ),
    });
    provider = await api.person('System Administrator');
  });
  after(() => api.stop());

  const get = (path: string) => api.ask('GET', path, { token: provider.token });

  test('every cluster that is known to anybody, by name', async () => {
    await setCluster(api.db, { name: 'local', state: 'frozen' });
    await api.db.updateTable('clusters').set({ message: 'IdentityChanged' }).where('name', '=', 'local').execute();
    await makeVdc(api.db);
    await makeVdc(api.db);
    const former = await makeVdc(api.db, { cluster: 'former' });
    const { status, body } = await get(clusters);
    assert.equal(status, 200);
    const [first, second, third, ...more] = body['values'] as Record<string, unknown>[];
    assert.deepEqual(more, []);
    assert.deepEqual(
      [first?.['name'], first?.['isAvailable'], first?.['state'], first?.['vdcCount']],
      [former.cluster, false, null, 1],
    );
    assert.match(String(first?.['message']), /not a member of the fleet/);
    assert.deepEqual(
      [second?.['name'], second?.['isAvailable'], second?.['state'], second?.['message'], second?.['vdcCount']],
      ['local', true, 'frozen', 'vm-controller: cluster "local" is another one than before: IdentityChanged', 2],
    );
    assert.deepEqual(
      [third?.['name'], third?.['isAvailable'], third?.['state'], third?.['message'], third?.['vdcCount']],
      ['north', false, null, 'API server: connection refused', 0],
    );
  });

  test('a cluster that answers the API server and is not followed, as both see it, and so does the readiness', async () => {
    const seen = async (): Promise<readonly unknown[]> => {
      const [all, { body }] = [await get(clusters), await api.ask('GET', '/readyz')];
      const local = (all.body['values'] as Record<string, unknown>[]).find(({ name }) => name === 'local');
      const { clusters: states } = body['services'] as { clusters: Record<string, number> };
      return [local?.['isAvailable'], local?.['isFollowed'], local?.['state'], states['stale'], body['degraded']];
    };
    await setCluster(api.db, { name: 'local', state: 'synced' });
    assert.deepEqual(await seen(), [true, true, 'synced', 0, 1]);
    await setCluster(api.db, { name: 'local', state: 'synced' }, { contactedMsAgo: 20_000, currentForMs: 15_000 });
    assert.deepEqual(await seen(), [true, false, 'stale', 1, 2]);
    const { body } = await get(clusters);
    const local = (body['values'] as Record<string, unknown>[]).find(({ name }) => name === 'local');
    assert.equal(local?.['message'], 'vm-controller: the vm-controller has never reported');
    assert.ok(Date.parse(String(local?.['lastContactAt'])) > 0);
  });

  test('what a cluster consists of, as it was read last, marked as stale when that is long ago', async () => {
    const details = {
      kubernetesVersion: 'v1.36.3',
      kubevirtVersion: 'v1.6.0',
      cdiVersion: null,
      nodes: { total: 3, ready: 2 },
      capacity: { cpus: 15.5, memoryMb: 65_536 },
      storageClasses: [{ name: 'fast', provisioner: 'csi.example.com', isDefault: true }],
      features: ['LiveMigration'],
      unread: ['cdis.cdi.kubevirt.io: grant it'],
    };
    await setCluster(api.db, { name: 'north', state: 'synced' });
    const read = async (readAt: Date) => {
      const row = { cluster: 'north', details, read_at: readAt };
      const changed = { details, read_at: readAt };
      await api.db
        .insertInto('cluster_details')
        .values(row)
        .onConflict((conflict) => conflict.column('cluster').doUpdateSet(changed))
        .execute();
      return get(`${clusters}/north`);
    };
    assert.equal((await get(`${clusters}/north`)).body['details'], null);
    const now = new Date();
    const { status, body } = await read(now);
    assert.equal(status, 200);
    assert.deepEqual(
      [body['name'], body['isAvailable'], body['details']],
      ['north', false, { ...details, readAt: now.toISOString(), stale: false }],
    );
    const listed = (await get(clusters)).body['values'] as Record<string, unknown>[];
    assert.deepEqual(
      listed.find(({ name }) => name === 'north'),
      body,
    );
    const old = await read(new Date(now.getTime() - 3_600_000));
    assert.equal((old.body['details'] as Record<string, unknown>)['stale'], true);
    assert.equal((await get(`${clusters}/unknown`)).status, 403);
    const { token } = await api.person('Organization Administrator');
    assert.equal((await api.ask('GET', `${clusters}/north`, { token })).status, 403);
  });

  test('clusters by pages and in either order, and ends where there are no more', async () => {
    const { body } = await get(`${clusters}?page=1&pageSize=1&sortDesc=name`);
    assert.deepEqual((body['values'] as { name: string }[])[0]?.name, 'north');
    for (const query of ['filter=name==local', 'sortAsc=state']) {
      const answer = await get(`${clusters}?${query}`);
      assert.equal(answer.status, 400, answer.text);
    }
  });

  test('machines whose state could not be written, with their names', async () => {
    const vm = await makeVm(api.db);
    const place = { cluster: vm.cluster, namespace: vm.namespace };
    const { id } = await api.db
      .insertInto('sync_failures')
      .values({ ...place, vm_name: vm.vm_name, vm_id: vm.id, error_type: 'Refused', message: 'too long', attempts: 7 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await api.db
      .insertInto('sync_failures')
      .values({ ...place, vm_name: 'other', error_type: 'Refused', message: 'x', attempts: 1, resolved_at: new Date() })
      .execute();
    const { body } = await get(`${failures}?filter=isResolved==false`);
    const [failure, ...more] = body['values'] as Record<string, unknown>[];
    assert.deepEqual(more, []);
    assert.deepEqual(
      { ...failure, firstFailedAt: '', lastFailedAt: '' },
      {
        id: `urn:vcloud:syncFailure:${id}`,
        ...place,
        vmName: vm.vm_name,
        vm: { name: vm.name, id: `urn:vcloud:vm:${vm.id}` },
        errorType: 'Refused',
        message: 'too long',
        attempts: 7,
        firstFailedAt: '',
        lastFailedAt: '',
        resolvedAt: null,
      },
    );
    assert.deepEqual((await get(`${failures}/urn:vcloud:syncFailure:${id}`)).body, failure);
    assert.equal((await get(`${failures}/urn:vcloud:syncFailure:00000000-0000-4000-8000-0000000000ff`)).status, 403);
    const { token } = await api.person('Organization Administrator');
    assert.equal((await api.ask('GET', failures, { token })).status, 403);
  });

  test('that a sync failure is retried on request, as long as it is open', async () => {
    const { id } = await api.db
      .insertInto('sync_failures')
      .values({
        cluster: 'local',
        namespace: 'ns',
        vm_name: 'stuck',
        error_type: 'Refused',
        message: 'x',
        attempts: 11,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const path = `${failures}/urn:vcloud:syncFailure:${id}/actions/retry`;
    const retry = () => api.ask('POST', path, { token: provider.token });
    const answer = await retry();
    assert.deepEqual([answer.status, answer.body['vmName']], [202, 'stuck'], answer.text);
    const requests = api.db.selectFrom('change_log').select(['kind', 'operation']).where('entity_id', '=', id);
    assert.deepEqual(await requests.execute(), [{ kind: 'syncFailure', operation: 'updated' }]);
    const audit = api.db.selectFrom('audit_events').select(['action', 'entity_name']).where('entity_id', '=', id);
    assert.deepEqual(await audit.execute(), [{ action: 'syncFailures.retry', entity_name: 'ns/stuck' }]);
    await api.db.updateTable('sync_failures').set({ resolved_at: new Date() }).where('id', '=', id).execute();
    const late = await retry();
    assert.equal(late.status, 409);
    assert.match(String(late.body['message']), /VM "stuck" could be written again at .*; there is nothing to retry\./);
    assert.equal((await requests.execute()).length, 1);
  });
});
