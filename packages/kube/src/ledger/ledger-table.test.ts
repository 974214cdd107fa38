import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LedgerTable } from './ledger-table.ts';

/** A seeded generator: a failure is reproducible. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const contents = (table: LedgerTable): unknown => Object.fromEntries(table.entries());

test('a table of a ledger holds what a Map would hold, whatever grows, shrinks and goes', () => {
  for (const seed of [1, 2]) {
    const roll = dice(seed);
    const table = new LedgerTable();
    const map = new Map<string, string>();
    for (let step = 0; step < 10_000; step++) {
      const key = `ns-${roll(5)}/vm-${roll(300)}`;
      if (roll(4) === 0) {
        table.delete(key);
        map.delete(key);
      } else {
        const text = ['x', 'ü', '😀'][roll(3)]?.repeat(roll(roll(50) === 0 ? 5_000 : 200)) ?? '';
        table.set(key, text);
        map.set(key, text);
      }
      assert.equal(table.get(key), map.get(key));
      if (step % 2_000 === 0) assert.deepEqual(contents(table), Object.fromEntries(map));
    }
    assert.deepEqual([table.size, contents(table)], [map.size, Object.fromEntries(map)]);
    assert.deepEqual(table.keys().toSorted(), [...map.keys()].toSorted());
  }
});

test('a table of a ledger takes little more than the bytes in it, however often they are rewritten', () => {
  const table = new LedgerTable();
  for (let round = 0; round < 20; round++)
    for (let index = 0; index < 2_000; index++) table.set(`ns/vm-${index}`, 'x'.repeat(200 + round * 8));
  const inUse = 2_000 * (16 + 10 + 360);
  // In addition to a third of garbage: the current block and one spare block.
  const blocks = 2 * 256 * 1024;
  assert.ok(table.bytes < 1.34 * inUse + blocks, `${table.bytes} bytes for ${inUse}`);
  for (let index = 1; index < 2_000; index++) table.delete(`ns/vm-${index}`);
  assert.ok(table.bytes < 1.1 * blocks, `${table.bytes} bytes for one entry`);
  assert.equal(table.get('ns/vm-0'), 'x'.repeat(352));
});

test('a small table is small: there may be one for each of hundreds of namespaces', () => {
  const table = new LedgerTable();
  for (let index = 0; index < 5; index++) table.set(`ns/vm-${index}`, 'x'.repeat(300));
  assert.ok(table.bytes < 5_000, `${table.bytes} bytes`);
});

test('a table of a ledger takes a text that is larger than its blocks', () => {
  const table = new LedgerTable();
  const large = 'x'.repeat(1_000_000);
  for (const key of ['a', 'b', 'c']) table.set(key, key === 'b' ? large : key);
  assert.deepEqual([table.get('a'), table.get('b') === large, table.get('c')], ['a', true, 'c']);
  table.set('b', 'small');
  assert.ok(table.bytes < 600_000, 'and lets go of its bytes');
  assert.deepEqual(contents(table), { a: 'a', b: 'small', c: 'c' });
});

test('a table of a ledger can be read entry by entry while it changes: what stays comes once', () => {
  const table = new LedgerTable();
  for (let index = 0; index < 100; index++) table.set(`old-${index}`, String(index));
  const seen: string[] = [];
  for (const [key] of table.entries()) {
    seen.push(key);
    for (let more = 0; more < 20; more++) table.set(`new-${seen.length}-${more % 7}`, 'y'.repeat(more * 50));
    table.set('old-99', 'z'.repeat(seen.length * 10));
    table.delete('old-50');
  }
  const old = seen.filter((key) => key.startsWith('old-'));
  assert.deepEqual([old.length, new Set(old).size, old.includes('old-50')], [99, 99, false]);
});

test('a table of a ledger knows which entries a list did not show', () => {
  const table = new LedgerTable();
  for (const key of ['a', 'b', 'c']) table.set(key, '1');
  assert.deepEqual([table.mark('a', 1), table.mark('a', 1), table.mark('nobody', 1)], [true, false, false]);
  table.mark('b', 1);
  table.set('b', 'much longer than it was');
  assert.deepEqual([table.unmark('a', 1), table.unmark('a', 1)], [true, false]);
  assert.deepEqual(table.keys(1), ['a', 'c']);
  table.delete('b');
  table.set('b', 'another');
  assert.deepEqual(table.keys(1).toSorted(), ['a', 'b', 'c'], 'a new one has not been shown');
});

test('a table of a ledger refuses half a character, which it could not find again', () => {
  const table = new LedgerTable();
  assert.throws(() => table.set('a', '\ud83d'), /well-formed Unicode/);
  assert.throws(() => table.set('\ud83d', 'a'), /well-formed Unicode/);
  assert.equal(table.size, 0);
});
