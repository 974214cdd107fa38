import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskMegabytes, megabytes, wholeNumber } from './amounts.ts';

test('memory is MB unless it has a unit, disks are GB', () => {
  assert.deepEqual(
    ['4096', '4Gi', '4g', '512Mi', '0.5Gi', '1Ti'].map(megabytes),
    [4096, 4096, 4096, 512, 512, 1_048_576],
  );
  assert.deepEqual(['20', '20Gi', '512Mi'].map(diskMegabytes), [20_480, 20_480, 512]);
});

test('what is no amount is refused', () => {
  for (const text of ['', 'lots', '-1', '0', '4Xi', '0.3Mi', '1e3', '4 Gi Gi'])
    assert.throws(() => megabytes(text), /4Gi/);
  for (const text of ['', '1.5', '-1', 'two']) assert.throws(() => wholeNumber(text), /whole number/);
});
