import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningValues } from './warnings.ts';

test('texts become header values', () => {
  const cases: readonly [string, string[], string[]][] = [
    ['quotes and backslashes are escaped', ['a "b" \\'], [String.raw`299 - "a \"b\" \\"`]],
    ['an empty text is none', ['', 'a'], ['299 - "a"']],
    ['control characters cannot be sent', ['a\r\nX: y', '\u0000', '\u0085', 'b'], ['299 - "b"']],
    ['other scripts travel as UTF-8', ['é'], ['299 - "\u00c3\u00a9"']],
    ['half a character becomes the replacement character', ['\ud800'], ['299 - "\u00ef\u00bf\u00bd"']],
  ];
  for (const [name, texts, expected] of cases) assert.deepEqual(warningValues(texts), expected, name);
});

test('many long texts are cut, and in the end left out', () => {
  const long = Array.from({ length: 40 }, (_, i) => `${i} ${'x'.repeat(300)}`);
  const values = warningValues(long);
  assert.equal(values.length, 16);
  assert.ok(values.every((value) => value.length === 256 + '299 - ""'.length));
  assert.deepEqual(warningValues(['x'.repeat(4096)]), [`299 - "${'x'.repeat(4096)}"`]);
});
