import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defined } from './defined.ts';

test('only fields that are undefined are left out', () => {
  const fields = { absent: undefined, nothing: null, zero: 0, empty: '', no: false };
  assert.deepEqual(Object.entries(defined(fields)), [
    ['nothing', null],
    ['zero', 0],
    ['empty', ''],
    ['no', false],
  ]);
});

test('the argument stays as it is', () => {
  const fields = { a: undefined, b: 1 };
  defined(fields);
  assert.deepEqual(Object.keys(fields), ['a', 'b']);
});
