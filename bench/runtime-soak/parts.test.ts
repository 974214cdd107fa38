/** Tests how the soak compares and how it parses its options. .ci/run covers that the soak itself runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from './digest.ts';
import { readOptions } from './options.ts';

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
