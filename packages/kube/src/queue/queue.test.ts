import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Registry } from 'prom-client';
import { FakeClock, settle } from '../fake-clock.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { backgroundPriority, Queue, type QueueOptions } from './queue.ts';

/** Items are `share/name`. */
function queueOf(options: Partial<QueueOptions<string>> = {}): { readonly queue: Queue<string>; clock: FakeClock } {
  const clock = new FakeClock();
  const queue = new Queue<string>({
    name: 'test',
    keyOf: (item) => item,
    shareOf: (item) => item.split('/')[0] ?? '',
    workers: 1000,
    retry: { random: () => 0 },
    clock,
    ...options,
  });
  return { queue, clock };
}

/** Takes all ready keys, in order. */
async function takeAll(queue: Queue<string>, finish = true): Promise<string[]> {
  const taken: string[] = [];
  for (;;) {
    const stop = new AbortController();
    const next = queue.next(stop.signal);
    stop.abort();
    const item = await next;
    if (item === undefined) return taken;
    taken.push(item.item);
    if (finish) queue.done(item.item);
  }
}

suite('a queue', () => {
  test('Q1: a key that is added twice before it is taken is given out once', async () => {
    const { queue } = queueOf();
    queue.add('a/1');
    queue.add('a/1');
    queue.add('a/2');
    assert.deepEqual(await takeAll(queue), ['a/1', 'a/2']);
    assert.equal(queue.remembered, 0);
  });

  test('Q1: a key that is added several times while it is worked on comes again exactly once, when that is done', async () => {
    const { queue } = queueOf();
    queue.add('a/1');
    assert.deepEqual(await takeAll(queue, false), ['a/1']);
    queue.add('a/1');
    queue.add('a/1');
    assert.deepEqual(await takeAll(queue), [], 'not while it is worked on');
    queue.done('a/1');
    assert.deepEqual(await takeAll(queue), ['a/1']);
    assert.deepEqual(await takeAll(queue), []);
  });

  test('Q2: a key whose delay ends while it is worked on waits for its own work', async () => {
    const { queue, clock } = queueOf();
    queue.add('a/1');
    await takeAll(queue, false);
    queue.add('a/1', { afterMs: 10 });
    await clock.advance(20);
    assert.deepEqual(await takeAll(queue), []);
    queue.done('a/1');
    assert.deepEqual(await takeAll(queue), ['a/1']);
  });

  test('Q2: several who wait get different keys', async () => {
    const { queue } = queueOf();
    const waiting = [queue.next(), queue.next(), queue.next()];
    for (const item of ['a/1', 'a/2', 'a/1', 'a/3']) queue.add(item);
    assert.deepEqual(
      (await Promise.all(waiting)).map((taken) => taken?.item),
      ['a/1', 'a/2', 'a/3'],
    );
  });

  test('Q3: each failure in a row doubles the wait of a key, from 5 ms to 1000 s, and success forgets them', async () => {
    const { queue, clock } = queueOf();
    const waits: (number | undefined)[] = [];
    for (let failure = 0; failure < 20; failure++) {
      queue.add('a/1', { rateLimited: true });
      waits.push(clock.next);
      await clock.advance(clock.next ?? 0);
      assert.deepEqual(await takeAll(queue), ['a/1']);
    }
    assert.deepEqual(waits.slice(0, 6), [5, 10, 20, 40, 80, 160]);
    assert.deepEqual(waits.slice(17), [655_360, 1_000_000, 1_000_000]);
    assert.equal(queue.failures('a/1'), 20);
    queue.forget('a/1');
    assert.equal(queue.remembered, 0);
    queue.add('a/1', { rateLimited: true });
    assert.equal(clock.next, 5);
  });

  test('Q3: jitter spreads the waits and makes none longer', () => {
    const waits = [0, 0.5, 0.999].map((random) => {
      const { queue, clock } = queueOf({ retry: { random: () => random } });
      queue.add('a/1', { rateLimited: true });
      return clock.next ?? NaN;
    });
    assert.equal(waits[0], 5);
    assert.ok(waits.every((wait) => wait > 4 && wait <= 5));
    assert.equal(new Set(waits).size, 3);
  });

  test('Q3: a limit for all keys together holds back what comes after its burst', async () => {
    const { queue, clock } = queueOf({
      retry: { random: () => 0, initialMs: 1, overall: { perSecond: 10, burst: 2 } },
    });
    for (const item of ['a/1', 'a/2', 'a/3', 'a/4']) queue.add(item, { rateLimited: true });
    await clock.advance(1);
    assert.deepEqual(await takeAll(queue), ['a/1', 'a/2']);
    await clock.advance(99);
    assert.deepEqual(await takeAll(queue), ['a/3']);
    await clock.advance(100);
    assert.deepEqual(await takeAll(queue), ['a/4']);
  });

  test('Q4: of several delays of a key the earliest counts', async () => {
    const { queue, clock } = queueOf();
    queue.add('a/1', { afterMs: 100 });
    queue.add('a/1', { afterMs: 30 });
    queue.add('a/1', { afterMs: 60 });
    await clock.advance(29);
    assert.deepEqual(await takeAll(queue), []);
    await clock.advance(1);
    assert.deepEqual(await takeAll(queue), ['a/1']);
    await clock.advance(1000);
    assert.deepEqual(await takeAll(queue), [], 'the later ones are gone with it');
  });

  test('Q4: a failure during a delay keeps the smaller of both, and an add without delay ends it', async () => {
    const { queue, clock } = queueOf();
    queue.add('a/1', { afterMs: 1000, rateLimited: true });
    assert.equal(clock.next, 5);
    queue.add('a/2', { afterMs: 2, rateLimited: true });
    assert.equal(clock.next, 2);
    queue.add('a/1');
    assert.deepEqual(await takeAll(queue), ['a/1']);
  });

  test('Q4: a key that is ready stays ready when it is added with a delay', async () => {
    const { queue } = queueOf();
    queue.add('a/1');
    queue.add('a/1', { afterMs: 500 });
    assert.deepEqual(await takeAll(queue), ['a/1']);
  });

  test('Q4: a hundred thousand delayed keys need one timer', async () => {
    const { queue, clock } = queueOf();
    for (let n = 0; n < 100_000; n++) queue.add(`a/${n}`, { afterMs: 1000 + ((n * 7919) % 100_000) });
    assert.equal(clock.timers, 1);
    await clock.advance(1001);
    assert.equal(clock.timers, 1);
    // The keys with delays of 1000 and 1001: 17679 * 7919 ends in 00001.
    assert.deepEqual(await takeAll(queue), ['a/0', 'a/17679']);
  });

  test('Q4: a delay of months is not cut to nothing by the timer', async () => {
    const { queue, clock } = queueOf();
    const month = 30 * 24 * 3600 * 1000;
    queue.add('a/1', { afterMs: 2 * month });
    assert.ok((clock.next ?? 0) < 2 ** 31);
    await clock.advance(month);
    assert.deepEqual(await takeAll(queue), []);
    await clock.advance(month);
    assert.deepEqual(await takeAll(queue), ['a/1']);
  });

  for (const options of [{ afterMs: NaN }, { afterMs: -1 }, { afterMs: Infinity }, { priority: NaN }])
    test(`Q4: a key with ${Object.entries(options).join()} is refused`, () => {
      const { queue } = queueOf();
      assert.throws(() => queue.add('a/1', options), RangeError);
    });

  test('Q5: the higher priority goes first, and the first come first among equals', async () => {
    const { queue } = queueOf();
    queue.add('a/low1', { priority: backgroundPriority });
    queue.add('a/live1');
    queue.add('a/low2', { priority: backgroundPriority });
    queue.add('a/high', { priority: 7 });
    queue.add('a/live2');
    assert.deepEqual(await takeAll(queue), ['a/high', 'a/live1', 'a/live2', 'a/low1', 'a/low2']);
  });

  test('Q5: a key that is added again takes the higher of both priorities, behind those that had it before', async () => {
    const { queue } = queueOf();
    queue.add('a/1', { priority: backgroundPriority });
    queue.add('a/2');
    queue.add('a/3', { priority: backgroundPriority });
    queue.add('a/1');
    queue.add('a/2', { priority: backgroundPriority });
    assert.deepEqual(await takeAll(queue), ['a/2', 'a/1', 'a/3']);
  });

  test('Q5: a key that waits for its time or for its own work takes the higher of both priorities', async () => {
    const { queue, clock } = queueOf();
    queue.add('a/1', { priority: 7, afterMs: 20 });
    queue.add('a/1', { priority: 3, afterMs: 10 });
    await clock.advance(10);
    assert.deepEqual(await queue.next(), { item: 'a/1', priority: 7 });
    queue.add('a/1', { priority: 5 });
    queue.add('a/1', { priority: backgroundPriority });
    queue.done('a/1');
    assert.deepEqual(await queue.next(), { item: 'a/1', priority: 5 });
  });

  test('Q5: delayed keys line up in the order in which they get ready', async () => {
    const { queue, clock } = queueOf();
    queue.add('a/late', { afterMs: 20 });
    queue.add('a/early', { afterMs: 10 });
    await clock.advance(15);
    queue.add('a/between');
    await clock.advance(15);
    assert.deepEqual(await takeAll(queue), ['a/early', 'a/between', 'a/late']);
  });

  test('Q8: after shutdown nothing is taken or added, and waiting callers are released', async () => {
    const { queue, clock } = queueOf();
    const waiting = queue.next();
    queue.add('a/work');
    assert.equal((await waiting)?.item, 'a/work');
    queue.add('a/1');
    queue.add('a/2', { afterMs: 5 });
    queue.add('a/3', { rateLimited: true });
    const second = queue.next();
    await second;
    const third = queue.next();
    queue.shutDown();
    queue.add('a/4');
    assert.equal(await third, undefined);
    assert.equal(await queue.next(), undefined);
    assert.equal(clock.timers, 0);
    assert.equal(queue.size, 0);
    assert.equal(queue.working, 2, 'what is worked on goes on');
  });

  test('Q8: idle waits for all that is worked on, or for its signal', async () => {
    const { queue } = queueOf();
    queue.add('a/1');
    queue.add('a/2');
    await takeAll(queue, false);
    queue.shutDown();
    const seen: string[] = [];
    const impatient = new AbortController();
    const idle = queue.idle().then(() => seen.push('idle'));
    const gaveUp = queue.idle(impatient.signal).then(() => seen.push('gave up'));
    queue.done('a/1');
    await settle();
    assert.deepEqual(seen, []);
    impatient.abort();
    await gaveUp;
    queue.done('a/2');
    await idle;
    assert.deepEqual(seen, ['gave up', 'idle']);
    assert.equal(queue.remembered, 0);
  });

  test('a key that is held is kept, with its priority, until it is released', async () => {
    const held = new Set(['a']);
    const { queue } = queueOf({ isHeld: (item) => held.has(item.split('/')[0] ?? '') });
    queue.add('a/1', { priority: backgroundPriority });
    queue.add('a/2');
    queue.add('b/1');
    queue.released();
    assert.deepEqual(await takeAll(queue), ['b/1']);
    held.clear();
    queue.released();
    assert.deepEqual(await takeAll(queue), ['a/2', 'a/1']);
    assert.equal(queue.remembered, 0);
  });

  test('what is dropped is forgotten: ready, delayed, held, failed, and behind its own work', async () => {
    const { queue, clock } = queueOf({ isHeld: (item) => item.endsWith('held') });
    queue.add('a/work');
    await takeAll(queue, false);
    queue.add('a/work', { rateLimited: true });
    queue.add('a/ready');
    queue.add('a/held');
    queue.add('a/delayed', { afterMs: 5 });
    queue.add('b/1');
    queue.drop((item) => item.startsWith('a/'));
    queue.done('a/work');
    await clock.advance(1000);
    assert.deepEqual(await takeAll(queue), ['b/1']);
    assert.equal(queue.remembered, 0);
  });

  test('memory growth: keys that came, failed and went leave nothing behind', async () => {
    const { queue, clock } = queueOf();
    for (let round = 0; round < 10; round++) {
      for (let n = 0; n < 2000; n++) queue.add(`${n % 7}/${round}-${n}`, { rateLimited: true });
      await clock.advance(5);
      for (const item of await takeAll(queue, false)) {
        queue.forget(item);
        queue.done(item);
      }
      assert.equal(queue.remembered, 0);
    }
  });

  test('its metrics count adds and retries, and tell depth, waits and work', async () => {
    const metrics = createMetrics(new Registry());
    const { queue, clock } = queueOf({ metrics });
    const labels = { name: 'test', controller: 'test' };
    const text = (): Promise<string> => metrics.registry.metrics();
    assert.match(await text(), /workqueue_adds_total\{name="test",controller="test"\} 0/);
    queue.add('a/1', { priority: backgroundPriority });
    queue.add('a/2');
    queue.add('a/2');
    queue.add('a/3', { afterMs: 50 });
    assert.match(await text(), /workqueue_depth\{name="test",controller="test",priority="-100"\} 1/);
    assert.match(await text(), /workqueue_depth\{name="test",controller="test",priority="0"\} 1/);
    assert.match(await text(), /workqueue_adds_total\{name="test",controller="test"\} 2/);
    assert.match(await text(), /workqueue_retries_total\{name="test",controller="test"\} 1/);
    await clock.advance(2000);
    await takeAll(queue, false);
    await clock.advance(3000);
    assert.match(await text(), /workqueue_unfinished_work_seconds\{name="test",controller="test"\} 9/);
    assert.match(await text(), /workqueue_longest_running_processor_seconds\{name="test",controller="test"\} 3/);
    for (const item of ['a/1', 'a/2', 'a/3']) queue.done(item);
    const waits = (await metrics.queue.waitSeconds.get()).values.find(({ metricName }) => metricName?.endsWith('_sum'));
    const work = (await metrics.queue.workSeconds.get()).values.find(({ metricName }) => metricName?.endsWith('_sum'));
    assert.deepEqual([waits?.labels, waits?.value, work?.value], [labels, 2 + 2 + 1.95, 9]);
    assert.match(await text(), /workqueue_depth\{name="test",controller="test",priority="0"\} 0/);
  });
});
