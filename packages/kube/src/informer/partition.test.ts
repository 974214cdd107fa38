import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../object.ts';
import type { KubeObject } from '../object.ts';
import type { Notification } from './notification.ts';
import { Partition } from './partition.ts';
import { Store } from './store.ts';

type Thing = KubeObject & { readonly value?: string };

interface Scene {
  readonly store: Store<Thing>;
  readonly partition: Partition<Thing>;
  /** `+a@1` added, `~a@2` updated, `-a@3` deleted; a `!` for initial and for an unknown final state. */
  readonly notified: string[];
  readonly shown: () => string;
}

const at = (name: string, version: number, uid = `uid-${name}`, namespace?: string): Thing => ({
  metadata: { name, uid, resourceVersion: String(version), ...(namespace !== undefined && { namespace }) },
});

function scene(namespace?: string): Scene {
  const notified: string[] = [];
  const store = new Store<Thing>();
  const word = ({ metadata }: Thing): string => `${metadata.name}@${metadata.resourceVersion}`;
  const tell = (event: Notification<Thing>): void => {
    if (event.type === 'added') notified.push(`+${word(event.object)}${event.initial ? '!' : ''}`);
    else if (event.type === 'updated') notified.push(`~${word(event.after)}`);
    else notified.push(`-${word(event.object)}${event.finalStateUnknown ? '!' : ''}`);
  };
  const shown = (): string => store.list().map(word).sort().join(' ');
  return { store, partition: new Partition(store, namespace, tell), notified, shown };
}

function list(partition: Partition<Thing>, version: number, objects: readonly Thing[], backwards = false): void {
  const listed = new Map(objects.map((object) => [keyOf(object.metadata), object]));
  partition.replace(listed, { resourceVersion: String(version), backwards }, new Set());
}

/** Applies an event as a reflector does. */
function event(partition: Partition<Thing>, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Thing): void {
  partition.apply(type, object);
  partition.advance(object.metadata.resourceVersion ?? '');
}

test('D1: what a list does not have is deleted as it was last known', () => {
  const { partition, notified, shown } = scene();
  list(partition, 10, [at('a', 1), at('b', 2)]);
  list(partition, 20, [at('b', 15), at('c', 16)]);
  assert.deepEqual(notified, ['+a@1!', '+b@2!', '-a@1!', '~b@15', '+c@16']);
  assert.equal(shown(), 'b@15 c@16');
});

test('D1: a list of one namespace says nothing about another', () => {
  const { store, partition, shown } = scene('east');
  store.set(at('other', 1, 'o', 'west'));
  list(partition, 10, [at('mine', 2, 'm', 'east')]);
  list(partition, 20, []);
  assert.equal(shown(), 'other@1');
});

test('D2: events are delivered in the order in which they came', () => {
  const { partition, notified } = scene();
  list(partition, 10, []);
  event(partition, 'ADDED', at('a', 11));
  event(partition, 'ADDED', at('b', 12));
  event(partition, 'MODIFIED', at('a', 13));
  event(partition, 'DELETED', at('b', 14));
  assert.deepEqual(notified, ['+a@11', '+b@12', '~a@13', '-b@14']);
});

test('D3: the store has a change before any handler gets it', () => {
  const store = new Store<Thing>();
  const seen: (string | undefined)[] = [];
  const partition = new Partition(store, undefined, () => seen.push(store.get('a')?.metadata.resourceVersion));
  list(partition, 10, [at('a', 1)]);
  event(partition, 'MODIFIED', at('a', 11));
  event(partition, 'DELETED', at('a', 12));
  assert.deepEqual(seen, ['1', '11', undefined]);
});

test('D3: a list of what is known already tells nothing', () => {
  const { partition, notified } = scene();
  list(partition, 10, [at('a', 1)]);
  list(partition, 20, [at('a', 1)]);
  assert.deepEqual(notified, ['+a@1!']);
});

test('D4: another uid under the same name is a deletion and an addition, by event and by list', () => {
  for (const how of ['event', 'list'] as const) {
    const { partition, notified } = scene();
    list(partition, 10, [at('a', 1, 'first')]);
    if (how === 'event') event(partition, 'MODIFIED', at('a', 11, 'second'));
    else list(partition, 20, [at('a', 11, 'second')]);
    assert.deepEqual(notified, ['+a@1!', '-a@1!', '+a@11'], how);
  }
});

test('D4: the deletion of an object that was not the one known is the deletion of that one, unseen', () => {
  const { partition, notified } = scene();
  list(partition, 10, [at('a', 1, 'first')]);
  event(partition, 'DELETED', at('a', 12, 'second'));
  assert.deepEqual(notified, ['+a@1!', '-a@1!']);
});

test('versions without an order are taken as they come, and equal ones once', () => {
  const { partition, notified } = scene();
  const odd = (version: string): Thing => ({ metadata: { name: 'a', uid: 'u', resourceVersion: version } });
  partition.replace(new Map([['a', odd('xyz')]]), { resourceVersion: 'q', backwards: false }, new Set());
  event(partition, 'MODIFIED', odd('abc'));
  event(partition, 'MODIFIED', odd('abc'));
  partition.written(odd('own'));
  assert.deepEqual(notified, ['+a@xyz!', '~a@abc'], 'and an own write is not laid over');
});

test('I9: an own write shows at once, and what the watch brings up to it is ignored', () => {
  const { partition, notified, shown } = scene();
  list(partition, 10, [at('a', 1)]);
  partition.written(at('a', 15));
  assert.equal(shown(), 'a@15');
  event(partition, 'MODIFIED', at('a', 13));
  event(partition, 'MODIFIED', at('a', 15));
  event(partition, 'MODIFIED', at('a', 17));
  assert.deepEqual(notified, ['+a@1!', '~a@15', '~a@17']);
});

test('I9: the answer to a write that the watch has passed by is old news', () => {
  const { partition, notified, shown } = scene();
  list(partition, 10, [at('a', 1)]);
  event(partition, 'MODIFIED', at('a', 15));
  event(partition, 'DELETED', at('a', 16));
  partition.written(at('a', 15));
  assert.equal(shown(), '');
  assert.deepEqual(notified, ['+a@1!', '~a@15', '-a@16']);
});

test('I9: of two answers that come in the wrong order the newer one stays', () => {
  const { partition, shown } = scene();
  list(partition, 10, [at('a', 1)]);
  partition.written(at('a', 16));
  partition.written(at('a', 15));
  assert.equal(shown(), 'a@16');
});

test('I9: a list older than an own write neither takes it back nor away', () => {
  const { partition, notified, shown } = scene();
  list(partition, 10, [at('a', 1), at('b', 2)]);
  partition.written(at('a', 30));
  partition.written(at('n', 31));
  list(partition, 20, [at('a', 12), at('b', 2)]);
  assert.equal(shown(), 'a@30 b@2 n@31');
  list(partition, 40, [at('b', 2)]);
  assert.equal(shown(), 'b@2', 'a newer one does');
  assert.deepEqual(notified, ['+a@1!', '+b@2!', '~a@30', '+n@31', '-a@30!', '-n@31!']);
});

test('I9: a uid that was deleted is hidden from then on, whatever lags behind says of it', () => {
  const { partition, notified, shown } = scene();
  list(partition, 10, [at('a', 1, 'first')]);
  partition.deleted('a', 'first');
  event(partition, 'MODIFIED', at('a', 12, 'first'));
  list(partition, 13, [at('a', 12, 'first')]);
  assert.equal(shown(), '');
  partition.written(at('a', 20, 'second'));
  event(partition, 'DELETED', at('a', 14, 'first'));
  event(partition, 'ADDED', at('a', 20, 'second'));
  assert.equal(shown(), 'a@20');
  assert.deepEqual(notified, ['+a@1!', '-a@1', '+a@20']);
  assert.equal(partition.remembered, 0, 'and nothing is remembered when the watch has told it too');
});

test('I9: a deletion that the cache had not heard of yet hides the object when it comes', () => {
  const { partition, shown } = scene();
  list(partition, 10, []);
  partition.deleted('a', 'unheard');
  event(partition, 'ADDED', at('a', 11, 'unheard'));
  assert.equal(shown(), '');
  event(partition, 'DELETED', at('a', 12, 'unheard'));
  assert.equal(partition.remembered, 0);
});

test('I9: a list without the deleted uid ends its memory only if it is new enough to know', () => {
  const { partition, shown } = scene();
  list(partition, 10, []);
  partition.written(at('a', 30));
  partition.deleted('a', 'uid-a');
  list(partition, 20, []);
  event(partition, 'ADDED', at('a', 30));
  assert.equal(shown(), '', 'the creation was still on its way');
  list(partition, 40, []);
  assert.equal(partition.remembered, 0);
});

test('I9: an own write that takes an object out of the selection takes it out at once', () => {
  const { partition, notified, shown } = scene();
  list(partition, 10, [at('a', 1)]);
  partition.left(at('a', 15));
  event(partition, 'MODIFIED', at('a', 13));
  assert.equal(shown(), '');
  event(partition, 'DELETED', at('a', 15));
  assert.equal(partition.remembered, 0);
  event(partition, 'ADDED', at('a', 18));
  assert.deepEqual(notified, ['+a@1!', '-a@15', '+a@18']);
});

test('a server whose time went back replaces everything, own writes too', () => {
  const { partition, shown } = scene();
  list(partition, 100, [at('a', 50), at('b', 60)]);
  partition.written(at('a', 120));
  partition.deleted('b', 'uid-b');
  list(partition, 30, [at('a', 20), at('b', 25)], true);
  assert.equal(shown(), 'a@20 b@25');
  event(partition, 'MODIFIED', at('a', 31));
  assert.equal(shown(), 'a@31 b@25');
});

interface LongList {
  readonly listed: ReadonlyMap<string, Thing>;
  readonly version: { readonly resourceVersion: string; readonly backwards: boolean };
}

function longList(version: number, count: number): LongList {
  const objects = Array.from({ length: count }, (_, number) => at(`o${number}`, version));
  return {
    listed: new Map(objects.map((object) => [keyOf(object.metadata), object])),
    version: { resourceVersion: String(version), backwards: false },
  };
}

/** Reads the store each time the event loop turns while a list is taken in. */
async function sizesMeanwhile(store: Store<Thing>, taking: Promise<void>): Promise<readonly string[]> {
  const seen: string[] = [];
  const state = { over: false };
  const ended = taking.finally(() => (state.over = true));
  while (!state.over) {
    const versions = new Set(store.list().map(({ metadata }) => metadata.resourceVersion));
    seen.push(`${store.size} of ${[...versions].join()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  return seen;
}

test('bounded turns: a first list is taken in by turns, and a later one changes everything in one go', async () => {
  const store = new Store<Thing>();
  const busy = (): void => {
    const end = performance.now() + 0.02;
    while (performance.now() < end);
  };
  const partition = new Partition(store, undefined, busy);
  const going = new AbortController().signal;
  const first = longList(10, 2_000);
  const sizes = await sizesMeanwhile(store, partition.replaceInTurns(first.listed, first.version, new Set(), going));
  assert.ok(sizes.length > 2, `it took ${sizes.length} turns`);
  assert.equal(store.size, 2_000);
  const second = longList(20, 2_000);
  const later = await sizesMeanwhile(store, partition.replaceInTurns(second.listed, second.version, new Set(), going));
  assert.ok(
    later.every((state) => state === '2000 of 10' || state === '2000 of 20'),
    later.join('; '),
  );
});

test('I9: what we write while a first list is taken in finds it whole, and is never taken back', async () => {
  for (const write of ['new', 'old', 'deletion'] as const) {
    const { store, partition, notified } = scene();
    const { listed, version } = longList(10, 50_000);
    const taking = partition.replaceInTurns(listed, version, new Set(), new AbortController().signal);
    assert.equal(partition.synced, false);
    const name = 'o49999';
    if (write === 'new') partition.written(at(name, 12));
    if (write === 'old') partition.written(at(name, 9));
    if (write === 'deletion') partition.deleted(name, `uid-${name}`);
    await taking;
    assert.equal(partition.synced, true);
    const shown = store.get(name)?.metadata.resourceVersion;
    assert.equal(shown, { new: '12', old: '10', deletion: undefined }[write], write);
    const lines = notified.filter((line) => line.slice(1).startsWith(`${name}@`));
    assert.deepEqual(
      lines,
      { new: ['+o49999@10!', '~o49999@12'], old: ['+o49999@10!'], deletion: ['+o49999@10!', '-o49999@10'] }[write],
    );
  }
});

test('a first list that is being taken in when all is stopped is not finished', async () => {
  const { store, partition } = scene();
  const { listed, version } = longList(10, 50_000);
  const stop = new AbortController();
  const taking = partition.replaceInTurns(listed, version, new Set(), stop.signal);
  stop.abort();
  await taking;
  assert.equal(partition.synced, false);
  assert.ok(store.size < 50_000);
});
