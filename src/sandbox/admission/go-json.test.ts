import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonSyntaxError } from './go-json.ts';

const END = 'unexpected end of JSON input';
const cases: [text: string, said: string | undefined][] = [
  ['{"a":[1,-2.5e+3,"x\\u00e9",true,false,null,{}]}', undefined],
  ['', END],
  ['  ', END],
  ['{"a', END],
  ['[{"op":"add"', END],
  ['hello', "invalid character 'h' looking for beginning of value"],
  ["'x'", String.raw`invalid character '\'' looking for beginning of value`],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\x"`, "invalid character 'x' in string escape code"],
  [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
  ['-a', "invalid character 'a' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
];

for (const [text, said] of cases) {
  test(`${JSON.stringify(text)} is ${said === undefined ? 'JSON' : 'no JSON'}`, () =>
    assert.equal(jsonSyntaxError(text), said));
}
