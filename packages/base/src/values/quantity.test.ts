import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, mebibytes, quantity } from './quantity.ts';

const rows: readonly (readonly [unknown, number | undefined])[] = [
  ['1', 1],
  ['0', 0],
  ['1.5', 1.5],
  ['500m', 0.5],
  ['2k', 2000],
  ['2M', 2e6],
  ['3G', 3e9],
  ['1Ki', 1024],
  ['1536Mi', 1536 * 2 ** 20],
  ['4Gi', 2 ** 32],
  ['1Ti', 2 ** 40],
  ['1E', 1e18],
  ['1e3', 1000],
  ['1E3', 1000],
  ['12', 12],
  [7, 7],
  ['', undefined],
  ['Gi', undefined],
  ['-1', undefined],
  [-1, undefined],
  ['1 Gi', undefined],
  ['1KB', undefined],
  ['0x10', undefined],
  ['1e999', undefined],
  ['9'.repeat(400), undefined],
  [Number.NaN, undefined],
  [null, undefined],
  [{}, undefined],
];
for (const [value, expected] of rows)
  test(`the quantity ${JSON.stringify(value)?.slice(0, 20)} is ${expected ?? 'none'}`, () => {
    assert.equal(quantity(value), expected);
  });

test('bytes are whole, and as many as can be counted', () => {
  assert.deepEqual([bytes('0.5'), bytes('1Ki'), bytes('100Ei')], [1, 1024, undefined]);
});

test('less than a MiB is none', () => {
  assert.deepEqual([mebibytes('1023Ki'), mebibytes('1Mi'), mebibytes('2G')], [undefined, 1, 1907]);
});
