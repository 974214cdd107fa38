import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { filler, isSentence, lineAt, readSource } from './source-text.ts';

interface Case {
  readonly title: string;
  readonly source: string;
  readonly comments?: readonly string[];
  readonly strings?: readonly string[];
}

const gap = (length: number): string => filler.repeat(length);

const cases: readonly Case[] = [
  { title: 'a line comment', source: 'f(); // one', comments: [' one'] },
  { title: 'a line comment at the end of the file', source: '//', comments: [''] },
  { title: 'line comments in a row are one text', source: '  // one\n  // two\n', comments: [' one\n     two'] },
  { title: 'line comments with code between are two', source: '// one\nf();\n// two', comments: [' one', ' two'] },
  { title: 'line comments with an empty line between are two', source: '// a\n\n// b', comments: [' a', ' b'] },
  { title: 'a block comment', source: '/* one */ f()', comments: [' one '] },
  { title: 'a doc comment, without its stars', source: '/**\n * one\n * two\n */', comments: [' \n   one\n   two\n '] },
  { title: 'a block comment is not joined', source: '/* a */\n// b', comments: [' a ', ' b'] },
  { title: 'the interpreter line', source: '#!/usr/bin/env node\nf()', comments: ['/usr/bin/env node'] },
  { title: 'single and double quotes', source: `f('one', "two")`, strings: ['one', 'two'] },
  {
    title: 'escapes are blanks, and escaped quotes stay',
    source: String.raw`f('a\nb \'c\' é')`,
    strings: ["a  b  'c'  é"],
  },
  { title: 'a comment sign in a string', source: `f('http://x', "/* no */")`, strings: ['http://x', '/* no */'] },
  { title: 'a quote in a comment', source: "// it's\nf('a')", comments: [" it's"], strings: ['a'] },
  { title: 'a template', source: 'f(`one\ntwo`)', strings: ['one\ntwo'] },
  { title: 'a substitution is no word', source: 'f(`a ${b} c`)', strings: [`a ${gap(4)} c`] },
  {
    title: 'a template in a template',
    source: "f(`a ${b ? `c ${'d'}` : {}} e`)",
    strings: [`a ${gap(22)} e`, `c ${gap(6)}`, 'd'],
  },
  { title: 'a brace in a substitution', source: 'f(`${{ a: {} }}`, 1)', strings: [gap(12)] },
  { title: 'an escaped substitution', source: 'f(`a \\${b}`)', strings: ['a   {b}'] },
  { title: 'a comment in a substitution', source: 'f(`${a /* b */}`)', comments: [' b '], strings: [gap(12)] },
  { title: 'a regular expression with quotes', source: `a.replace(/['"\`]/g, 'b')`, strings: ['b'] },
  { title: 'a regular expression with a slash in a class', source: "x = /[/'\"]\\/'/; f('a')", strings: ['a'] },
  { title: 'a regular expression after a word', source: "return /'/.test('a')", strings: ['a'] },
  { title: 'a regular expression after an arrow', source: "() => /'/.test('a')", strings: ['a'] },
  { title: 'a regular expression after a negation', source: "x = !/'/.test('a')", strings: ['a'] },
  { title: 'divisions', source: "f(a / b, c[0] / 2, g() / 3, i++ / 2, x! / 2, 'a' / 1)", strings: ['a'] },
  { title: 'a division after a property that is called like a word', source: "a.in / 2 + 'b' / 2", strings: ['b'] },
  { title: 'generic types', source: "f<'a' | 'b'>(x) / 2", strings: ['a', 'b'] },
];

suite('of a source are read', () => {
  for (const { title, source, comments = [], strings = [] } of cases)
    test(title, () => {
      const text = readSource(source);
      assert.deepEqual(
        { comments: text.comments.map((span) => span.text), strings: text.strings.map((span) => span.text) },
        { comments, strings },
      );
    });
});

test('every span is as long as its part of the file, and on the same lines', () => {
  for (const { source } of cases) {
    const { comments, strings } = readSource(source);
    for (const { start, text } of [...comments, ...strings]) {
      const part = source.slice(start, start + text.length);
      assert.equal(part.length, text.length);
      assert.deepEqual(text.replaceAll(/[^\n]/g, ''), part.replaceAll(/[^\n]/g, ''));
    }
  }
});

for (const [title, source] of [
  ['a string', "f();\ng('a\n')"],
  ['a template', 'f();\n`a'],
  ['a comment', 'f();\n/* a'],
] as const)
  test(`${title} that does not end is an error with its line`, () => {
    assert.throws(() => readSource(source), new RegExp(`^Error: line 2: ${title} does not end`));
  });

test('a sentence has words, also around a substitution; a name has none', () => {
  const isSentenceOf = (source: string): boolean => readSource(source).strings.some(isSentence);
  for (const source of ["'is told'", '`${name} waits`', '`waits for ${name}`']) assert.ok(isSentenceOf(source), source);
  for (const source of ["'nobody'", "' '", "'nobody '", '`a${b}`', '`${a} ${b}`'])
    assert.ok(!isSentenceOf(source), source);
});

test('lines are counted from 1', () => {
  assert.deepEqual(
    [0, 1, 2, 4].map((offset) => lineAt('a\nb\nc', offset)),
    [1, 1, 2, 3],
  );
});
