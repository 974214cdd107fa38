import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { Troubles } from './troubles.ts';

function world(): { readonly clock: FakeClock; readonly troubles: Troubles; readonly looked: string[] } {
  const clock = new FakeClock();
  const looked: string[] = [];
  return { clock, troubles: new Troubles(clock, (cluster, key) => looked.push(`${cluster} ${key}`)), looked };
}

test('a trouble ages while it stays the same, and a machine that is in none is looked at no more', async () => {
  const { clock, troubles, looked } = world();
  assert.equal(troubles.ageMs('east', 'a/web', 'ImagePull'), 0);
  troubles.note('east', 'a/web', 'ImagePull', 60_000);
  await clock.advance(20_000);
  assert.equal(troubles.ageMs('east', 'a/web', 'ImagePull'), 20_000);
  troubles.note('east', 'a/web', 'ImagePull', 40_000);
  assert.equal(troubles.ageMs('east', 'a/web', 'ImagePull'), 20_000, 'to be seen again makes it no younger');
  await clock.advance(40_000);
  assert.deepEqual(looked, ['east a/web'], 'once, though it was noted twice');
  troubles.note('east', 'a/web', undefined, undefined);
  assert.deepEqual([troubles.size, clock.timers], [0, 0]);
  assert.equal(troubles.ageMs('east', 'a/web', 'ImagePull'), 0);
});

test('another problem of the same machine starts over', async () => {
  const { clock, troubles } = world();
  troubles.note('east', 'a/web', 'ImagePull', 60_000);
  await clock.advance(50_000);
  troubles.note('east', 'a/web', 'Unschedulable', 300_000);
  assert.equal(troubles.ageMs('east', 'a/web', 'Unschedulable'), 0);
  assert.equal(troubles.ageMs('east', 'a/web', 'ImagePull'), 0);
  assert.equal(clock.timers, 1);
});

test('of a cluster that leaves nothing is left, and others are kept', () => {
  const { clock, troubles } = world();
  troubles.note('east', 'a/web', 'ImagePull', 60_000);
  troubles.note('east-2', 'a/web', 'ImagePull', 60_000);
  troubles.forget('east');
  assert.deepEqual([troubles.size, clock.timers], [1, 1]);
  troubles.stop();
  assert.deepEqual([troubles.size, clock.timers], [0, 0]);
});
