import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_DEPTH, tooDeep } from './depth.ts';
import type { Json } from './json.ts';

const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;

test('values are as deep as their deepest part', () => {
  const cases: readonly [string, Json, boolean][] = [
    ['a scalar', 1, false],
    ['an empty object', {}, false],
    ['the deepest allowed', nested(MAX_DEPTH), false],
    ['one level more', nested(MAX_DEPTH + 1), true],
    ['a deep part beside flat ones', { a: 1, b: [nested(MAX_DEPTH)], c: {} }, true],
    ['far deeper than the stack', nested(200_000), true],
    ['a wide one', Array.from({ length: 10_000 }, (_, i) => ({ i })), false],
  ];
  for (const [name, value, expected] of cases) assert.equal(tooDeep(value), expected, name);
});

test('a circle is too deep', () => {
  const circle: Json[] = [];
  circle.push(circle, circle);
  assert.equal(tooDeep(circle), true);
});
