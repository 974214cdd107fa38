import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ruleOfPattern, shapes } from './texts.ts';

function patternsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}

test('every pattern of the API has a rule in words: no error shows a pattern', () => {
  const document: unknown = JSON.parse(
    readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
  );
  const patterns = [...new Set(patternsIn(document))];
  assert.ok(patterns.length > 10, `${patterns.length} patterns`);
  assert.deepEqual(
    patterns.filter((pattern) => ruleOfPattern(pattern) === undefined),
    [],
  );
});

const cases: readonly (readonly [shape: keyof typeof shapes, taken: readonly string[], refused: readonly string[]])[] =
  [
    ['name', ['a', 'Web 1', 'ä (2)'], ['', ' a', 'a ', 'a\u0007b', 'a\ud800']],
    ['username', ['ada', 'ada@example.org', 'ü'], ['', 'a b', 'a:b', 'a\u200bb', '\udc00']],
    ['email', ['', 'ada@example.org'], ['ada', 'a b@c', '@']],
    ['line', ['', 'a b'], ['a\nb', 'a\u0000', '\ud800']],
    ['prose', ['', 'a\n\tb'], ['a\u0007', '\udfff']],
    ['anything', ['', 'a\n\u0007'], ['\u0000', '\ud800']],
    ['ascii', ['', 'a b~'], ['ä', '\n']],
    ['url', ['', 'https://example.org/a?b'], ['a b', 'ä']],
    ['parameterName', ['A_1'], ['', 'a-b', 'ä', 'x'.repeat(64)]],
    ['objectName', ['a', 'u1.small', '1-a.b'], ['', 'U1', 'a.', '-a', 'a..b']],
    ['label', ['a', 'web-1'], ['', '1a', 'a-', 'a.b', 'A']],
    ['anyUrn', ['urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11'], ['urn:vcloud:vm:', 'web']],
  ];
for (const [shape, taken, refused] of cases)
  test(`${shape} ${shapes[shape].rule}`, () => {
    const pattern = new RegExp(shapes[shape].pattern, 'u');
    for (const text of taken) assert.match(text, pattern);
    for (const text of refused) assert.doesNotMatch(text, pattern);
  });
