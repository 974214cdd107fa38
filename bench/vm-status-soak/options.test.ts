import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';

test('the command line of the soak is checked', () => {
  assert.equal(readOptions(['--help']), undefined);
  assert.deepEqual({ ...readOptions(['--seed', '7']) }, { minutes: 2, vms: 300, clusters: 3, seed: 7 });
  assert.throws(() => readOptions(['--vms', 'many']), /--vms: "many" is not a number above 0/);
  assert.throws(() => readOptions(['--clusters', '9']), /--clusters: "9" is not a number from 2 to 5/);
});
