import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePattern } from './go-regexp.ts';

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  assert.ok(compiled instanceof RegExp);
  return compiled.test(text);
}

describe('a pattern that backtracks is answered in good time', { timeout: 20_000 }, () => {
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a*)*b$', '^([a-z.-]+)+@x$']) {
    test(pattern, () => {
      assert.equal(matches(pattern, `${'a'.repeat(5000)}!`), false);
    });
  }
});

const CASES: readonly (readonly [pattern: string, text: string, expected: boolean])[] = [
  ['^.$', '\u{1f600}', true],
  ['^[^a]$', '\u{1f600}', true],
  ['^..$', '\u{1f600}', false],
  ['^\\x{1F600}$', '\u{1f600}', true],
  ['^é+$', 'éé', true],
  ['^\\pL+$', 'aé', true],
  ['^[[:alpha:]\\d]+$', 'a1', true],
  ['^[[:alpha:]\\d]+$', 'a-1', false],
  ['^[^\\d-]$', '-', false],
  ['(?i)^k$', 'K', true],
  ['^[\\[a]$', '[', true],
  ['^[\\]\\[]+$', '[]', true],
  ['^a.b$', 'a\nb', false],
  ['(?s)^a.b$', 'a\nb', true],
  ['(?m)^b$', 'a\nb', true],
];

describe('both forms of a pattern mean the same', () => {
  for (const [pattern, text, expected] of CASES) {
    test(`${pattern} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
      assert.equal(matches(pattern, text), expected);
    });
  }
});
