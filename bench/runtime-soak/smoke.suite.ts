/** The soak still runs, and still notices. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { digestOf } from './digest.ts';
import { readOptions } from './options.ts';

test('the soak kills a server, and finds all in agreement', async () => {
  const args = ['--minutes', '0.1', '--round', '4', '--objects', '200', '--rate', '50', '--seed', '7'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args]);
  assert.match(stdout, /round 1 \| [1-9]\d* writes, \d+ failed \| agreed after/);
  assert.match(stdout, /no violation\n$/);
});

test('knowing something else shows in the digest', () => {
  const base = digestOf([
    ['a', '1'],
    ['b', '2'],
  ]);
  assert.deepEqual(
    digestOf(
      new Map([
        ['b', '2'],
        ['a', '1'],
      ]),
    ),
    base,
  );
  for (const other of [
    [['a', '1']],
    [
      ['a', '1'],
      ['b', '3'],
    ],
    [
      ['a', '1'],
      ['c', '2'],
    ],
  ] as const)
    assert.notEqual(digestOf(other).digest, base.digest);
});

test('the command line is checked', () => {
  assert.equal(readOptions(['--help']), undefined);
  assert.equal(readOptions([])?.minutes, 30);
  assert.throws(() => readOptions(['--rate', 'many']), /--rate: "many" is not a number above 0/);
});
