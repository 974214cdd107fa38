import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';

test('the command line of the soak is checked', () => {
  assert.equal(readOptions(['--help']), undefined);
  assert.deepEqual({ ...readOptions(['--seed', '7']) }, { minutes: 2, machines: 300, seed: 7 });
  assert.throws(() => readOptions(['--machines', 'many']), /--machines: "many" is not a number above 0/);
});
