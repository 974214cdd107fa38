import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './clock.ts';

const hour = 3_600_000;

test('a wait may be longer than a timer of Node can be, and can be cancelled in its second part', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const woken: string[] = [];
  systemClock.after(720 * hour, () => woken.push('month'));
  const cancelled = systemClock.after(720 * hour, () => woken.push('cancelled'));
  mock.timers.tick(1000);
  assert.deepEqual(woken, []);
  const first = 2 ** 31 - 1;
  mock.timers.tick(first - 1000);
  cancelled.cancel();
  mock.timers.tick(720 * hour - first - 1);
  assert.deepEqual(woken, []);
  mock.timers.tick(1);
  assert.deepEqual(woken, ['month']);
});
