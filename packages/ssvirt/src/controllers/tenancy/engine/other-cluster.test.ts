/** A cluster whose identity has changed: nothing is written there before a person has accepted it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { until } from '../../../../../../test/runtime/until.ts';
import { TenancyHarness } from '../../../../../../test/tenancy/harness.ts';
import { acceptCluster } from '../../../db/clusters/accept-cluster.ts';
import type { Vdc } from '../../../db/vdcs/vdcs.ts';

suite('a cluster that is another one than was recorded', () => {
  let harness: Awaited<ReturnType<typeof TenancyHarness.start>>;
  let made: Vdc;
  before(async () => {
    harness = await TenancyHarness.start();
    const replica = harness.replica();
    made = await harness.made();
    await replica.stop();
    await harness.db
      .insertInto('clusters')
      .values({ name: 'local', identity: '00000000-0000-4000-8000-000000000001', state: 'synced', epoch: 1 })
      .execute();
  });
  after(() => harness?.stop());

  test('gets nothing and loses nothing until a person has accepted it', async () => {
    const [create, remove] = [await harness.create(), await harness.remove(made)];
    const { fleet } = harness.replica();
    for (const { vdc } of [create, remove])
      await until('it says what it waits for', async () =>
        /its identity has changed, which an administrator must accept/.test(
          (await harness.work(vdc.id))?.message ?? '',
        ),
      );
    for (const { task } of [create, remove]) assert.equal((await harness.task(task)).ended_at, null);
    assert.equal(await harness.find(create.vdc, 'Namespace'), undefined);
    assert.notEqual(await harness.find(made, 'Namespace'), undefined);
    const advice = harness.lines.map((line) => String(line['why'])).find((why) => why.includes('accept-cluster'));
    assert.match(advice ?? '', new RegExp(`ssvirt database accept-cluster local ${fleet.identityOf('local')}$`));
    await acceptCluster(harness.db, 'local', fleet.identityOf('local') ?? '');
    for (const { task } of [create, remove]) await harness.ended(task, 'success');
  });
});
