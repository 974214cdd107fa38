import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../values/json.ts';
import { goPrinted, goSyntax, goType } from './go-print.ts';

const cases: readonly (readonly [value: Json, printed: string, syntax: string, type: string])[] = [
  [null, '<nil>', 'interface {}(nil)', '<nil>'],
  [true, 'true', 'true', 'bool'],
  ['a "b"', 'a "b"', '"a \\"b\\""', 'string'],
  [3, '3', '3', 'int64'],
  [12345678, '12345678', '12345678', 'int64'],
  [1234567.5, '1.2345675e+06', '1.2345675e+06', 'float64'],
  [1e20, '1e+20', '1e+20', 'float64'],
  [[1, [null]], '[1 [<nil>]]', '[]interface {}{1, []interface {}{interface {}(nil)}}', '[]interface {}'],
  [
    { b: 'x', a: {} },
    'map[a:map[] b:x]',
    'map[string]interface {}{"a":map[string]interface {}{}, "b":"x"}',
    'map[string]interface {}',
  ],
];

for (const [value, printed, syntax, type] of cases) {
  test(`Go prints ${JSON.stringify(value)} as ${printed}`, () => {
    assert.deepEqual([goPrinted(value), goSyntax(value), goType(value)], [printed, syntax, type]);
  });
}
