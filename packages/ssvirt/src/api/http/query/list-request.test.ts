/** The query of a list: its parameters, FIQL, and the error messages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Comparison, Filter } from '../../../db/lists/contracts.ts';
import { ApiError } from '../../errors.ts';
import { limits } from './fiql.ts';
import { parseListRequest } from './list-request.ts';
import { operandOf, renderOperand } from './operand.ts';

const compare = (field: string, comparison: Comparison, value: string): Filter => ({
  kind: 'compare',
  field,
  comparison,
  operand: operandOf(value, comparison),
});
const is = (field: string, value: string): Filter => compare(field, '==', value);
const all = (...parts: Filter[]): Filter => ({ kind: 'and', parts });
const any = (...parts: Filter[]): Filter => ({ kind: 'or', parts });

const filterOf = (text: string): Filter | undefined => parseListRequest(`filter=${text}`).filter;

function refusal(query: string): string {
  try {
    parseListRequest(query);
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, 'BAD_REQUEST');
    return error.message;
  }
  throw new assert.AssertionError({ message: `${query} is not refused` });
}

describe('parameters', () => {
  test('are read in any order, behind an ampersand too, each with its default', () => {
    assert.deepEqual(parseListRequest(''), { page: 1, pageSize: 25 });
    const asked = {
      page: 3,
      pageSize: 128,
      filter: is('name', 'a'),
      sort: { field: 'name', direction: 'desc' },
    };
    assert.deepEqual(
      parseListRequest('&type=user&sortDesc=name&pageSize=128&filter=name==a&filterEncoded=true&page=3'),
      asked,
    );
    assert.deepEqual(parseListRequest('filter=&sortAsc=&page=&pageSize='), { page: 1, pageSize: 25 });
    assert.deepEqual(parseListRequest('sortAsc=org.name').sort, { field: 'org.name', direction: 'asc' });
  });

  const refused: readonly (readonly [query: string, words: RegExp])[] = [
    ['page=0', /^page: "0" must be a whole number from 1 to 10000000\.$/],
    ['page=-1', /^page: "-1" must be/],
    ['page=1.5', /^page: "1.5" must be/],
    ['page=1e3', /^page: "1e3" must be/],
    ['page=99999999999', /^page: "99999999999" must be/],
    ['pageSize=129', /^pageSize: "129" must be a whole number from 1 to 128\.$/],
    ['page=1&page=1', /^page: appears in the query twice; give it once\.$/],
    ['filter=a==1&filter=b==2', /^filter: appears in the query twice/],
    ['sortAsc=a&sortAsc=b', /^sortAsc: appears in the query twice/],
    ['sortAsc=a&sortDesc=b', /^sortAsc and sortDesc: give only one of them\.$/],
    ['sortAsc=%zz', /^sortAsc: "%zz" is not percent-encoded UTF-8; encode a "%" itself as "%25"\.$/],
  ];
  for (const [query, words] of refused)
    test(`${query} is refused`, () => {
      assert.match(refusal(query), words);
    });
});

describe('filters', () => {
  const understood: readonly (readonly [reason: string, text: string, filter: Filter])[] = [
    ['every comparison', 'a==1', is('a', '1')],
    ['every comparison', 'a!=1', compare('a', '!=', '1')],
    ['every comparison', 'a=gt=1', compare('a', '=gt=', '1')],
    ['every comparison', 'a=ge=1', compare('a', '=ge=', '1')],
    ['every comparison', 'a=lt=1', compare('a', '=lt=', '1')],
    ['every comparison', 'a=le=1', compare('a', '=le=', '1')],
    ['; binds tighter than ,', 'a==1;b==2,c==3', any(all(is('a', '1'), is('b', '2')), is('c', '3'))],
    ['; binds tighter than ,', 'a==1,b==2;c==3', any(is('a', '1'), all(is('b', '2'), is('c', '3')))],
    ['parentheses', 'a==1;(b==2,c==3)', all(is('a', '1'), any(is('b', '2'), is('c', '3')))],
    ['parentheses', '((a==1))', is('a', '1')],
    [
      'as the client of tokens asks',
      '(name==x;owner.name==y;(type==PROXY,type==REFRESH))',
      all(is('name', 'x'), is('owner.name', 'y'), any(is('type', 'PROXY'), is('type', 'REFRESH'))),
    ],
    ['an empty value', 'a==', is('a', '')],
    ['a plus for a space', 'a==my+vm', is('a', 'my vm')],
    ['encoded values', 'a==urn%3Avcloud%3Avm%3A1;b==100%25', all(is('a', 'urn:vcloud:vm:1'), is('b', '100%'))],
    ['an href', 'vdc==https://h:8443/api/vdc/1?x=y', is('vdc', 'https://h:8443/api/vdc/1?x=y')],
    ['encoded operators in a value are none', 'a==x%3By%2Cz%28%29', is('a', String.raw`x\;y\,z\(\)`)],
    ['escapes, raw', String.raw`a==x\;y\,z\(\)\\`, is('a', String.raw`x\;y\,z\(\)\\`)],
    ['escapes, encoded', 'a==x%5C%2Cy', is('a', String.raw`x\,y`)],
    ['escapes, half encoded', 'a==x%5C,y', is('a', String.raw`x\,y`)],
    ['an escaped backslash before an operator', 'a==x%5C%5C,b==y', any(is('a', String.raw`x\\`), is('b', 'y'))],
    ['a backslash before what needs none', String.raw`a==x\y`, is('a', String.raw`x\\y`)],
    ['wildcards', 'a==*x*y', is('a', '*x*y')],
    ['a wildcard, escaped', String.raw`a==x\*`, is('a', String.raw`x\*`)],
    ['not ASCII', 'a==%C3%A4%F0%9F%98%80', is('a', 'ä😀')],
    [
      'all encoded',
      'a%3D%3Dmy+vm%3B%28b%21%3D2%2Cc%3Dgt%3D3%29',
      all(is('a', 'my vm'), any(compare('b', '!=', '2'), compare('c', '=gt=', '3'))),
    ],
    ['all encoded, with an escape', 'a%3D%3Dx%5C%2Cy', is('a', String.raw`x\,y`)],
    ['all encoded, but for what encodeURIComponent leaves', 'a!%3Dx*', compare('a', '!=', 'x*')],
    ['all encoded: a value is decoded once', 'a%3D%3D100%2525', is('a', '100%25')],
  ];
  for (const [reason, text, filter] of understood)
    test(`${reason}: ${text}`, () => {
      assert.deepEqual(filterOf(text), filter);
    });

  test('a wildcard is between pieces, and only where texts are equal or not', () => {
    assert.deepEqual(operandOf('*a*b', '=='), { text: '*a*b', pieces: ['', 'a', 'b'] });
    assert.deepEqual(operandOf('a*', '!='), { text: 'a*', pieces: ['a', ''] });
    assert.deepEqual(operandOf(String.raw`a\*b`, '!='), { text: 'a*b' });
    assert.deepEqual(operandOf('a*', '=gt='), { text: 'a*' });
  });

  const deep = (levels: number): string => `${'('.repeat(levels)}a==1${')'.repeat(levels)}`;
  const long = (terms: number): string => Array.from({ length: terms }, () => 'a==1').join(';');
  const refused: readonly (readonly [text: string, words: RegExp])[] = [
    ['name', /^filter, at 5: the end: expected one of == != =gt= =ge= =lt= =le= after the field\.$/],
    ['name=x', /^filter, at 5: "=x": expected one of/],
    ['name=like=x', /^filter, at 5: "=like=x": expected one of/],
    ['==x', /^filter, at 1: "==x": expected a field name, such as name or org\.id\.$/],
    ['a==1;', /^filter, at 6: the end: expected a field name/],
    ['a==1,,b==2', /^filter, at 6: ",b==2": expected a field name/],
    ['(a==1', /^filter, at 6: the end: expected "\)"/],
    ['a==1)', /^filter, at 5: "\)": expected ";", "," or the end of the filter\.$/],
    ['(a==1)b==2', /^filter, at 7: "b==2": expected ";", ","/],
    ['a==f(x)', /^filter, at 5: "\(x\)": escape "\(" in a value as "\\\("\.$/],
    ['a==%', /^filter, at 4: "%" is not percent-encoded/],
    ['a==%00', /^filter, at 4: "%00" contains NUL/],
    ['a==%ff', /^filter, at 4: "%ff" is not percent-encoded/],
    ['%ff', /^filter: "%ff" is not percent-encoded/],
    ['1a==x', /^filter, at 1: "1a==x": expected a field name/],
    [`a==${'x'.repeat(limits.length)}`, /^filter: is 4099 characters long; the limit is 4096\./],
    [deep(limits.depth + 1), /: parentheses can be at most 20 deep\.$/],
    [long(limits.terms + 1), /: a filter can have at most 100 comparisons\.$/],
  ];
  for (const [text, words] of refused)
    test(`${text.slice(0, 40)} is refused`, () => {
      assert.match(refusal(`filter=${text}`), words);
    });

  test('what is as deep and as long as it may be is understood', () => {
    assert.deepEqual(filterOf(deep(limits.depth)), is('a', '1'));
    const filter = filterOf(long(limits.terms));
    assert.ok(filter?.kind === 'and');
    assert.equal(filter.parts.length, limits.terms);
  });
});

describe('any filter', () => {
  const field = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}(\.[a-z]{1,5})?$/);
  const comparison = fc.constantFrom<Comparison>('==', '!=', '=gt=', '=ge=', '=lt=', '=le=');
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('(', ')', ',', ';', '\\', '*', '%', '+', '=', '&', 'a'), maxLength: 8 }),
  );
  const { filter } = fc.letrec<{ filter: Filter; term: Filter }>((tie) => ({
    term: fc
      .tuple(
        field,
        comparison,
        value.filter((text) => !text.includes('\0')),
      )
      .map(([name, operator, text]) => compare(name, operator, text)),
    filter: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie('term'),
      fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
        .map(([kind, parts]): Filter => ({
          kind,
          parts,
        })),
    ),
  }));

  function render(one: Filter, encode: (value: string) => string): string {
    if (one.kind === 'compare') return `${one.field}${one.comparison}${encode(renderOperand(one.operand))}`;
    return one.parts
      .map((part) => (part.kind === 'compare' ? render(part, encode) : `(${render(part, encode)})`))
      .join(one.kind === 'and' ? ';' : ',');
  }

  test('is the same when it is rendered and read again, in both encodings', () => {
    fc.assert(
      fc.property(filter, (one) => {
        assert.deepEqual(filterOf(render(one, encodeURIComponent)), one);
        assert.deepEqual(filterOf(encodeURIComponent(render(one, (text) => text))), one);
        assert.deepEqual(
          parseListRequest(String(new URLSearchParams({ filter: render(one, (text) => text) }))).filter,
          one,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('that is no filter is refused, and nothing else happens', () => {
    const noise = fc.string({
      unit: fc.constantFrom(
        'a',
        '==',
        '!=',
        '=gt=',
        ';',
        ',',
        '(',
        ')',
        '\\',
        '%5C',
        '%',
        '%C3',
        '*',
        '+',
        ' ',
        '&',
        'page=',
        '\0',
        '\u{1F600}',
      ),
      maxLength: 30,
    });
    fc.assert(
      fc.property(noise, (text) => {
        try {
          parseListRequest(`filter=${text}`);
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
