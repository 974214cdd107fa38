/** A cluster whose identity has changed: nothing is written there before a person has accepted it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { until } from '../../../../../../test/runtime/until.ts';
import { TenancyGround } from '../../../../../../test/tenancy/ground.ts';
import { acceptCluster } from '../../../db/clusters/accept-cluster.ts';
import type { Vdc } from '../../../db/vdcs/vdcs.ts';

suite('a cluster that is another one than was recorded', () => {
  let ground: Awaited<ReturnType<typeof TenancyGround.start>>;
  let made: Vdc;
  before(async () => {
    ground = await TenancyGround.start();
    const replica = ground.replica();
    made = await ground.made();
    await replica.stop();
    await ground.db
      .insertInto('clusters')
      .values({ name: 'local', identity: '00000000-0000-4000-8000-000000000001', state: 'synced', epoch: 1 })
      .execute();
  });
  after(() => ground?.stop());

  test('gets nothing and loses nothing until a person has accepted it', async () => {
    const [create, remove] = [await ground.create(), await ground.remove(made)];
    const { fleet } = ground.replica();
    for (const { vdc } of [create, remove])
      await until('it says what it waits for', async () =>
        /its identity has changed, which an administrator must accept/.test((await ground.work(vdc.id))?.message ?? ''),
      );
    for (const { task } of [create, remove]) assert.equal((await ground.task(task)).ended_at, null);
    assert.equal(await ground.find(create.vdc, 'Namespace'), undefined);
    assert.notEqual(await ground.find(made, 'Namespace'), undefined);
    const advice = ground.lines.map((line) => String(line['why'])).find((why) => why.includes('accept-cluster'));
    assert.match(advice ?? '', new RegExp(`ssvirt database accept-cluster local ${fleet.identityOf('local')}$`));
    await acceptCluster(ground.db, 'local', fleet.identityOf('local') ?? '');
    for (const { task } of [create, remove]) await ground.ended(task, 'success');
  });
});
