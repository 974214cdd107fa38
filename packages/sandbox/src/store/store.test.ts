import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KubeObject } from '../values/json.ts';
import { parseEntry } from './entry.ts';
import { Store } from './store.ts';

const byKey = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : 1);

interface Change {
  readonly what: 'put' | 'remove';
  readonly table: string;
  readonly name: string;
  /** Whether the writer has read an older revision. */
  readonly stale: boolean;
}

type Operation =
  | Change
  | { readonly what: 'trim'; readonly table: string; readonly keep: number }
  | { readonly what: 'compact' }
  | { readonly what: 'look' };

const table = fc.constantFrom('/pods', 'apps/deployments');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      what: fc.constant('put' as const),
      table,
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      stale: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('remove' as const),
      table,
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      stale: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('trim' as const), table, keep: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.constantFrom<Operation>({ what: 'compact' }, { what: 'look' }) },
);

/** The whole history in the simplest form: a full copy for each revision. */
class Model {
  revision = 1;
  readonly states = new Map<number, ReadonlyMap<string, number>>([[1, new Map()]]);

  get now(): ReadonlyMap<string, number> {
    return this.states.get(this.revision) as ReadonlyMap<string, number>;
  }

  change(key: string, present: boolean): void {
    const next = new Map(this.now);
    this.revision++;
    if (present) next.set(key, this.revision);
    else next.delete(key);
    this.states.set(this.revision, next);
  }
}

const objectOf = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'K',
  metadata: { namespace: 'n', name, uid: `uid-${name}` },
});

test('a store does what a simple model does', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const store = new Store({ eventWindow: 1000 });
      const model = new Model();
      for (const one of operations) {
        run(store, model, one);
        assert.equal(store.revision, model.revision);
      }
      for (const name of ['/pods', 'apps/deployments']) compare(store, model, name);
    }),
    { numRuns: 300 },
  );
});

function run(store: Store, model: Model, one: Operation): void {
  if (one.what === 'compact') return store.compact();
  if (one.what === 'look') return compare(store, model, '/pods');
  if (one.what === 'trim') return store.table(one.table).trim(one.keep);
  const key = `${one.table}|n/${one.name}`;
  const current = model.now.get(key) ?? 0;
  const expected = one.stale ? current + 1 : current;
  const done =
    one.what === 'put'
      ? store.put(one.table, objectOf(one.name), expected)
      : store.remove(one.table, `n/${one.name}`, expected);
  const possible = !one.stale && (one.what === 'put' || current > 0);
  assert.equal(done !== undefined, possible);
  if (done === undefined) return;
  model.change(key, one.what === 'put');
  assert.equal(done.revision, model.revision);
  assert.equal(parseEntry(done).metadata.resourceVersion, String(model.revision));
}

/** Every revision that the table still knows equals the model's, and the events lead from each to the newest. */
function compare(store: Store, model: Model, name: string): void {
  const of = store.table(name);
  for (const [revision, state] of model.states) {
    const expected = [...state]
      .filter(([key]) => key.startsWith(`${name}|`))
      .map(([key, at]) => [key.slice(name.length + 1), at] as const);
    const known = of.at(revision, '');
    if (revision < of.oldestRevision) {
      assert.equal(known, undefined);
      assert.equal(of.since(revision), undefined);
      continue;
    }
    assert.deepEqual(
      [...(known ?? [])].map((entry) => [entry.key, entry.revision]),
      expected.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    const replayed = new Map<string, number>(expected);
    for (const event of of.since(revision) ?? []) {
      assert.equal(event.type === 'ADDED', !replayed.has(event.entry.key));
      assert.equal(event.previous?.revision, replayed.get(event.entry.key));
      if (event.type === 'DELETED') replayed.delete(event.entry.key);
      else replayed.set(event.entry.key, event.revision);
    }
    assert.deepEqual(
      [...replayed].toSorted(byKey),
      [...of.range('')].map((entry): [string, number] => [entry.key, entry.revision]).toSorted(byKey),
    );
  }
}

test('listeners of the store hear every table in the order of revisions', () => {
  const store = new Store({ eventWindow: 10 });
  const heard: string[] = [];
  const leave = store.listen(({ name }, { type, revision }) => heard.push(`${revision} ${type} ${name}`));
  store.put('a', objectOf('x'), 0);
  store.put('b', objectOf('x'), 0);
  store.remove('a', 'n/x', 2);
  leave();
  store.put('a', objectOf('x'), 0);
  assert.deepEqual(heard, ['2 ADDED a', '3 ADDED b', '4 DELETED a']);
});

test('compaction by age drops what was there a while ago, and nothing younger', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const store = new Store({ eventWindow: 1000 });
  const pods = store.table('/pods');
  store.put('/pods', objectOf('a'), 0);
  t.mock.timers.tick(30_000);
  store.compactBefore(60_000);
  assert.equal(pods.oldestRevision, 1, 'nothing is a minute old');
  store.put('/pods', objectOf('b'), 0);
  t.mock.timers.tick(60_000);
  store.compactBefore(60_000);
  assert.equal(pods.oldestRevision, 2, 'what was there at the last compaction is a minute old');
  assert.deepEqual(
    pods.since(2)?.map(({ entry }) => entry.name),
    ['b'],
  );
  t.mock.timers.tick(60_000);
  store.compactBefore(60_000);
  assert.equal(pods.oldestRevision, 3);
  assert.deepEqual(
    [...pods.range('')].map(({ name }) => name),
    ['a', 'b'],
  );
});

test('a revision that was set back counts on from there, and nothing from before can be resumed', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const store = new Store({ eventWindow: 1000 });
  for (const name of ['a', 'b', 'c']) store.put('/pods', objectOf(name), 0);
  store.resetRevision(2);
  assert.equal(store.revision, 2);
  assert.equal(store.table('/pods').since(1), undefined);
  assert.equal(store.put('/pods', objectOf('d'), 0)?.revision, 3);
  t.mock.timers.tick(60_000);
  store.compactBefore(10_000);
  assert.ok(store.table('/pods').oldestRevision <= store.revision, 'the future is not compacted');
});

test('a listener that fails keeps no other from hearing, and the write is kept', () => {
  const defects: unknown[] = [];
  const store = new Store({ eventWindow: 10, onDefect: (error) => defects.push(error) });
  const heard: string[] = [];
  store.listenTo('/things', () => {
    throw new Error('one');
  });
  store.listenTo('/things', ({ entry }) => heard.push(entry.name));
  store.listen(() => {
    throw new Error('two');
  });
  store.listen((_, { entry }) => heard.push(entry.name));
  assert.ok(store.put('/things', { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } }, 0));
  assert.deepEqual(heard, ['a', 'a']);
  assert.deepEqual(defects.map(String), ['Error: one', 'Error: two']);
});

test('a listener cannot write, since the next one would hear of its change first', () => {
  const store = new Store({ eventWindow: 10 });
  const put = (name: string): unknown =>
    store.put('/things', { apiVersion: 'v1', kind: 'Thing', metadata: { name } }, 0);
  const stop = store.listenTo('/things', () => put('nested'));
  assert.throws(() => put('a'), /a listener of the store cannot write to it/);
  stop();
  assert.ok(put('b'));
  assert.deepEqual(
    Array.from(store.table('/things').range(''), ({ name }) => name),
    ['a', 'b'],
  );
});
