import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import type { FieldSet } from './fieldset.ts';
import {
  difference,
  equals,
  fieldSetOf,
  has,
  intersection,
  leaves,
  paths,
  recursiveDifference,
  union,
} from './fieldset.ts';
import { pathText } from './path.ts';

const set = (fields: JsonObject): FieldSet => decodeFieldsV1(fields);

const A = { 'f:a': { '.': {}, 'f:b': {}, 'f:c': { 'f:d': {} } }, 'f:x': {} };
const B = { 'f:a': { 'f:b': {}, 'f:e': {} }, 'f:y': {} };

describe('operations on field sets', () => {
  const cases: {
    name: string;
    run: (a: FieldSet, b: FieldSet) => FieldSet;
    a?: JsonObject;
    b?: JsonObject;
    out: JsonObject;
  }[] = [
    {
      name: 'union',
      run: union,
      out: { 'f:a': { '.': {}, 'f:b': {}, 'f:c': { 'f:d': {} }, 'f:e': {} }, 'f:x': {}, 'f:y': {} },
    },
    { name: 'intersection', run: intersection, out: { 'f:a': { 'f:b': {} } } },
    { name: 'difference', run: difference, out: { 'f:a': { '.': {}, 'f:c': { 'f:d': {} } }, 'f:x': {} } },
    {
      name: 'difference with a parent leaves its children',
      run: difference,
      b: { 'f:a': {} },
      out: { 'f:a': { 'f:b': {}, 'f:c': { 'f:d': {} } }, 'f:x': {} },
    },
    {
      name: 'recursive difference with a parent takes its children',
      run: recursiveDifference,
      b: { 'f:a': {} },
      out: { 'f:x': {} },
    },
    {
      name: 'recursive difference below a parent',
      run: recursiveDifference,
      b: { 'f:a': { 'f:c': {} } },
      out: { 'f:a': { '.': {}, 'f:b': {} }, 'f:x': {} },
    },
    { name: 'leaves', run: leaves, out: { 'f:a': { 'f:b': {}, 'f:c': { 'f:d': {} } }, 'f:x': {} } },
  ];
  for (const { name, run, a = A, b = B, out } of cases) {
    test(name, () => {
      const result = run(set(a), set(b));
      assert.deepEqual(encodeFieldsV1(result), out);
      assert(equals(result, set(out)));
    });
  }

  test('a difference that takes nothing is the set itself, so that its encoding is kept', () => {
    const a = set(A);
    assert.equal(difference(a, set({ 'f:z': {}, 'f:a': { 'f:z': {} } })), a);
  });

  test('a path is a member only where it ends', () => {
    const a = fieldSetOf([['a', 'b'], ['c']]);
    assert(has(a, ['f:a', 'f:b']));
    assert(has(a, ['f:c']));
    assert(!has(a, ['f:a']));
    assert(!has(a, ['f:c', 'f:d']));
    assert(!has(a, []));
  });

  test('paths come with the members of a level first', () => {
    const text = [...paths(set({ 'f:a': { 'f:z': {} }, 'f:b': {} }))].map(pathText);
    assert.deepEqual(text, ['.b', '.a.z']);
  });
});

describe('FieldsV1', () => {
  test('is written in the order of field sets: numbers by size, fields before keys before values before indexes', () => {
    const mixed = {
      'i:10': {},
      'i:9': {},
      'v:"b"': {},
      'v:true': {},
      'v:10': {},
      'v:9': {},
      'k:{"port":443}': { 'f:z': {}, '.': {} },
      'k:{"protocol":"TCP","port":80}': {},
      'k:{"port":80}': {},
      'f:b': {},
      'f:a': {},
    };
    assert.equal(
      JSON.stringify(encodeFieldsV1(set(mixed))),
      JSON.stringify({
        'f:a': {},
        'f:b': {},
        'k:{"port":80}': {},
        'k:{"port":80,"protocol":"TCP"}': {},
        'k:{"port":443}': { '.': {}, 'f:z': {} },
        'v:9': {},
        'v:10': {},
        'v:"b"': {},
        'v:true': {},
        'i:9': {},
        'i:10': {},
      }),
    );
  });

  test('escapes in values what Go escapes', () => {
    assert.deepEqual(Object.keys(encodeFieldsV1(set({ 'v:"a<b>&"': {} }))), ['v:"a\\u003cb\\u003e\\u0026"']);
  });

  test('skips kinds of elements that it does not know', () => {
    assert.deepEqual(encodeFieldsV1(set({ 'q:new': {}, 'f:a': {} })), { 'f:a': {} });
  });

  const malformed: { fields: JsonObject; message: RegExp }[] = [
    { fields: { x: {} }, message: /key must be 2 characters long/ },
    { fields: { name: {} }, message: /missing colon: name/ },
    { fields: { 'k:{': {} }, message: /JSON/ },
    { fields: { 'k:[]': {} }, message: /expect \{/ },
    { fields: { 'i:x': {} }, message: /strconv\.Atoi: parsing "x": invalid syntax/ },
    { fields: { 'f:a': 'b' }, message: /expect \{ or n/ },
  ];
  for (const { fields, message } of malformed) {
    test(`refuses ${JSON.stringify(fields)}`, () => {
      assert.throws(() => set(fields), { name: 'SyntaxError', message });
    });
  }
});

test('paths are printed as in conflicts', () => {
  const path = ['f:spec', 'k:{"name":"a\\"b","port":1000000}', 'v:"x"', 'v:1.5', 'v:true', 'i:3'];
  assert.equal(pathText(path), '.spec[name="a\\"b",port=1e+06][="x"][=1.5][=true][3]');
});
