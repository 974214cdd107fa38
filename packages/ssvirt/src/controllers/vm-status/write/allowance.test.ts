import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { Allowance } from './allowance.ts';

test('so many at once, then so many a second, and never more than at once', async () => {
  const clock = new FakeClock();
  const allowance = new Allowance(clock, 3, 2);
  const taken = (): number => Array.from({ length: 10 }, () => allowance.take()).filter(Boolean).length;
  assert.equal(taken(), 3);
  assert.equal(taken(), 0);
  await clock.advance(1000);
  assert.equal(taken(), 2);
  await clock.advance(250);
  assert.equal(taken(), 0, 'half a one is none');
  await clock.advance(250);
  assert.equal(taken(), 1);
  await clock.advance(3_600_000);
  assert.equal(taken(), 3);
});

test('what was refused is allowed when its time has come, and not before', async () => {
  const clock = new FakeClock();
  const allowance = new Allowance(clock, 1, 1);
  assert.deepEqual([allowance.take(), allowance.take()], [true, false]);
  await clock.advance(999);
  assert.equal(allowance.take(), false);
  await clock.advance(1);
  assert.equal(allowance.take(), true);
});
