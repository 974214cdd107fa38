import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KubeError } from '../errors.ts';
import { settle } from '../fake-clock.ts';
import { LeadershipLost, type Term } from '../leader-election/term.ts';
import { clusterOf, Gate, memoryLog, request, startController } from './controller.fixture.ts';
import { createController, type ControllerOptions } from './controller.ts';
import { TerminalError, type Request } from './request.ts';

type Reconcile = ControllerOptions['reconcile'];

suite('a controller', () => {
  test('failed handler lost: a reconciler that throws five times is called again after 5, 10, 20, 40, 80 ms', async (t) => {
    const calls: number[] = [];
    const reconcile: Reconcile = () => {
      calls.push(bench.clock.now());
      return calls.length <= 5 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(1000);
    assert.deepEqual(
      calls.slice(1).map((at, index) => at - (calls[index] ?? 0)),
      [5, 10, 20, 40, 80],
    );
    assert.deepEqual([await bench.count('error'), await bench.count('success')], [5, 1]);

    calls.length = 5;
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(1000);
    assert.equal(calls.length, 6, 'after success it rests, and its failures are forgotten');
  });

  test('Q6: an error is tried again and requeueAfterMs is not; what both said is not mixed up', async (t) => {
    const times: number[] = [];
    const results: (() => Promise<object | void>)[] = [
      () => Promise.resolve({ requeueAfterMs: 60_000 }),
      () => Promise.reject(new Error('boom')),
      () => Promise.resolve({ requeueAfterMs: 1000 }),
      () => Promise.reject(new Error('boom')),
      () => Promise.resolve(),
    ];
    const reconcile: Reconcile = () => {
      times.push(bench.clock.now());
      return results[times.length - 1]?.() ?? Promise.resolve();
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(10 * 60_000);
    assert.deepEqual(
      times.slice(1).map((at, index) => at - (times[index] ?? 0)),
      [60_000, 5, 1000, 5],
      'a requeue after success forgets the failures before it',
    );
    assert.deepEqual(
      [await bench.count('requeue_after'), await bench.count('error'), await bench.count('success')],
      [2, 2, 1],
    );
  });

  for (const [what, error] of [
    ['a TerminalError', new TerminalError('the spec is wrong')],
    ['an error that was caused by one', new Error('cannot reconcile', { cause: new TerminalError('wrong') })],
  ] as const)
    test(`Q6: ${what} is counted and not tried again, until something changes`, async (t) => {
      let calls = 0;
      const reconcile: Reconcile = () => {
        calls++;
        return Promise.reject(error);
      };
      const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
      bench.controller.enqueue(request('1'));
      await bench.clock.advance(3600_000);
      assert.equal(calls, 1);
      assert.equal(bench.clock.timers, 0);
      const { values } = await bench.metrics.reconcile.terminalErrors.get();
      assert.deepEqual(
        values.map(({ value }) => value),
        [1],
      );
      assert.equal(await bench.count('error'), 1);
      bench.controller.enqueue(request('1'));
      await settle();
      assert.equal(calls, 2);
    });

  test('Q6: a TerminalError forgets the failures before it', async (t) => {
    const times: number[] = [];
    const errors = [new Error('1'), new Error('2'), new TerminalError('wrong'), new Error('3')];
    const reconcile: Reconcile = () => {
      const error = errors[times.push(bench.clock.now()) - 1];
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(100);
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(100);
    assert.deepEqual(
      times.slice(1).map((at, index) => at - (times[index] ?? 0)),
      [5, 10, 85, 5],
    );
  });

  for (const [what, result] of [
    ['after NaN', { requeueAfterMs: NaN }],
    ['in the past', { requeueAfterMs: -1 }],
    ['after for ever', { requeueAfterMs: Infinity }],
    ['with a priority that is none', { priority: NaN }],
  ] as const)
    test(`Q6: a reconciler that asks for a requeue ${what} has failed, and is called again`, async (t) => {
      let calls = 0;
      const reconcile: Reconcile = () => Promise.resolve(++calls === 1 ? result : undefined);
      const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
      bench.controller.enqueue(request('1'));
      await bench.clock.advance(100);
      assert.deepEqual([calls, await bench.count('error'), await bench.count('success')], [2, 1, 1]);
    });

  test('Q6: a key that comes again keeps its priority, unless the result names another', async (t) => {
    const order: string[] = [];
    const gate = new Gate();
    const reconcile: Reconcile = (key) => {
      const { name } = key;
      if (name === 'blocker') return gate.reconcile(key);
      order.push(name);
      if (order.length > 5) return Promise.resolve();
      if (name === 'failing') return Promise.reject(new Error('boom'));
      return Promise.resolve({ requeueAfterMs: 5, ...(name === 'raised' ? { priority: 50 } : {}) });
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('low'), { priority: -100 });
    bench.controller.enqueue(request('failing'), { priority: -80 });
    bench.controller.enqueue(request('middle'), { priority: -70 });
    bench.controller.enqueue(request('live'));
    bench.controller.enqueue(request('raised'), { priority: -100 });
    await settle();
    assert.deepEqual(order, ['live', 'middle', 'failing', 'low', 'raised']);
    bench.controller.enqueue(request('blocker'));
    await bench.clock.advance(20);
    await gate.letGo('a/blocker');
    assert.deepEqual(order.slice(5), ['raised', 'live', 'middle', 'failing', 'low']);
  });

  test('Q7: whatever is thrown is caught and counted, and the worker goes on', async (t) => {
    const thrown: Record<string, unknown> = { text: 'a string', nothing: undefined, object: { password: 'hunter2' } };
    const seen = new Set<string>();
    const reconcile: Reconcile = ({ name }) => {
      if (seen.has(name)) return Promise.resolve();
      seen.add(name);
      if (name === 'sync') throw new Error('before any promise');
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what is no error is the point
      return Promise.reject(thrown[name]);
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    for (const name of ['sync', ...Object.keys(thrown)]) bench.controller.enqueue(request(name));
    await bench.clock.advance(100);
    assert.deepEqual([await bench.count('error'), await bench.count('success')], [4, 4]);
    const panics = (await bench.metrics.reconcile.panics.get()).values.map(({ value }) => value);
    assert.deepEqual(panics, [3]);
    assert.equal((await bench.metrics.reconcile.activeWorkers.get()).values[0]?.value, 0);
    assert.doesNotMatch(JSON.stringify(bench.lines), /hunter2/);
  });

  test('Q7: at the timeout the signal is aborted and the timeout counted; the key is tried again', async (t) => {
    let calls = 0;
    const reasons: unknown[] = [];
    const reconcile: Reconcile = (_, { signal }) => {
      if (++calls > 1) return Promise.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        });
      });
    };
    const bench = startController(t, { reconcile, timeoutMs: 5000 }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(4999);
    assert.deepEqual([calls, reasons.length], [1, 0]);
    await bench.clock.advance(10);
    assert.equal(calls, 2);
    assert.match(String(reasons[0]), /ReconcileTimeout.*5000 ms/);
    assert.equal((await bench.metrics.reconcile.timeouts.get()).values[0]?.value, 1);
    assert.equal(bench.clock.timers, 0);
  });

  test('Q7: a reconciler that ignores its signal keeps its key and its worker, and is reported', async (t) => {
    const gate = new Gate();
    const options = { reconcile: gate.reconcile, timeoutMs: 1000, graceMs: 500 };
    const bench = startController(t, options, clusterOf(t, 'a'), clusterOf(t, 'b'));
    bench.controller.enqueue(request('deaf'));
    await settle();
    bench.controller.enqueue(request('deaf'));
    bench.controller.enqueue(request('next'));
    await bench.clock.advance(1499);
    assert.deepEqual(bench.controller.health().overdue, []);
    await bench.clock.advance(1);
    assert.deepEqual(bench.controller.health().overdue, [request('deaf')]);
    assert.equal(bench.lines.filter(({ msg }) => String(msg).includes('ignores its abort signal')).length, 1);
    bench.controller.enqueue(request('other', 'b'));
    await settle();
    assert.deepEqual(gate.entered, ['a/deaf', 'b/other'], 'another cluster has its own workers');
    await gate.letGo('a/deaf');
    assert.deepEqual(bench.controller.health().overdue, []);
    assert.deepEqual(gate.entered, ['a/deaf', 'b/other', 'a/deaf'], 'key and worker are free');
    await gate.letGo('a/deaf');
    assert.equal(gate.entered.at(-1), 'a/next');
    await gate.letGo('a/next');
    await gate.letGo('b/other');
  });

  test('events out of order: a thousand events of a key are worked on one at a time, and the last one is seen', async (t) => {
    let version = 0;
    let active = 0;
    let most = 0;
    const seen: number[] = [];
    const reconcile: Reconcile = async () => {
      most = Math.max(most, ++active);
      seen.push(version);
      await settle();
      active--;
    };
    const bench = startController(t, { reconcile, concurrency: 10 }, clusterOf(t, 'a'));
    for (version = 1; version <= 1000; version++) {
      bench.controller.enqueue(request('1'));
      if (version % 50 === 0) await settle();
    }
    version = 1000;
    while (bench.controller.health().working + bench.controller.health().waiting > 0) await settle();
    assert.equal(most, 1);
    assert.equal(seen.at(-1), 1000);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });

  test('Q2: as many keys are worked on at a time as there are workers', async (t) => {
    const gate = new Gate();
    const bench = startController(t, { reconcile: gate.reconcile, concurrency: 3 }, clusterOf(t, 'a'));
    for (let n = 0; n < 10; n++) bench.controller.enqueue(request(String(n)));
    await settle();
    assert.equal(gate.entered.length, 3);
    assert.equal((await bench.metrics.reconcile.activeWorkers.get()).values[0]?.value, 3);
    assert.equal((await bench.metrics.reconcile.maxConcurrent.get()).values[0]?.value, 3);
    await gate.letGo('a/1');
    assert.equal(gate.entered.length, 4);
    bench.stop();
    for (const key of gate.open.keys()) await gate.letGo(key);
    await bench.running;
    assert.equal(gate.entered.length, 4);
  });

  test('Q8: at the stop, running reconciles are aborted and awaited, and no new one begins', async (t) => {
    const gate = new Gate();
    let notified = false;
    const reconcile: Reconcile = (key, { signal }) => {
      signal.addEventListener('abort', () => (notified = true));
      return gate.reconcile(key);
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await settle();
    bench.controller.enqueue(request('2'));
    let ended = false;
    const running = bench.running.then(() => (ended = true));
    bench.stop();
    await settle();
    assert.deepEqual([notified, ended], [true, false]);
    assert.equal(bench.controller.enqueue(request('3')), false);
    await gate.letGo('a/1');
    await running;
    assert.deepEqual(gate.entered, ['a/1']);
    assert.equal(bench.clock.timers, 0);
  });

  test('Q8: a failure because of the stop is not counted', async (t) => {
    const reconcile: Reconcile = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await settle();
    bench.stop();
    await bench.running;
    assert.equal(await bench.count('error'), 0);
    assert.deepEqual(
      bench.lines.filter(({ level }) => Number(level) >= 50),
      [],
    );
  });

  test('Q10: each run has an id of its own, in its context and in its log lines, with cluster, namespace and name', async (t) => {
    const ids: string[] = [];
    const reconcile: Reconcile = (_, { log, reconcileId }) => {
      ids.push(reconcileId);
      log.info('hello');
      return Promise.reject(new Error('boom'));
    };
    const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
    bench.controller.enqueue(request('1'));
    await bench.clock.advance(5);
    assert.equal(new Set(ids).size, 2);
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const lines = bench.lines.filter(({ reconcileID }) => reconcileID === id);
      assert.deepEqual(
        lines.map(({ msg, controller, cluster, namespace, name }) => [msg, controller, cluster, namespace, name]),
        [
          ['hello', 'test', 'a', 'default', '1'],
          ['reconcile failed, retrying', 'test', 'a', 'default', '1'],
        ],
      );
    }
  });

  const conflict = new KubeError('Conflict', 'another was first', { code: 409 });
  for (const { error, notified, reason } of [
    { error: new Error('boom'), notified: [1, 11, 12], reason: 'once, and again when it lasts' },
    { error: conflict, notified: [11, 12], reason: 'only when it lasts, for a conflict: the next try mends it' },
  ])
    test(`Q10: what fails at every try is reported ${reason}`, async (t) => {
      let left = 12;
      const reconcile: Reconcile = () => (left-- > 0 ? Promise.reject(error) : Promise.resolve());
      const bench = startController(t, { reconcile }, clusterOf(t, 'a'));
      bench.controller.enqueue(request('1'));
      await bench.clock.advance(60_000);
      const lines = bench.lines.filter(({ msg }) => msg === 'reconcile failed, retrying');
      assert.equal(lines.length, 12, 'for those who debug, all of them');
      const errors = lines.filter(({ level }) => level === 50);
      assert.deepEqual(
        errors.map(({ failures }) => failures),
        notified,
      );
    });

  test('every metric of a controller is there from the start', async (t) => {
    const { metrics } = startController(t, { concurrency: 4 });
    const text = await metrics.registry.metrics();
    for (const line of [
      ...['success', 'error', 'requeue', 'requeue_after'].map(
        (result) => `controller_runtime_reconcile_total{controller="test",result="${result}"} 0`,
      ),
      'controller_runtime_reconcile_errors_total{controller="test"} 0',
      'controller_runtime_terminal_reconcile_errors_total{controller="test"} 0',
      'controller_runtime_reconcile_panics_total{controller="test"} 0',
      'controller_runtime_reconcile_timeouts_total{controller="test"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="test"} 0',
      'controller_runtime_max_concurrent_reconciles{controller="test"} 4',
      'controller_runtime_active_workers{controller="test"} 0',
      'workqueue_adds_total{name="test",controller="test"} 0',
      'workqueue_unfinished_work_seconds{name="test",controller="test"} 0',
    ])
      assert.ok(text.includes(`${line}\n`), line);
  });

  test('L7: without leadership nothing is reconciled, and the controller ends with the loss', async (t) => {
    const held = { value: true };
    const term: Term = {
      epoch: 3,
      signal: new AbortController().signal,
      isHeld: () => held.value,
      assertHeld() {
        if (!held.value) throw new LeadershipLost('the lease is overdue');
      },
    };
    const seen: (number | undefined)[] = [];
    const writes: string[] = [];
    const cluster = clusterOf(t, 'a');
    const gate = new Gate();
    const controller = createController({
      name: 'fenced',
      sources: () => [],
      log: memoryLog().log,
      reconcile: async (key, { term: given, cluster: fencedCluster }) => {
        seen.push(given?.epoch);
        await gate.reconcile(key);
        const type = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
        await fencedCluster.client.delete(type, { name: 'x' }).catch((error: unknown) => writes.push(String(error)));
      },
    });
    controller.engage(cluster);
    const lost = assert.rejects(controller.run({ signal: new AbortController().signal, term }), LeadershipLost);
    controller.enqueue(request('1'));
    await settle();
    assert.deepEqual(seen, [3]);
    held.value = false;
    controller.enqueue(request('2'));
    await gate.letGo('a/1');
    assert.deepEqual(seen, [3], 'the second is not reconciled');
    await lost;
    assert.match(writes[0] ?? '', /LeadershipLost/);
  });

  test('the event loop has its turns while ten thousand reconciles find everything in caches', async (t) => {
    let turns = 0;
    let left = 10_000;
    const counting = setInterval(() => turns++, 1);
    t.after(() => clearInterval(counting));
    const all = Promise.withResolvers<void>();
    const reconcile = (_: Request): Promise<void> => {
      if (--left === 0) all.resolve();
      return Promise.resolve();
    };
    const bench = startController(t, { reconcile, concurrency: 100 }, clusterOf(t, 'a'));
    for (let n = 0; n < 10_000; n++) bench.controller.enqueue(request(String(n)));
    await all.promise;
    assert.ok(turns > 1, `${turns} turns`);
  });
});
