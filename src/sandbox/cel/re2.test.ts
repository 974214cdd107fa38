import assert from 'node:assert/strict';
import { test } from 'node:test';
import { re2 } from './re2.ts';

// As Go's regexp answers them.
const MATCHES: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'a-b', true],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'a-', false],
  ['a(?i)b|c', 'aB', true],
  ['a(?i)b|c', 'C', true],
  ['a(?i:b)c', 'aBC', false],
  ['(?s)a.b', 'a\nb', true],
  ['a.b', 'a\nb', false],
  ['a.b', 'a\rb', true],
  ['(?m)^b$', 'a\nb\nc', true],
  ['^b$', 'a\nb\nc', false],
  ['a$', 'a\n', false],
  ['\\Aa\\z', 'a', true],
  ['[[:alpha:]]+', '123', false],
  ['[[:^alpha:]]', '1', true],
  ['[^[:digit:]]', '1', false],
  ['\\s', '\u00a0', false],
  ['[\\S]', '\u00a0', true],
  ['\\x{1F600}', '😀', true],
  ['^.$', '😀', true],
  ['\\pL', 'é', true],
  ['\\p{Greek}', 'α', true],
  ['\\P{Greek}', 'α', false],
  ['\\Qa.b\\E', 'a.b', true],
  ['\\Qa.b\\E', 'axb', false],
  ['(?P<name>x)', 'x', true],
  ['a{2,}', 'aa', true],
  ['a{,2}', 'a{,2}', true],
  ['[]a]', ']', true],
  ['[a-]', '-', true],
  ['x*', '', true],
];

for (const [pattern, text, matches] of MATCHES) {
  test(`/${pattern}/ ${matches ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
    const compiled = re2(pattern);
    assert.ok(compiled instanceof RegExp, String(compiled));
    assert.equal(compiled.test(text), matches);
  });
}

const REFUSED: readonly (readonly [pattern: string, why: string])[] = [
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(?<!a)', 'invalid named capture: `(?<!a)`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['[a', 'missing closing ]: `[a`'],
  ['(a', 'missing closing ): `(a`'],
  ['a)', 'unexpected ): `a)`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['\\', 'trailing backslash at end of expression: ``'],
  ['\\y', 'invalid escape sequence: `\\y`'],
];

for (const [pattern, why] of REFUSED) {
  test(`/${pattern}/ is refused in the words of Go`, () => {
    assert.equal(re2(pattern), `error parsing regexp: ${why}`);
  });
}
