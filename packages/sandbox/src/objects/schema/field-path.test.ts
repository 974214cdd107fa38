import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findField, type Fields } from './field-path.ts';

const root: Fields = {
  properties: {
    spec: { properties: { a: { type: 'string' }, 'b.c': { type: 'integer' }, "d'e": {} } },
    labels: { additionalProperties: { type: 'string', properties: { x: {} } } },
    any: { additionalProperties: true },
  },
};

const FOUND: readonly (readonly [text: string, path: string, root: string])[] = [
  ['', '', ''],
  ['.spec.a', 'spec.a', 'spec'],
  [".spec['b.c']", 'spec.b.c', 'spec'],
  [".spec['d\\'e']", "spec.d'e", 'spec'],
  ['.labels.app', 'labels[app]', 'labels'],
  [".labels['a.b/c'].x", 'labels[a.b/c].x', 'labels'],
  ["['spec'].a", 'spec.a', 'spec'],
  ['.any.x', 'any[x]', 'any'],
];

for (const [text, path, first] of FOUND) {
  test(`the path ${text} is ${path}`, () => {
    const found = findField(text, root, { arrays: true });
    assert.equal(found.error, undefined);
    assert.deepEqual([found.path, found.root], [path, first]);
  });
}

const REFUSED: readonly (readonly [text: string, error: string])[] = [
  ['spec', 'expected [ or . but got: spec'],
  ['.', 'unexpected end of JSON path'],
  ['.spec[', 'unexpected end of JSON path'],
  [".spec['a'", 'unexpected end of JSON path'],
  [".spec['a'.", 'expected ] but got .'],
  ['.spec[a]', 'expected single quoted string but got a'],
  [".spec['a]", "expected single quoted string but got 'a]"],
  [".spec['\\x']", 'invalid string literal: invalid escape char \\x'],
  ['.spec.z', 'does not refer to a valid field'],
  ['.spec.a.b', 'does not refer to a valid field'],
  ['.any.x.y', 'does not refer to a valid field'],
];

for (const [text, error] of REFUSED) {
  test(`the path ${text} is refused: ${error}`, () => {
    assert.deepEqual(findField(text, root, { arrays: true }), { error });
  });
}

test('brackets are refused where only dots are allowed', () => {
  assert.deepEqual(findField(".spec['a']", root, { arrays: false }), { error: 'array notation is not allowed' });
});
