import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Totals, type Remembered } from './totals.ts';

const seen = (snapshot: string, anchors = 0): Remembered => ({
  snapshot,
  total: 1,
  ...(anchors === 0
    ? {}
    : { anchors: { step: 1, positions: Array.from({ length: anchors }, () => ({ key: '', id: '' })) } }),
});
const hour = 3_600_000;

test('the least recently used go first, by how much they take', () => {
  const totals = new Totals({ weight: 10, ageMs: hour });
  totals.set('a', seen('1'));
  totals.set('b', seen('1'));
  totals.set('c', seen('1', 6));
  assert.equal(totals.get('a')?.snapshot, '1');
  totals.set('d', seen('1', 1));
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => totals.get(key) !== undefined),
    [true, false, true, true],
  );
  totals.set('c', seen('2'));
  totals.set('e', seen('1', 4));
  assert.deepEqual(
    ['a', 'c', 'd', 'e'].map((key) => totals.get(key)?.snapshot),
    ['1', '2', '1', '1'],
  );
  totals.set('f', seen('1', 100));
  assert.deepEqual(
    ['a', 'c', 'd', 'e', 'f'].map((key) => totals.get(key)),
    [undefined, undefined, undefined, undefined, undefined],
  );
});

test('what was not seen to be so for too long is gone', () => {
  const totals = new Totals({ weight: 10, ageMs: -1 });
  totals.set('a', seen('1'));
  assert.equal(totals.get('a'), undefined);
});

test('what is found to be stale is forgotten, unless it was looked at again meanwhile', () => {
  const totals = new Totals({ weight: 10, ageMs: hour });
  totals.set('a', seen('1'));
  totals.set('a', seen('2'));
  totals.forget('a', seen('1'));
  assert.equal(totals.get('a')?.snapshot, '2');
  totals.forget('a', seen('2'));
  assert.equal(totals.get('a'), undefined);
});
