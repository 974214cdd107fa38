import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOf, literal } from './fiql.ts';

test('what would mean something in a filter is taken literally', () => {
  assert.equal(literal('a(b),c;d*e\\f'), String.raw`a\(b\)\,c\;d\*e\\f`);
  assert.equal(literal('web-1'), 'web-1');
});

test('conditions are joined by "and", and one that has several parts stays one', () => {
  assert.equal(allOf([undefined, '']), undefined);
  assert.equal(allOf(['a==1']), 'a==1');
  assert.equal(allOf(['a==1,b==2', undefined, 'c==3']), '(a==1,b==2);c==3');
  assert.equal(allOf(['a==1;b==2', 'c==3']), '(a==1;b==2);c==3');
});
