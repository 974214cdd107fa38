/** Patterns that are matched against untrusted text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readPattern } from './pattern.ts';

function isMatch(source: string, text: string): boolean {
  const pattern = readPattern(source);
  if ('fault' in pattern) throw new Error(pattern.fault);
  return pattern.matches(text);
}

suite('a pattern', () => {
  const patterns = [
    '',
    'a',
    'a|b',
    'a*',
    '(?:ab)+',
    'a?b',
    'a{2}',
    'a{1,3}b',
    'a{2,}',
    '[abc]',
    '[^abc]',
    '[a-c]+x?',
    '.',
    '^ab$',
    '^a|b$',
    '(a|b)*c',
    '\\d+',
    '\\w\\.\\w',
    '[\\d.]+',
    'a+?b',
    '(a*)*b',
    '[-a]+',
    '[a-]+',
    '\\x61',
    '\\s',
    '()',
  ];
  const texts = [
    '',
    'a',
    'b',
    'c',
    'ab',
    'abc',
    'aab',
    'aaab',
    'ba',
    'ac',
    '12',
    '1.2',
    'a.b',
    '-a',
    'abab',
    ' ',
    '\n',
    'd',
    'aax',
  ];
  for (const source of patterns)
    test(`matches what JavaScript matches: ${source}`, () => {
      for (const text of texts)
        assert.equal(isMatch(source, text), new RegExp(`^(?:${source})$`, 'u').test(text), text);
    });

  for (const source of [
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '\\bx',
    'a**',
    '*a',
    '(a',
    'a)',
    '[a',
    '[z-a]',
    'a{2,1}',
    'a{',
    '\\',
    '(?i)a',
    '[[:alpha:]]',
    '((a{1000}){1000}){1000}',
    '(((){1000}){1000}){1000}',
    '\\p{L}',
  ])
    test(`is refused where it cannot be judged: ${source}`, () => assert.ok('fault' in readPattern(source)));

  test('that others take for ever over is judged all the same', () => {
    const text = `${'a'.repeat(4000)}!`;
    for (const source of ['(a+)+', '(a|a)*', '(a|aa)+', 'a*a*a*a*a*a*a*b', '(.*)*x', '([a-z]+)*[a-z]+'])
      assert.equal(isMatch(source, text), false);
  });

  test('of any kind never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab()[]{}|*+?^$.\\-,1d:'.split('')), maxLength: 12 }),
        fc.string({ maxLength: 8 }),
        (source, text) => {
          const pattern = readPattern(source);
          if ('matches' in pattern) pattern.matches(text);
        },
      ),
      { numRuns: 500 },
    );
  });
});
