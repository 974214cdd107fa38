import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Repeater } from './repeater.ts';

test('work is never done twice at a time, and once more for all pokes that came meanwhile', async () => {
  let running = 0;
  let done = 0;
  let release: (() => void) | undefined;
  const repeater = new Repeater(
    async () => {
      assert.equal(++running, 1);
      await new Promise<void>((resolve) => (release = resolve));
      running--;
      done++;
      return 60_000;
    },
    (error) => assert.fail(String(error)),
  );
  for (let i = 0; i < 3; i++) repeater.poke();
  for (let i = 0; i < 2; i++) {
    release?.();
    await new Promise(setImmediate);
  }
  assert.equal(done, 2);
  repeater.stop();
});

test('work comes again after the pause that it asks for, and after a failure that was logged', async () => {
  const outcomes: string[] = [];
  const { promise: thrice, resolve } = Promise.withResolvers<void>();
  const repeater: Repeater = new Repeater(
    () => {
      if (outcomes.length === 1) return Promise.reject(new Error('once'));
      outcomes.push('done');
      if (outcomes.length === 4) resolve();
      return Promise.resolve(1);
    },
    () => {
      outcomes.push('failed');
      repeater.poke();
    },
  );
  repeater.poke();
  await thrice;
  repeater.stop();
  assert.deepEqual(outcomes, ['done', 'failed', 'done', 'done']);
});
