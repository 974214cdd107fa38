import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { backgroundPriority, Queue } from './queue.ts';

interface Key {
  readonly cluster: string;
  readonly name: string;
}

function queueOf(workers: number, totalWorkers?: number): Queue<Key> {
  return new Queue<Key>({
    name: 'test',
    keyOf: ({ cluster, name }) => `${cluster}/${name}`,
    shareOf: ({ cluster }) => cluster,
    workers,
    ...defined({ totalWorkers }),
    clock: new FakeClock(),
  });
}

function flood(queue: Queue<Key>, cluster: string, count: number, priority = 0): void {
  for (let n = 0; n < count; n++) queue.add({ cluster, name: `${priority}-${n}` }, { priority });
}

async function take(queue: Queue<Key>): Promise<Key | undefined> {
  const stop = new AbortController();
  const next = queue.next(stop.signal);
  stop.abort();
  return (await next)?.item;
}

/** The clusters of the next keys in order, with one worker for all. */
async function turns(queue: Queue<Key>, count: number): Promise<string> {
  let order = '';
  for (let n = 0; n < count; n++) {
    const key = await take(queue);
    if (key === undefined) break;
    order += key.cluster;
    queue.done(key);
  }
  return order;
}

suite('fairness between clusters', () => {
  test('C6: a live change of a quiet cluster passes the first list of a huge one', async () => {
    const queue = queueOf(1, 1);
    flood(queue, 'a', 100_000, backgroundPriority);
    await turns(queue, 10);
    queue.add({ cluster: 'b', name: 'live' });
    assert.equal(await turns(queue, 1), 'b');
  });

  test('C6: the first lists of a huge and of a small cluster take turns', async () => {
    const queue = queueOf(1, 1);
    flood(queue, 'a', 10_000, backgroundPriority);
    await turns(queue, 5);
    flood(queue, 'b', 5, backgroundPriority);
    assert.equal((await turns(queue, 10)).replaceAll('a', '').length, 5);
  });

  test('C6: the live storm of one cluster does not hold up the live changes of another', async () => {
    const queue = queueOf(1, 1);
    flood(queue, 'a', 10_000);
    await turns(queue, 100);
    flood(queue, 'b', 50);
    const order = await turns(queue, 100);
    assert.equal(order.replaceAll('a', '').length, 50);
    assert.doesNotMatch(order, /aaa/);
  });

  test("C6: the live storm of one cluster leaves every fifth turn to another's first list, and does not end it", async () => {
    const queue = queueOf(1, 1);
    flood(queue, 'a', 10_000);
    flood(queue, 'b', 1000, backgroundPriority);
    const order = await turns(queue, 1000);
    assert.equal(order.replaceAll('a', '').length, 200);
    assert.doesNotMatch(order, /a{6}/);
  });

  test('C6: a cluster that was quiet has saved nothing up', async () => {
    const queue = queueOf(1, 1);
    flood(queue, 'a', 1000);
    await turns(queue, 500);
    flood(queue, 'b', 500);
    const order = await turns(queue, 20);
    assert.equal(order.replaceAll('a', '').length, 10);
  });

  test('C6: a cluster whose workers were busy has saved nothing up either', async () => {
    const queue = queueOf(1);
    queue.add({ cluster: 'b', name: 'slow' });
    const slow = await take(queue);
    assert.ok(slow !== undefined);
    flood(queue, 'b', 500);
    flood(queue, 'a', 1000);
    assert.equal(await turns(queue, 500), 'a'.repeat(500));
    queue.done(slow);
    const order = await turns(queue, 20);
    assert.equal(order.replaceAll('a', '').length, 10);
  });

  test('C6: a cluster whose reconciles hang takes its own workers and no others', async () => {
    const queue = queueOf(2);
    flood(queue, 'a', 100);
    flood(queue, 'b', 100);
    const hung: (Key | undefined)[] = [];
    for (let n = 0; n < 4; n++) {
      const key = await take(queue);
      if (key?.cluster === 'a') hung.push(key);
      else if (key !== undefined) queue.done(key);
    }
    assert.equal(hung.length, 2);
    assert.equal(await turns(queue, 1000), 'b'.repeat(98));
    const [first] = hung;
    assert.ok(first !== undefined);
    queue.done(first);
    assert.equal((await take(queue))?.cluster, 'a');
    assert.equal(await take(queue), undefined);
  });

  test('C6: a total bounds all clusters together', async () => {
    const queue = queueOf(2, 3);
    for (const cluster of ['a', 'b', 'c']) flood(queue, cluster, 10);
    const taken = [await take(queue), await take(queue), await take(queue)];
    assert.deepEqual(new Set(taken.map((key) => key?.cluster)), new Set(['a', 'b', 'c']));
    assert.equal(await take(queue), undefined);
  });
});
