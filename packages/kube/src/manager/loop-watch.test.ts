import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StallingClock } from '../../../../test/runtime/stalling-clock.ts';
import { LoopWatch } from './loop-watch.ts';

test('M2: a stall is seen by whoever asks first, and forgotten after a while', async () => {
  const clock = new StallingClock();
  const watch = new LoopWatch(clock);
  watch.start();
  await clock.fake.advance(10_000);
  assert.equal(watch.worstMs(10_000), 0, 'an event loop that runs is not blocked');
  clock.stall(1500);
  assert.equal(watch.worstMs(10_000), 1250, 'the part of it that is beyond the next look');
  await clock.fake.advance(9000);
  assert.equal(watch.worstMs(10_000), 1250);
  await clock.fake.advance(2000);
  assert.equal(watch.worstMs(10_000), 0);
  assert.equal(watch.worstMs(60_000), 1250, 'who looks back further still sees it');
  watch.stop();
  assert.equal(clock.fake.timers, 0);
});

test('M2: of several stalls the worst counts', async () => {
  const clock = new StallingClock();
  const watch = new LoopWatch(clock);
  watch.start();
  for (const ms of [500, 3000, 700]) {
    clock.stall(ms);
    await clock.fake.advance(1000);
  }
  assert.equal(watch.worstMs(60_000), 3000);
  watch.stop();
});
