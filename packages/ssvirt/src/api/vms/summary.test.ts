/** Counts by status, over HTTP and rows. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
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

  test('counts each VM and vApp as its own answer shows it', async () => {
    await setCluster(api.db, { name: 'local', state: 'synced' });
    const { token, organizationId: organization_id } = await api.person('Read-only');
    const vdc = await makeVdc(api.db, { organization_id });
    const vapps = await Promise.all(
      [{}, {}, { desired_state: 'absent' }, { creation: 'running' }, { creation: 'failed' }, {}].map((vapp) =>
        makeVapp(api.db, { vdc_id: vdc.id, ...(vapp as object) }),
      ),
    );
    const [mixed, unwritten] = [vapps[0]?.id, vapps[1]?.id];
    await observe(api.db, await makeVm(api.db, { vapp_id: mixed! }), 'FAILED');
    await makeVm(api.db, { vapp_id: mixed!, desired_state: 'absent' });
    const late = await makeVm(api.db, { vapp_id: unwritten! });
    await observe(api.db, late, 'SUSPENDED');
    await sql`
      INSERT INTO sync_failures (cluster, namespace, vm_name, error_type, message, attempts)
      VALUES (${late.cluster}, ${late.namespace}, ${late.vm_name}, 'Timeout', 'late', 1)
    `.execute(api.db);
    await observe(api.db, await makeVm(api.db, { vapp_id: vapps[5]!.id }), 'POWERED_OFF');

    const shown = async (list: string): Promise<unknown> => {
      const { body } = await api.ask<{ values: { status: string; stale: boolean }[] }>('GET', list, { token });
      const byStatus: Record<string, number> = {};
      for (const { status } of body.values) byStatus[status] = (byStatus[status] ?? 0) + 1;
      return { total: body.values.length, stale: body.values.filter(({ stale }) => stale).length, byStatus };
    };
    const { body } = await api.ask('GET', summary, { token });
    assert.deepEqual(body, { vms: await shown('/cloudapi/1.0.0/vms'), vapps: await shown('/cloudapi/1.0.0/vapps') });
    assert.deepEqual((body as { vms: unknown }).vms, {
      total: 4,
      stale: 1,
      byStatus: { FAILED: 1, DELETING: 1, SUSPENDED: 1, POWERED_OFF: 1 },
    });
  });
});
