import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../admission/cluster.fixture.ts';
import { WorkQueue } from './work-queue.ts';

const unexpected = (error: unknown): never => assert.fail(String(error));
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Work that blocks until it is released. */
class Gate {
  readonly #open = new Map<string, () => void>();

  pass(key: string): Promise<void> {
    return new Promise((resolve) => this.#open.set(key, resolve));
  }

  has(key: string): boolean {
    return this.#open.has(key);
  }

  open(key: string): void {
    this.#open.get(key)?.();
    this.#open.delete(key);
  }
}

test('keys are worked on one after the other in the order they came, each once however often it was added', async () => {
  const log: string[] = [];
  const queue = new WorkQueue(async (key) => {
    log.push(`${key} begins`);
    await turn();
    log.push(`${key} ends`);
  }, unexpected);
  for (const key of ['a', 'b', 'a', 'c']) queue.add(key);
  await until('the end', () => log.includes('c ends'));
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('a key that takes long holds up no other, and is not worked on twice at a time', async () => {
  const gate = new Gate();
  const done: string[] = [];
  let stuck = 0;
  const queue = new WorkQueue(async (key) => {
    if (key === 'stuck') {
      stuck++;
      await gate.pass(key);
    }
    done.push(key);
  }, unexpected);
  queue.add('stuck');
  await until('it to be stuck', () => gate.has('stuck'));
  queue.add('stuck');
  for (const key of ['a', 'b']) queue.add(key);
  await until('the others', () => done.length === 2);
  assert.deepEqual(done, ['a', 'b']);
  assert.equal(stuck, 1);
  gate.open('stuck');
  await until('it to be worked on again', () => stuck === 2);
  gate.open('stuck');
  await until('both to be done', () => done.length === 4);
  queue.add('c');
  await until('what comes later', () => done.at(-1) === 'c');
});

test('no more than twenty take long at once', async () => {
  const gate = new Gate();
  let running = 0;
  let most = 0;
  let ended = 0;
  const keys = Array.from({ length: 25 }, (_, i) => `k${i}`);
  const queue = new WorkQueue(async (key) => {
    most = Math.max(most, ++running);
    await gate.pass(key);
    running--;
    ended++;
  }, unexpected);
  for (const key of keys) queue.add(key);
  await until('twenty to run', () => running === 20);
  while (ended < keys.length) {
    for (const key of keys) gate.open(key);
    await turn();
  }
  assert.equal(most, 20);
});

test('a key that fails is logged and tried again', async () => {
  const failures: string[] = [];
  let attempts = 0;
  const queue = new WorkQueue(
    async () => {
      if (++attempts < 3) throw new Error(`attempt ${attempts}`);
    },
    (error, key) => failures.push(`${key}: ${String(error)}`),
  );
  queue.add('x');
  await until('three attempts', () => attempts === 3);
  assert.deepEqual(failures, ['x: Error: attempt 1', 'x: Error: attempt 2']);
});

test('nothing is begun after the stop', async () => {
  let worked = 0;
  const queue = new WorkQueue(async () => void worked++, unexpected);
  queue.add('a');
  queue.addAfter('b', 1);
  queue.stop();
  queue.add('c');
  // A second queue that still runs shows when all work would have been done.
  const clock: string[] = [];
  new WorkQueue(async (key) => void clock.push(key), unexpected).addAfter('later', 5);
  await until('later', () => clock.length === 1);
  assert.equal(worked, 0);
});
