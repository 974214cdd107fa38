/** Counts by status, over HTTP and rows. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type ApiHarness } from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster } from '../../../../../test/database/rows.ts';

const summary = '/cloudapi/1.0.0/summary';

suite('the summary', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  before(async () => {
    api = await startApi();
    await setCluster(api.db, { name: 'local', state: 'synced' });
  });
  after(() => api.stop());

  test('counts what the lists show, by status, of the own organization or of one VDC', async () => {
    const { token, organizationId: organization_id } = await api.person('Read-only');
    const foreign = await makeVm(api.db);
    await observe(api.db, foreign, 'FAILED');
    const [first, second] = [await makeVdc(api.db, { organization_id }), await makeVdc(api.db, { organization_id })];
    const vapp = await makeVapp(api.db, { vdc_id: first.id });
    const alone = await makeVapp(api.db, { vdc_id: first.id, hidden: true });
    await makeVapp(api.db, { vdc_id: second.id });
    for (const status of ['POWERED_ON', 'POWERED_ON', 'DELETED'] as const)
      await observe(api.db, await makeVm(api.db, { vapp_id: vapp.id }), status);
    await makeVm(api.db, { vapp_id: alone.id });

    const { status, body } = await api.ask('GET', summary, { token });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      vms: { total: 3, stale: 0, byStatus: { POWERED_ON: 2, UNRESOLVED: 1 } },
      vapps: { total: 2, stale: 0, byStatus: { POWERED_ON: 1, RESOLVED: 1 } },
    });
    const ofSecond = await api.ask('GET', `${summary}?vdc=urn:vcloud:vdc:${second.id}`, { token });
    assert.deepEqual(ofSecond.body, {
      vms: { total: 0, stale: 0, byStatus: {} },
      vapps: { total: 1, stale: 0, byStatus: { RESOLVED: 1 } },
    });
    assert.equal((await api.ask('GET', `${summary}?vdc=urn:vcloud:vdc:${foreign.vdc_id}`, { token })).status, 403);

    await setCluster(api.db, { name: 'local', state: 'synced' }, { contactedMsAgo: 20_000, currentForMs: 15_000 });
    const stale = await api.ask<{ vms: { stale: number }; vapps: { stale: number } }>('GET', summary, { token });
    assert.deepEqual([stale.body.vms.stale, stale.body.vapps.stale], [3, 2]);
  });
});
