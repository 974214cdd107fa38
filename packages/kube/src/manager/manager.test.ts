import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { pino } from 'pino';
import { StallingClock } from '../../../../test/runtime/stalling-clock.ts';
import { FakeClock, settle } from '../fake-clock.ts';
import { createManager } from './manager.ts';
import type { Manager, ManagerOptions } from './manager.ts';
import type { Runnable } from './runnable.ts';

interface Scene {
  readonly manager: Manager;
  readonly clock: FakeClock;
  /** What happened, in order. */
  readonly history: string[];
  readonly lines: string[];
  /** Returns a runnable that records its start and end, and ends on its signal. */
  readonly actor: (name: string, more?: Partial<Runnable> & { readonly slowToEnd?: Promise<void> }) => Runnable;
  readonly stop: () => Promise<void>;
  readonly done: Promise<void>;
  readonly start: () => Promise<void>;
}

/** Runs after failed tests too: a listening server would keep the process alive. */
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function scene(options: Partial<ManagerOptions> = {}): Scene {
  const clock = new FakeClock();
  const history: string[] = [];
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const manager = createManager({ log, clock, ...options });
  const stopping = new AbortController();
  const done = Promise.withResolvers<void>();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await settle();
  };
  stops.push(stop);
  return {
    manager,
    clock,
    history,
    lines,
    actor: (name, { slowToEnd, ...more } = {}) => ({
      name,
      async run({ signal }) {
        history.push(`${name} runs`);
        await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
        history.push(`${name} is stopping`);
        await slowToEnd;
        history.push(`${name} has ended`);
      },
      ...more,
    }),
    start: async () => {
      done.resolve(manager.run(stopping.signal));
      done.promise.catch(() => undefined); // the test checks it
      await settle();
    },
    stop,
    done: done.promise,
  };
}

test('M1: caches run first, then what runs everywhere, then what needs a leader; the end is the reverse', async () => {
  const { manager, actor, history, start, stop, done } = scene();
  const warm = Promise.withResolvers<void>();
  manager.add(actor('leader'));
  manager.add(actor('worker', { needsLeadership: false }));
  manager.add(actor('cache', { kind: 'cache', warmUp: () => warm.promise }));
  await start();
  assert.deepEqual(history, ['cache runs'], 'a cache runs while it warms up, the others wait for it');
  warm.resolve();
  await settle();
  assert.deepEqual(history.splice(0), ['cache runs', 'worker runs', 'leader runs']);
  await stop();
  await done;
  assert.deepEqual(history, [
    'leader is stopping',
    'leader has ended',
    'worker is stopping',
    'worker has ended',
    'cache is stopping',
    'cache has ended',
  ]);
});

test('M1, M2: health is served from the start to the end of all that runs, ready when all is warm', async () => {
  const end = Promise.withResolvers<void>();
  const { manager, actor, lines, start, stop, done } = scene({ health: { port: 0 } });
  const warm = Promise.withResolvers<void>();
  manager.add(actor('cache', { kind: 'cache', warmUp: () => warm.promise, slowToEnd: end.promise }));
  await start();
  while (manager.urls.health === undefined) await settle();
  const at = manager.urls.health;
  assert.match(
    lines.join(''),
    new RegExp(`"health":"${at}","msg":"serving"`),
    'whoever looks for it finds it in the log',
  );
  const code = async (path: string): Promise<number> => (await fetch(`${at}${path}`)).status;
  assert.deepEqual([await code('/healthz'), await code('/readyz'), await code('/readyz/warm-up')], [200, 500, 500]);
  warm.resolve();
  await settle();
  assert.deepEqual([await code('/healthz'), await code('/readyz')], [200, 200], 'M2: ready without being the leader');
  await stop();
  assert.equal(await code('/healthz'), 200, 'a cache still runs');
  end.resolve();
  await done;
  await assert.rejects(fetch(at));
});

test('M1: what ends within the grace ends in order, and what does not is named', async () => {
  const never = new Promise<void>(() => {});
  const { manager, actor, history, clock, start, stop, done } = scene();
  manager.add(actor('stubborn', { slowToEnd: never }));
  manager.add(actor('worker', { needsLeadership: false }));
  await start();
  await stop();
  await clock.advance(29_999);
  assert.equal(history.includes('worker is stopping'), false, 'the worker is not told before its turn');
  await clock.advance(1 + 500);
  await assert.rejects(done, /cannot stop in time, still running: stubborn/);
  assert.ok(history.includes('worker is stopping'), 'every worker gets the signal to stop');
});

test('M1: with a grace of -1 it waits for ever', async () => {
  const end = Promise.withResolvers<void>();
  const { manager, actor, clock, start, stop, done } = scene({ graceMs: -1 });
  manager.add(actor('slow', { slowToEnd: end.promise }));
  await start();
  await stop();
  await clock.advance(600_000);
  end.resolve();
  await done;
});

test('M1: what is not warm in time is named in the log, and does not hold up the others for ever', async () => {
  const { manager, actor, history, lines, clock, start, stop, done } = scene();
  const never = (signal: AbortSignal): Promise<void> =>
    new Promise((end) => signal.addEventListener('abort', () => end()));
  manager.add(actor('cold', { warmUp: never }));
  manager.add(actor('warm', { warmUp: () => Promise.resolve() }));
  await start();
  await clock.advance(119_999);
  assert.deepEqual(history, []);
  await clock.advance(1);
  assert.deepEqual(history, ['warm runs']);
  assert.match(lines.join(''), /"runnables":\["cold"\],"msg":"runnables not warm in time, continuing"/);
  await stop();
  await done;
});

test('M1: what is added while it runs is started at once', async () => {
  const { manager, actor, history, start, stop, done } = scene();
  manager.add(actor('first'));
  await start();
  manager.add(actor('second'));
  await settle();
  assert.deepEqual(history, ['first runs', 'second runs']);
  await stop();
  await done;
  assert.throws(() => manager.add(actor('third')), /the manager is stopping/);
});

test('M1: a manager that is stopped before it started starts nothing', async () => {
  const { manager, actor, history, start, stop, done } = scene();
  manager.add(actor('one'));
  await stop();
  await start();
  await done;
  assert.deepEqual(history, []);
});

test('M4: the first error stops all, and is what it ends with; later ones are logged', async () => {
  const { manager, actor, history, lines, start, done } = scene();
  const failing = Promise.withResolvers<void>();
  manager.add(actor('good'));
  manager.add({ name: 'first', needsLeadership: false, run: () => failing.promise });
  manager.add({
    name: 'late',
    kind: 'cache',
    run: ({ signal }) =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('could not tidy up')))),
  });
  await start();
  failing.reject(new Error('the first one'));
  await assert.rejects(done, { message: 'the first one' });
  assert.ok(history.includes('good has ended'));
  const late = lines.map((line) => JSON.parse(line) as { msg: string; runnable?: string; err?: { message: string } });
  assert.deepEqual(
    late.filter(({ msg }) => msg === 'failed while stopping').map(({ runnable, err }) => [runnable, err?.message]),
    [['late', 'could not tidy up']],
  );
});

test('M4: what is thrown at once, and what fails while it warms up, stops it as well', async () => {
  const thrown = scene();
  thrown.manager.add({
    name: 'one',
    run: () => {
      throw new Error('at once');
    },
  });
  await thrown.start();
  await assert.rejects(thrown.done, /at once/);

  const cold = scene();
  cold.manager.add(cold.actor('two', { warmUp: () => Promise.reject(new Error('no cache')) }));
  await cold.start();
  await assert.rejects(cold.done, /no cache/);
  assert.deepEqual(cold.history, []);
});

test('M4: a cache that fails while it warms up is stopped after all others, and waited for', async () => {
  const { manager, actor, history, start, done } = scene();
  const cold = Promise.withResolvers<void>();
  const tidy = Promise.withResolvers<void>();
  manager.add(actor('cache', { kind: 'cache', warmUp: () => cold.promise, slowToEnd: tidy.promise }));
  await start();
  let over = false;
  done.catch(() => (over = true));
  cold.reject(new Error('no such kind'));
  await settle();
  await settle();
  assert.equal(over, false, 'it still runs');
  tidy.resolve();
  await assert.rejects(done, /no such kind/);
  assert.deepEqual(history, ['cache runs', 'cache is stopping', 'cache has ended']);
});

test('M4: a runnable that ends with an AbortError because it was stopped has not failed', async () => {
  const { manager, start, stop, done } = scene();
  manager.add({
    name: 'one',
    run: ({ signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error))),
  });
  await start();
  await stop();
  await done;
});

test('M4: an address that cannot be had is an error before anything runs', async () => {
  const { manager, actor, history, start, done } = scene({ health: { host: '192.0.2.1', port: 0 } });
  manager.add(actor('one'));
  await start();
  await assert.rejects(done, /cannot serve health/);
  assert.deepEqual(history, []);
});

test('M2: an event loop that was blocked for a second is not ready, and one blocked for 30 s is not alive', async () => {
  const clock = new StallingClock();
  const { manager, start, stop, done } = scene({ clock, health: { port: 0 } });
  await start();
  while (manager.urls.health === undefined) await settle();
  const at = manager.urls.health;
  const codes = async (): Promise<number[]> =>
    Promise.all(['/healthz', '/readyz'].map(async (path) => (await fetch(`${at}${path}`)).status));
  clock.stall(1500);
  assert.deepEqual(await codes(), [200, 500]);
  await clock.fake.advance(11_000);
  assert.deepEqual(await codes(), [200, 200]);
  clock.stall(31_000);
  assert.deepEqual(await codes(), [500, 500]);
  await stop();
  await done;
});

test('M2: checks of others are named in the answer', async () => {
  const { manager, start, stop, done } = scene({ health: { port: 0 } });
  manager.addReadyCheck('database', () => Promise.reject(new Error('no connection')));
  manager.addHealthCheck('sanity', () => undefined);
  await start();
  while (manager.urls.health === undefined) await settle();
  const at = manager.urls.health;
  assert.match(await (await fetch(`${at}/readyz`)).text(), /^\[-\]database failed: reason withheld$/m);
  assert.equal((await fetch(`${at}/readyz?exclude=database`)).status, 200);
  assert.match(await (await fetch(`${at}/healthz?verbose`)).text(), /^\[\+\]sanity ok$/m);
  await stop();
  await done;
});
