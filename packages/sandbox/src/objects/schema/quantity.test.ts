import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityAsInt64,
  quantityCeil,
  quantityError,
  subQuantity,
  type Quantity,
} from './quantity.ts';

const q = (text: string): Quantity => {
  const parsed = parseQuantity(text);
  assert.ok(parsed, `${text} is a quantity`);
  return parsed;
};

// The results of Go's ParseQuantity and String.
const CANONICAL: readonly (readonly [written: string, canonical: string])[] = [
  ['0', '0'],
  ['', 'error'],
  ['1', '1'],
  ['1000m', '1'],
  ['1.5', '1500m'],
  ['1.500', '1.500'],
  ['0.500', '500m'],
  ['+1', '+1'],
  ['1000', '1k'],
  ['1024', '1024'],
  ['1024Ki', '1Mi'],
  ['1.5Gi', '1536Mi'],
  ['0.5Ki', '512'],
  ['1E', '1E'],
  ['1E3', '1E3'],
  ['1000e3', '1e6'],
  ['12e6', '12e6'],
  ['0.1n', '1n'],
  ['1e-12', '1e-9'],
  ['9999999999Ei', '9223372036854775807'],
  ['-1Ki', '-1Ki'],
  ['01Ki', '01Ki'],
  ['k', '0'],
  ['.', '0'],
];

for (const [written, canonical] of CANONICAL) {
  test(`the canonical form of "${written}" is "${canonical}"`, () => {
    const parsed = parseQuantity(written);
    assert.equal(parsed === undefined ? 'error' : formatQuantity(parsed), canonical);
  });
}

test('a text that is no quantity is refused in the words of Kubernetes', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  assert.equal(quantityError(''), format);
  assert.equal(quantityError(' 1'), format);
  assert.equal(quantityError('1x'), format);
  assert.equal(quantityError('1e'), "unable to parse quantity's suffix");
  assert.equal(quantityError('1K'), "unable to parse quantity's suffix");
  assert.equal(quantityError('Pi'), 'unable to parse numeric part of quantity');
  assert.equal(quantityError('1Gi'), undefined);
});

test('quantities compare by number, not by unit', () => {
  assert.equal(compareQuantity(q('1'), q('1000m')), 0);
  assert.equal(compareQuantity(q('1Ki'), q('1k')), 1);
  assert.equal(compareQuantity(q('-2'), q('1m')), -1);
  assert.equal(compareQuantity(q('1e2000000000'), q('1e1999999999')), 1);
  assert.equal(compareQuantity(q('-1e2000000000'), q('-1e1999999999')), -1);
});

test('sums and differences keep the format of the left side unless it is zero', () => {
  assert.equal(formatQuantity(addQuantity(q('1Gi'), q('512Mi'))), '1536Mi');
  assert.equal(formatQuantity(addQuantity(q('0'), q('1Gi'))), '1Gi');
  assert.equal(formatQuantity(addQuantity(q('1'), q('500m'))), '1500m');
  assert.equal(formatQuantity(subQuantity(q('2'), q('500m'))), '1500m');
  assert.equal(formatQuantity(subQuantity(q('1Gi'), q('1Gi'))), '0');
  assert.equal(formatQuantity(subQuantity(q('1Gi'), q('2Gi'))), '-1Gi');
});

test('a whole number is read only where Go holds one', () => {
  assert.equal(quantityAsInt64(q('50k')), 50_000n);
  assert.equal(quantityAsInt64(q('1000m')), undefined);
  assert.equal(quantityAsInt64(q('9999999999999999999G')), undefined);
  assert.equal(quantityCeil(q('1500m')), 2n);
  assert.equal(quantityCeil(q('-1500m')), -2n);
  assert.equal(quantityCeil(q('2Ki')), 2048n);
});

test('an exponent of billions is not written out', () => {
  const huge = q('1e2000000000');
  assert.ok(quantityCeil(huge) > 2n ** 63n);
  assert.ok(quantityCeil(q('-1e2000000000')) < -(2n ** 63n));
  assert.equal(compareQuantity(addQuantity(huge, q('1')), q('1Ei')), 1);
});
