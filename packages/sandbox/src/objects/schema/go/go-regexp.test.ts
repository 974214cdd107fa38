import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePattern, PatternError } from './go-regexp.ts';

const matches: [pattern: string, yes: string[], no: string[]][] = [
  ['^[a-z]+$', ['abc'], ['A', 'a\n', '']],
  ['^(?i)abc$', ['ABC', 'abc'], ['abd']],
  ['(?i:a)b', ['Ab'], ['AB']],
  ['^a\\-b\\/c\\_$', ['a-b/c_'], []],
  ['^\\d{1,3}%$', ['5%'], ['%', '1234%']],
  ['^[[:alpha:]_]+\\z', ['a_Z'], ['1']],
  ['^.$', ['\r', '💩'], ['\n', '']],
  ['(?s)^.$', ['\n'], []],
  ['^\\pL+$', ['äb'], ['1']],
  ['^[\\w.-]+$', ['a.b-c_1'], ['a b', 'é']],
  ['^\\S+$', ['a\u00a0b'], ['a b']],
  ['^(?P<year>\\d{4})-(?<month>\\d\\d)$', ['2020-01'], ['20-1']],
  ['^\\Qa.b\\E$', ['a.b'], ['axb']],
  ['^\\x41\\x{1F4A9}$', ['A💩'], []],
  ['^[^]a]$', ['b'], [']', 'a']],
  ['^[]a]$', [']'], ['b']],
  ['a{,3}', ['a{,3}'], ['aaa']],
  ['^([-+]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$', ['1.5Gi', '-1e3'], ['x']],
  [
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
    ['1Gi', '100m'],
    ['1 Gi'],
  ],
  ['(?m)^b$', ['a\nb\nc'], ['ab']],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ['a-b'], ['a-']],
  ['a(?i)b|c', ['aB', 'C'], []],
  ['a(?i:b)c', [], ['aBC']],
  ['(?s)a.b', ['a\nb'], []],
  ['a.b', ['a\rb'], ['a\nb']],
  ['^b$', [], ['a\nb\nc']],
  ['a$', [], ['a\n']],
  ['\\Aa\\z', ['a'], []],
  ['[[:alpha:]]+', [], ['123']],
  ['[[:^alpha:]]', ['1'], []],
  ['[^[:digit:]]', [], ['1']],
  ['\\s', [], ['\u00a0']],
  ['[\\S]', ['\u00a0'], []],
  ['\\x{1F600}', ['😀'], []],
  ['\\pL', ['é'], []],
  ['\\p{Greek}', ['α'], []],
  ['\\P{Greek}', [], ['α']],
  ['\\Qa.b\\E', ['a.b'], ['axb']],
  ['(?P<name>x)', ['x'], []],
  ['a{2,}', ['aa'], []],
  ['a{,2}', ['a{,2}'], []],
  ['[]a]', [']'], []],
  ['[a-]', ['-'], []],
  ['x*', [''], []],
  // Flags between two repetitions, spellings with another meaning in JavaScript, and case folding.
  ['^(?:a*(?i)*)$', ['aa'], ['b']],
  ['^x{01}$', ['x{01}'], ['x']],
  ['[a&&b]', ['&'], ['c']],
  ['(?i)\\W', ['-'], ['k', '\u212a']],
];

const bad: [pattern: string, error: string][] = [
  ['[a', 'error parsing regexp: missing closing ]: `[a`'],
  ['(a', 'error parsing regexp: missing closing ): `(a`'],
  ['a)', 'error parsing regexp: unexpected ): `a)`'],
  ['*a', 'error parsing regexp: missing argument to repetition operator: `*`'],
  ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['(?!a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?!`'],
  ['\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
  ['\\y', 'error parsing regexp: invalid escape sequence: `\\y`'],
  ['\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
  ['[z-a]', 'error parsing regexp: invalid character class range: `z-a`'],
  ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
  ['(?<!a)', 'error parsing regexp: invalid named capture: `(?<!a)`'],
  ['(a)\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
  ['*?a', 'error parsing regexp: missing argument to repetition operator: `*?`'],
  ['a*{2}?', 'error parsing regexp: invalid nested repetition operator: `*{2}?`'],
  ['(?i(', 'error parsing regexp: invalid or unsupported Perl syntax: `(?i(`'],
  ['(?P<n', 'error parsing regexp: invalid named capture: `(?P<n`'],
  ['\\pX', 'error parsing regexp: invalid character class range: `\\pX`'],
  ['[a-\\d]', 'error parsing regexp: invalid escape sequence: `\\d`'],
  ['\\x{110000}', 'error parsing regexp: invalid escape sequence: `\\x{110000`'],
  ['\\x4^', 'error parsing regexp: invalid escape sequence: `\\x4^`'],
];

describe('Go patterns', () => {
  for (const [pattern, yes, no] of matches) {
    test(`${pattern} matches as in Go`, () => {
      const regexp = compilePattern(pattern);
      assert.ok(regexp instanceof RegExp, String(regexp));
      for (const text of yes) assert.ok(regexp.test(text), `should match ${JSON.stringify(text)}`);
      for (const text of no) assert.ok(!regexp.test(text), `should not match ${JSON.stringify(text)}`);
    });
  }
  for (const [pattern, message] of bad) {
    test(`${pattern} is refused in Go's words`, () => {
      const error = compilePattern(pattern);
      assert.ok(error instanceof PatternError);
      assert.equal(error.message, message);
    });
  }
});
