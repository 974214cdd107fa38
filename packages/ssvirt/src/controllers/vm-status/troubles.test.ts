import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { Troubles } from './troubles.ts';

const web = { cluster: 'east', key: 'a/web', uid: 'u1' };

function world(): { readonly clock: FakeClock; readonly troubles: Troubles; readonly looked: string[] } {
  const clock = new FakeClock();
  const looked: string[] = [];
  return { clock, troubles: new Troubles(clock, (cluster, key) => looked.push(`${cluster} ${key}`)), looked };
}

test('a trouble ages while it stays the same, and a machine that is in none is looked at no more', async () => {
  const { clock, troubles, looked } = world();
  assert.equal(troubles.ageMs(web, 'ImagePull'), 0);
  troubles.note(web, 'ImagePull', 60_000);
  await clock.advance(20_000);
  assert.equal(troubles.ageMs(web, 'ImagePull'), 20_000);
  troubles.note(web, 'ImagePull', 40_000);
  assert.equal(troubles.ageMs(web, 'ImagePull'), 20_000, 'to be seen again makes it no younger');
  await clock.advance(40_000);
  assert.deepEqual(looked, ['east a/web'], 'once, though it was noted twice');
  troubles.end('east', 'a/web');
  assert.deepEqual([troubles.size, clock.timers], [0, 0]);
  assert.equal(troubles.ageMs(web, 'ImagePull'), 0);
});

test('another problem of the same machine starts over', async () => {
  const { clock, troubles } = world();
  troubles.note(web, 'ImagePull', 60_000);
  await clock.advance(50_000);
  troubles.note(web, 'Unschedulable', 300_000);
  assert.equal(troubles.ageMs(web, 'Unschedulable'), 0);
  assert.equal(troubles.ageMs(web, 'ImagePull'), 0);
  assert.equal(clock.timers, 1);
});

test('of a cluster that leaves nothing is left, and others are kept', () => {
  const { clock, troubles } = world();
  troubles.note(web, 'ImagePull', 60_000);
  troubles.note({ ...web, cluster: 'east-2' }, 'ImagePull', 60_000);
  troubles.forget('east');
  assert.deepEqual([troubles.size, clock.timers], [1, 1]);
  troubles.stop();
  assert.deepEqual([troubles.size, clock.timers], [0, 0]);
});

test('a trouble that an earlier leader has recorded goes on, but only for the same machine and the same problem', async () => {
  const { clock, troubles } = world();
  const recorded = {
    cluster: 'east',
    namespace: 'a',
    name: 'web',
    uid: 'u1',
    trouble: 'Unschedulable',
    ageMs: 200_000,
  };
  troubles.recall([recorded]);
  await clock.advance(10_000);
  assert.equal(troubles.ageMs(web, 'Unschedulable'), 210_000);
  assert.equal(troubles.ageMs(web, 'ImagePull'), 0);
  assert.equal(troubles.ageMs({ ...web, uid: 'u2' }, 'Unschedulable'), 0, 'it was made again in between');
  troubles.note(web, 'Unschedulable', 90_000);
  await clock.advance(10_000);
  assert.equal(troubles.ageMs(web, 'Unschedulable'), 220_000);
  troubles.recall([{ ...recorded, ageMs: 5000 }]);
  assert.equal(troubles.ageMs(web, 'Unschedulable'), 220_000, 'what this process has seen itself counts');
});
