import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from './json.ts';
import { parseYaml } from './yaml.ts';

test('YAML is read as Kubernetes reads it', () => {
  const cases: readonly [string, string, Json][] = [
    ['a block', 'a: 1\nb: [x, "y"]\n', { a: 1, b: ['x', 'y'] }],
    ['JSON', ' {"a": {"b": [1, null]}}', { a: { b: [1, null] } }],
    ['a flow that is no JSON', '{a: b, c: [d]}', { a: 'b', c: ['d'] }],
    ['nothing', '', null],
    ['aliases', 'a: &x {k: v}\nb: *x', { a: { k: 'v' }, b: { k: 'v' } }],
    ['a key that is there twice counts the second time', 'a: 1\na: 2', { a: 2 }],
  ];
  for (const [name, text, expected] of cases) assert.deepEqual(parseYaml(text), expected, name);
});

test('what nests too deep is refused before it is read to its end', () => {
  const deep: readonly [string, string][] = [
    ['keys of keys', '? '.repeat(100_000)],
    ['keys of keys on lines of their own', '?\n'.repeat(100_000)],
    ['lists of lists', '- '.repeat(100_000)],
    ['brackets', '['.repeat(1_000_000)],
    ['JSON', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['maps', '{"a":'.repeat(500_000)],
    ['a circle', 'a: &a [*a]'],
  ];
  // Work that grew with the square of the depth would not end within the limit of the file.
  for (const [name, text] of deep) assert.throws(() => parseYaml(text), /exceeded max depth of 1000/, name);
});

test('aliases of aliases do not multiply', () => {
  const lines = Array.from({ length: 12 }, (_, i) =>
    i === 0 ? 'a0: &a0 [x,x]' : `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`,
  );
  assert.throws(() => parseYaml(lines.join('\n')), /alias/);
});
