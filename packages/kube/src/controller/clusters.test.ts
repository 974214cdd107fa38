import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FakeClock, settle } from '../fake-clock.ts';
import { clusterOf, Gate, memoryLog, request, startController, type Bench } from './controller.fixture.ts';
import { createController, type ControllerOptions } from './controller.ts';
import { polls } from './polls.ts';
import type { Request } from './request.ts';
import type { Source } from './source.ts';
import { external } from './sources.ts';

/** A source that syncs on demand, and enqueues one key before. */
class Manual implements Source {
  readonly name: string;
  readonly #reason: string | undefined;
  readonly #sync = Promise.withResolvers<void>();
  started = 0;
  ended = 0;
  synced = false;

  constructor(name: string, reason?: string) {
    this.name = name;
    this.#reason = reason;
  }

  start: Source['start'] = (sink) => {
    const { signal, cluster } = sink;
    this.started++;
    const end = (): void => {
      this.ended++;
      this.#sync.resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    sink.enqueue(request('listed', cluster), { priority: -100 });
    const hasSynced = (): boolean => this.synced;
    return {
      get hasSynced() {
        return hasSynced();
      },
      synced: () => this.#sync.promise,
      trouble: () => this.#reason,
    };
  };

  sync(): void {
    this.synced = true;
    this.#sync.resolve();
  }
}

function recorder(): { readonly seen: string[]; readonly reconcile: (request: Request) => Promise<void> } {
  const seen: string[] = [];
  return {
    seen,
    reconcile: ({ cluster, name }) => {
      seen.push(`${cluster}/${name}`);
      return Promise.resolve();
    },
  };
}

suite('sources and their sync', () => {
  test('I3: nothing of a cluster is reconciled before all of its sources have synced', async (t) => {
    const sources = [new Manual('one'), new Manual('two')];
    const { seen, reconcile } = recorder();
    const bench = startController(t, { reconcile, sources: () => sources }, clusterOf(t, 'a'));
    await settle();
    sources[0]?.sync();
    await settle();
    assert.deepEqual(seen, []);
    assert.deepEqual(
      bench.controller.health().sources.map(({ source, synced }) => [source, synced]),
      [
        ['one', true],
        ['two', false],
      ],
    );
    sources[1]?.sync();
    await settle();
    assert.deepEqual(seen, ['a/listed']);
    assert.equal(bench.clock.timers, 0, 'the timeout is off');
  });

  test('Q9: sources that do not sync within two minutes end the controller, by their names', async (t) => {
    const sources = [new Manual('fast'), new Manual('slow', 'connection refused'), new Manual('slower')];
    sources[0]?.sync();
    const bench = startController(t, { sources: () => sources }, clusterOf(t, 'a'));
    const failed = assert.rejects(bench.running, {
      name: 'CacheSyncTimeout',
      message:
        'cannot sync the sources of controller "test" in cluster "a" within 120 s: slow (connection refused), slower',
    });
    await bench.clock.advance(119_999);
    assert.equal(bench.controller.enqueue(request('1')), true, 'it still runs');
    await bench.clock.advance(1);
    await failed;
    assert.deepEqual(
      sources.map(({ ended }) => ended),
      [1, 1, 1],
    );
  });

  for (const [onSyncTimeout, reason, ends] of [
    ['wait-if-absent', 'absent', false],
    ['wait-if-absent', 'forbidden', true],
    ['wait', 'forbidden', false],
  ] as const)
    test(`Q9: with ${onSyncTimeout}, a source that is ${reason} ${ends ? 'ends the controller' : 'is waited for and reported'}`, async (t) => {
      const late = new Manual('late', reason);
      const { seen, reconcile } = recorder();
      const options = { reconcile, sources: () => [late], onSyncTimeout, cacheSyncTimeoutMs: 1000 };
      const bench = startController(t, options, clusterOf(t, 'a'));
      let ended = false;
      const running = bench.running.catch(() => (ended = true));
      await bench.clock.advance(2000);
      assert.equal(ended, ends);
      if (ends) return;
      const reports = bench.lines.filter(({ msg }) => msg === 'sources not synced, cluster waits');
      assert.equal(reports.length, 2, 'again and again');
      assert.match(JSON.stringify(reports[0]), new RegExp(`late \\(${reason}\\)`));
      late.sync();
      await settle();
      assert.deepEqual(seen, ['a/listed']);
      bench.stop();
      await running;
    });

  test('L9: warming up syncs the sources, and works on nothing before it runs', async (t) => {
    const source = new Manual('one');
    const { seen, reconcile } = recorder();
    const controller = createController({ name: 'test', reconcile, sources: () => [source], log: memoryLog().log });
    controller.engage(clusterOf(t, 'a'));
    assert.equal(source.started, 0, 'not before it is asked to');
    const stop = new AbortController();
    let warm = false;
    const warming = controller.warmUp(stop.signal).then(() => (warm = true));
    await settle();
    assert.deepEqual([source.started, warm], [1, false]);
    source.sync();
    await warming;
    await settle();
    assert.equal(seen.length, 0);
    const running = controller.run({ signal: stop.signal });
    await settle();
    assert.deepEqual(seen, ['a/listed']);
    assert.deepEqual([source.started, source.ended], [2, 1], 'the source has told it what there is now');
    stop.abort();
    await running;
  });

  test('L9, memory growth: a standby keeps no keys of what comes and goes while it waits', async (t) => {
    const source = external('notifications');
    const { seen, reconcile } = recorder();
    const controller = createController({ name: 'test', reconcile, sources: () => [source], log: memoryLog().log });
    controller.engage(clusterOf(t, 'a'));
    const stop = new AbortController();
    await controller.warmUp(stop.signal);
    for (let name = 0; name < 100; name++) assert.equal(source.push(request(`gone-${name}`, 'a')), false);
    assert.equal(controller.enqueue(request('gone', 'a')), false);
    assert.equal(controller.health().waiting, 0);
    const running = controller.run({ signal: stop.signal });
    assert.equal(source.push(request('here', 'a')), true);
    await settle();
    assert.deepEqual(seen, ['a/here']);
    stop.abort();
    await running;
  });

  test('L9: a standby that is stopped before it leads lets go of its sources', async (t) => {
    const source = new Manual('one');
    const controller = createController({
      name: 'test',
      reconcile: () => Promise.resolve(),
      sources: () => [source],
      log: memoryLog().log,
    });
    controller.engage(clusterOf(t, 'a'));
    const stop = new AbortController();
    const warming = controller.warmUp(stop.signal);
    stop.abort();
    await warming;
    assert.equal(source.ended, 1);
  });

  test('Q9: a warm-up whose sources do not sync rejects with their names', async (t) => {
    const bench = startController(t, {});
    const source = new Manual('never');
    const controller = createController({
      name: 'test',
      reconcile: () => Promise.resolve(),
      sources: () => [source],
      log: memoryLog().log,
      clock: bench.clock,
    });
    controller.engage(clusterOf(t, 'a'));
    const warming = assert.rejects(controller.warmUp(new AbortController().signal), /never/);
    await bench.clock.advance(120_000);
    await warming;
    assert.equal(source.ended, 1);
  });
});

suite('clusters of a controller', () => {
  test('C1: a cluster can be engaged before, while and as often as one likes', async (t) => {
    const started: string[] = [];
    const { seen, reconcile } = recorder();
    const [a, b, c] = [clusterOf(t, 'a'), clusterOf(t, 'b'), clusterOf(t, 'c')];
    const sources: ControllerOptions['sources'] = ({ name }) => {
      started.push(name);
      // Engaging a cluster during a callback is allowed.
      if (name === 'b') bench.controller.engage(c);
      return [];
    };
    const bench = startController(t, { reconcile, sources }, a, a);
    bench.controller.engage(a);
    bench.controller.engage(b);
    bench.controller.engage(b);
    await settle();
    bench.controller.enqueue(request('1', 'a'));
    bench.controller.enqueue(request('1', 'b'));
    await settle();
    assert.deepEqual(started, ['a', 'b', 'c']);
    assert.deepEqual(seen, ['a/1', 'b/1'], 'the same name in two clusters is two keys');
  });

  test('C1: a cluster that leaves takes its sources, keys and reconciles with it, and may come back', async (t) => {
    const gate = new Gate();
    const aborted: string[] = [];
    const reconcile: ControllerOptions['reconcile'] = (key, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(`${key.cluster}/${key.name}: ${String(signal.reason)}`));
      return gate.reconcile(key);
    };
    const sources: Manual[] = [];
    const source = (): readonly Source[] => {
      const made = new Manual('one');
      made.sync();
      sources.push(made);
      return [made];
    };
    const [a, b] = [clusterOf(t, 'a'), clusterOf(t, 'b')];
    const bench = startController(t, { reconcile, sources: source }, a, b);
    await settle();
    bench.controller.enqueue(request('waits'));
    bench.controller.enqueue(request('delayed'), { afterMs: 1000 });
    assert.deepEqual(gate.entered, ['a/listed', 'b/listed']);
    a.leave();
    await settle();
    assert.deepEqual(aborted, ['a/listed: Error: the cluster "a" has left']);
    assert.equal(sources[0]?.ended, 1);
    assert.equal(bench.controller.health().waiting, 0);

    const again = clusterOf(t, 'a');
    bench.controller.engage(again);
    await settle();
    assert.deepEqual(gate.entered, ['a/listed', 'b/listed'], 'the old reconcile still has the key');
    await gate.letGo('a/listed');
    assert.deepEqual(gate.entered, ['a/listed', 'b/listed', 'a/listed'], 'one after the other, never both');
    assert.equal(await bench.count('success'), 0, 'what the old one said does not count');
    await gate.letGo('a/listed');
    assert.equal(await bench.count('success'), 1);
    await gate.letGo('b/listed');
    await bench.clock.advance(2000);
    assert.deepEqual(gate.entered.slice(3), []);
  });

  test('C1: another connection to a cluster of the same name replaces the first', async (t) => {
    const sources: Manual[] = [];
    const source = (): readonly Source[] => {
      const made = new Manual('one');
      sources.push(made);
      return [made];
    };
    const old = clusterOf(t, 'a');
    const bench = startController(t, { sources: source }, old);
    bench.controller.engage(clusterOf(t, 'a'));
    assert.deepEqual(
      sources.map(({ started, ended }) => [started, ended]),
      [
        [1, 1],
        [1, 0],
      ],
    );
    old.leave();
    assert.equal(bench.controller.enqueue(request('1')), true, 'the old one leaving means nothing to the new');
    assert.equal(sources[1]?.ended, 0);
  });

  test('C2: a request for a cluster that is not there is dropped, not tried again', async (t) => {
    const { seen, reconcile } = recorder();
    const a = clusterOf(t, 'a');
    const bench = startController(t, { reconcile }, a);
    assert.equal(bench.controller.enqueue(request('1', 'nowhere')), false);
    a.leave();
    assert.equal(bench.controller.enqueue(request('1', 'a')), false);
    bench.controller.engage(a);
    assert.equal(bench.controller.enqueue(request('1', 'a')), false, 'who has left cannot be engaged');
    await bench.clock.advance(1000);
    assert.deepEqual(seen, []);
    assert.equal(await bench.count('error'), 0);
  });

  test('C2: what a cluster that left failed with is not tried again', async (t) => {
    let calls = 0;
    const reconcile: ControllerOptions['reconcile'] = (_, { signal }) => {
      calls++;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')));
      });
    };
    const a = clusterOf(t, 'a');
    const bench = startController(t, { reconcile }, a);
    bench.controller.enqueue(request('1'));
    await settle();
    a.leave();
    await bench.clock.advance(10_000);
    assert.deepEqual([calls, bench.controller.health().waiting, await bench.count('error')], [1, 0, 0]);
  });

  test('C3: a cluster that does not sync, and one whose sources throw, cost the others nothing', async (t) => {
    const { seen, reconcile } = recorder();
    const sources: ControllerOptions['sources'] = ({ name }) => {
      if (name === 'broken') throw new Error('no such kind');
      const source = new Manual('one');
      if (name !== 'slow') source.sync();
      return [source];
    };
    const options = { reconcile, sources, onSyncTimeout: 'wait', cacheSyncTimeoutMs: 1000 } as const;
    const bench = startController(t, options, clusterOf(t, 'slow'), clusterOf(t, 'broken'), clusterOf(t, 'a'));
    await bench.clock.advance(5000);
    assert.deepEqual(seen, ['a/listed']);
    const reports = bench.lines.filter(({ msg }) => msg === 'sources not synced, cluster waits');
    assert.deepEqual(new Set(reports.map(({ cluster }) => cluster)), new Set(['slow', 'broken']));
  });

  test('C3: a cluster in which every reconcile hangs costs the others no worker', async (t) => {
    const gate = new Gate();
    const { seen, reconcile } = recorder();
    const bench = startController(
      t,
      { reconcile: (key) => (key.cluster === 'hung' ? gate.reconcile(key) : reconcile(key)), concurrency: 2 },
      clusterOf(t, 'hung'),
      clusterOf(t, 'a'),
    );
    for (let n = 0; n < 50; n++) bench.controller.enqueue(request(String(n), 'hung'));
    for (let n = 0; n < 50; n++) bench.controller.enqueue(request(String(n), 'a'));
    await settle();
    await bench.clock.advance(0);
    assert.equal(seen.length, 50);
    assert.equal(gate.entered.length, 2);
  });

  test('C6: shares can be other than clusters', async (t) => {
    const gate = new Gate();
    const shareOf = ({ name }: Request): string => name.slice(0, 1);
    const bench = startController(t, { reconcile: gate.reconcile, shareOf }, clusterOf(t, 'a'));
    for (const name of ['x1', 'x2', 'y1']) bench.controller.enqueue(request(name));
    await settle();
    assert.deepEqual(gate.entered, ['a/x1', 'a/y1']);
  });
});

suite('sources from outside', () => {
  test('P3: a push goes to the cluster that it names, and is refused where no controller takes it', async (t) => {
    const { seen, reconcile } = recorder();
    const source = external('notify');
    const [a, b] = [clusterOf(t, 'a'), clusterOf(t, 'b')];
    assert.equal(source.push(request('early')), false);
    startController(t, { reconcile, sources: () => [source] }, a, b);
    await settle();
    assert.equal(source.push(request('1', 'a')), true);
    assert.equal(source.push(request('2', 'b')), true);
    assert.equal(source.push(request('3', 'c')), false);
    await settle();
    b.leave();
    assert.equal(source.push(request('4', 'b')), false);
    await settle();
    assert.deepEqual(seen, ['a/1', 'b/2']);
  });

  test('P3: a poll lists at the start and again and again, and is what the sync waits for', async (t) => {
    const { seen, reconcile } = recorder();
    let names = ['1'];
    const poll = (cluster: string): Promise<readonly Request[]> =>
      Promise.resolve(names.map((name) => request(name, cluster)));
    const source = polls('table', { everyMs: 60_000, poll, random: () => 0 });
    const bench = startController(t, { reconcile, sources: () => [source] }, clusterOf(t, 'a'));
    await settle();
    assert.deepEqual(seen, ['a/1']);
    names = ['2'];
    await bench.clock.advance(60_000);
    assert.deepEqual(seen, ['a/1', 'a/2']);
    bench.stop();
    await bench.running;
    assert.equal(bench.clock.timers, 0);
  });

  test('P3: a poll that fails, or does not answer, is repeated with growing pauses and seen in the health', async (t) => {
    const { seen, reconcile } = recorder();
    const times: number[] = [];
    const clock = new FakeClock();
    const poll = (cluster: string): Promise<readonly Request[]> => {
      times.push(clock.now());
      if (times.length === 1) return Promise.reject(new Error('no table'));
      if (times.length === 2) throw new Error('still no table');
      if (times.length === 3) return new Promise(() => undefined);
      if (times.length === 5) return Promise.reject(new Error('no table again'));
      return Promise.resolve([request('1', cluster)]);
    };
    const source = polls('table', { everyMs: 60_000, poll, timeoutMs: 5000, random: () => 0 });
    const bench = startController(t, { reconcile, sources: () => [source], clock }, clusterOf(t, 'a'));
    await bench.clock.advance(3000);
    assert.deepEqual(bench.controller.health().sources, [
      { cluster: 'a', source: 'table', synced: false, trouble: 'still no table' },
    ]);
    await bench.clock.advance(5000);
    assert.match(bench.controller.health().sources[0]?.trouble ?? '', /no answer within 5000 ms/);
    await bench.clock.advance(5000);
    assert.deepEqual(
      times.slice(1).map((at, index) => at - (times[index] ?? 0)),
      [1000, 2000, 5000 + 4000],
    );
    assert.deepEqual(seen, ['a/1']);
    assert.equal(bench.controller.health().sources[0]?.trouble, undefined);
    await bench.clock.advance(61_000);
    assert.equal((times[5] ?? 0) - (times[4] ?? 0), 1000, 'after an answer the pauses begin small again');
  });
});

test('C2: the metric of how many reconciles can run counts the workers of every cluster', async (t) => {
  const clusters = ['a', 'b', 'c'].map((name) => clusterOf(t, name));
  const most = async (bench: Bench): Promise<number | undefined> =>
    (await bench.metrics.reconcile.maxConcurrent.get()).values[0]?.value;
  const gate = new Gate();
  const bench = startController(t, { concurrency: 2, reconcile: gate.reconcile }, ...clusters);
  await settle();
  for (const cluster of ['a', 'b', 'c'])
    for (const name of ['x', 'y', 'z']) bench.controller.enqueue(request(name, cluster));
  await settle();
  assert.deepEqual([gate.open.size, await most(bench)], [6, 6]);
  clusters[0]?.leave();
  assert.equal(await most(bench), 4);
  for (const key of gate.open.keys()) await gate.letGo(key);
  const limited = startController(t, { concurrency: 2, totalConcurrency: 5 }, ...clusters.slice(1));
  assert.equal(await most(limited), 4, 'a total that is never reached');
  const few = startController(t, { concurrency: 2, totalConcurrency: 3, shareOf: () => 'all' }, ...clusters.slice(1));
  assert.equal(await most(few), 3);
});

test('C1: a reconcile that outlives its cluster takes no worker of the one that comes back, nor of others', async (t) => {
  for (const totalConcurrency of [undefined, 1]) {
    const gate = new Gate(); // it ignores its signal
    const first = clusterOf(t, 'a');
    const options = { reconcile: gate.reconcile, ...defined({ totalConcurrency }) };
    const bench = startController(t, options, first, clusterOf(t, 'b'));
    bench.controller.enqueue(request('stuck'));
    await settle();
    first.leave();
    bench.controller.engage(clusterOf(t, 'a'));
    await settle();
    for (const name of ['stuck', 'other']) bench.controller.enqueue(request(name));
    await settle();
    assert.deepEqual(gate.entered, ['a/stuck', 'a/other'], 'but its key stays its own');
    await gate.letGo('a/other');
    bench.controller.enqueue(request('1', 'b'));
    await settle();
    assert.deepEqual(gate.entered.slice(2), ['b/1']);
    await gate.letGo('b/1');
    await gate.letGo('a/stuck');
    assert.deepEqual(gate.entered.slice(3), ['a/stuck'], 'and when it ends at last, the key is worked on anew');
    await gate.letGo('a/stuck');
    assert.deepEqual([bench.controller.health().working, bench.controller.health().waiting], [0, 0]);
  }
});
