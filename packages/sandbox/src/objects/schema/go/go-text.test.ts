import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import { goFloat, goJson, goQuote, goValue, sortKeys } from './go-text.ts';

test('strings are quoted as %q does', () => {
  const cases: [string, string][] = [
    ['plain', '"plain"'],
    ['A\n\u0001é<', '"A\\n\\x01é<"'],
    ['say "x" \\', '"say \\"x\\" \\\\"'],
    ['\u200b', '"\\u200b"'],
    ['💩', '"💩"'],
    ['\u007f', '"\\x7f"'],
  ];
  for (const [text, quoted] of cases) assert.equal(goQuote(text), quoted);
});

test('floats are printed as %v does', () => {
  const cases: [number, string][] = [
    [1.5, '1.5'],
    [11, '11'],
    [0.00002, '2e-05'],
    [0.0001, '0.0001'],
    [1e21, '1e+21'],
    [1e20, '1e+20'],
    [123456.5, '123456.5'],
    [1234567.5, '1.2345675e+06'],
    [1e6, '1e+06'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [-1.25e-10, '-1.25e-10'],
    [0, '0'],
  ];
  for (const [value, text] of cases) assert.equal(goFloat(value), text);
});

test('JSON has sorted keys for maps and escapes what HTML would read', () => {
  assert.equal(goJson(sortKeys({ z: 1, b: { c: '<d>' } })), '{"b":{"c":"\\u003cd\\u003e"},"z":1}');
  const awkward = JSON.parse('{"b":[{"d":1,"c":2}],"__proto__":{"y":1,"x":2}}') as JsonObject;
  assert.equal(goJson(sortKeys(awkward)), '{"__proto__":{"x":2,"y":1},"b":[{"c":2,"d":1}]}');
  assert.equal(goValue({ z: 1, a: null }), '{"z":1,"a":null}');
  assert.equal(goValue(undefined), 'null');
});
