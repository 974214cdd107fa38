import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEntry, type Entry } from './entry.ts';
import { StoreTable, type StoreEvent } from './table.ts';

const entry = (name: string, revision: number, namespace = 'n'): Entry =>
  toEntry({ apiVersion: 'v1', kind: 'K', metadata: { namespace, name } }, revision);

const event = (type: StoreEvent['type'], of: Entry, previous?: Entry): StoreEvent => ({
  type,
  revision: of.revision,
  entry: of,
  previous,
  lines: new Map(),
});

const names = (entries: Iterable<Entry> | undefined): string[] | undefined =>
  entries === undefined ? undefined : [...entries].map(({ name, revision }) => `${name}@${revision}`);

/** a@11, b@12, a@13 (changed), b deleted at 14, c@15. */
function filled(window = 100): StoreTable {
  const table = new StoreTable('t', 10, window);
  const [a, b] = [entry('a', 11), entry('b', 12)];
  table.apply(event('ADDED', a));
  table.apply(event('ADDED', b));
  table.apply(event('MODIFIED', entry('a', 13), a));
  table.apply(event('DELETED', entry('b', 14), b));
  table.apply(event('ADDED', entry('c', 15)));
  return table;
}

test('a table can be read as it was at any revision of its window', () => {
  const cases: readonly [number, string[] | undefined][] = [
    [9, undefined],
    [10, []],
    [11, ['a@11']],
    [12, ['a@11', 'b@12']],
    [13, ['a@13', 'b@12']],
    [14, ['a@13']],
    [15, ['a@13', 'c@15']],
    [99, ['a@13', 'c@15']],
  ];
  for (const [revision, expected] of cases)
    assert.deepEqual(names(filled().at(revision, '')), expected, `at ${revision}`);
});

test('events are known from the oldest revision on', () => {
  const revisions = (since: number): number[] | undefined =>
    filled()
      .since(since)
      ?.map(({ revision }) => revision);
  assert.equal(revisions(9), undefined);
  assert.deepEqual(revisions(10), [11, 12, 13, 14, 15]);
  assert.deepEqual(revisions(13), [14, 15]);
  assert.deepEqual(revisions(15), []);
});

test('ways to forget', () => {
  const cases: readonly [string, (table: StoreTable) => void, oldest: number, events: number][] = [
    ['trim keeps the newest', (table) => table.trim(2), 13, 2],
    ['trim of more than there is keeps all', (table) => table.trim(9), 10, 5],
    ['trimBefore drops up to a revision', (table) => table.trimBefore(12), 12, 3],
    ['trimBefore an older revision than known keeps all', (table) => table.trimBefore(5), 10, 5],
    ['trimBefore the newest drops all', (table) => table.trimBefore(15), 15, 0],
    ['forget drops all', (table) => table.forget(20), 20, 0],
  ];
  for (const [name, action, oldest, events] of cases) {
    const table = filled();
    action(table);
    assert.equal(table.oldestRevision, oldest, name);
    assert.equal(table.since(oldest)?.length, events, name);
    assert.equal(table.since(oldest - 1), undefined, name);
    assert.deepEqual(names(table.range('')), ['a@13', 'c@15'], name);
  }
});

test('the window slides by itself', () => {
  const table = new StoreTable('t', 0, 10);
  for (let i = 1; i <= 1000; i++) {
    table.apply(event('ADDED', entry(`x${i}`, i)));
    const kept = table.since(table.oldestRevision)?.length ?? 0;
    assert.ok(kept <= 10 * 1.25 + 16, `${kept} events are kept`);
    assert.equal(kept, i - table.oldestRevision);
  }
  assert.ok(table.oldestRevision >= 970);
});

test('ranges are in the order of keys, and within their prefix', () => {
  const table = new StoreTable('t', 0, 10);
  const places = ['b/x', 'a-b/x', 'a/z', 'a/a', 'ab/x', 'a/m'];
  places.forEach((place, i) => {
    const [namespace = '', name = ''] = place.split('/');
    table.apply(event('ADDED', entry(name, i + 1, namespace)));
  });
  const keys = (prefix: string): string[] => [...table.range(prefix)].map(({ key }) => key);
  assert.deepEqual(keys(''), ['a-b/x', 'a/a', 'a/m', 'a/z', 'ab/x', 'b/x']);
  assert.deepEqual(keys('a/'), ['a/a', 'a/m', 'a/z']);
  assert.deepEqual(keys('c/'), []);
});

test('listeners hear each event once, in order, until they leave', () => {
  const table = new StoreTable('t', 0, 10);
  const heard: number[] = [];
  const leave = table.listen(({ revision }) => heard.push(revision));
  table.apply(event('ADDED', entry('a', 1)));
  table.apply(event('ADDED', entry('b', 2)));
  leave();
  table.apply(event('ADDED', entry('c', 3)));
  assert.deepEqual(heard, [1, 2]);
});
