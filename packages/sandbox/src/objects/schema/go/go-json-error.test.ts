import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goJsonError } from './go-json-error.ts';

const cases: readonly [text: string, said: string][] = [
  ['', 'unexpected end of JSON input'],
  ['  ', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a', 'unexpected end of JSON input'],
  ['[{"op":"add"', 'unexpected end of JSON input'],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['nope', "invalid character 'o' in literal null (expecting 'u')"],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['kind: ConfigMap', "invalid character 'k' looking for beginning of value"],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\x"`, "invalid character 'x' in string escape code"],
  [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
];

for (const [text, said] of cases) {
  test(`Go says of ${JSON.stringify(text)}: ${said}`, () => assert.equal(goJsonError(text), said));
}
