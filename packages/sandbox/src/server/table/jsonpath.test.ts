import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../values/json.ts';
import { findJsonPath, parseJsonPath } from './jsonpath.ts';

const data: Json = {
  metadata: { annotations: { 'x.io/a': 'anno' } },
  spec: { s: 'text', t: 'other', none: null, deep: 'd1', items: [{ a: 'x', n: 1 }, { a: 'y', n: 2 }, { a: 'z' }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Odd (one)', status: 'False' },
    ],
  },
};

const found: [path: string, values: Json[]][] = [
  ['.spec.s', ['text']],
  ['$.spec.s', ['text']],
  ['.spec.missing.below', []],
  ['.spec.none', [null]],
  ['.spec.s.below', []],
  ["['spec'].s", ['text']],
  ['.spec.items[0].a', ['x']],
  ['.spec.items[-1].a', ['z']],
  ['.spec.items[-2].a', ['y']],
  ['.spec.items[*].a', ['x', 'y', 'z']],
  ['.spec.items[1:].a', ['y', 'z']],
  ['.spec.items[:2].a', ['x', 'y']],
  ['.spec.items[-1:].a', ['z']],
  ['.spec.items[::2].a', ['x', 'z']],
  ['.spec.items[0,2].a', ['x', 'z']],
  ['.spec.items[1:1].a', []],
  ["['spec']['s','t']", ['text', 'other']],
  ['.metadata.annotations.x\\.io/a', ['anno']],
  // The server's parser separates fields at the dot even in a quoted key; this is why paths escape it.
  ["['metadata'].annotations['x.io/a']", []],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Ready')].status", ['True']],
  ['.status.conditions[?(@.type!="Ready")].status', ['False']],
  ['.status.conditions[?(@.type=="Odd (one)")].status', ['False']],
  ['.status.conditions[?(@.type == "Gone")].status', []],
  ['.spec.items[?(@.n)].a', ['x', 'y']],
  ['.spec.items[?(@.n>1)].a', ['y']],
  ['.spec.items[?(@.n>=1)].a', ['x', 'y']],
  ['.spec.items[?(@.n<2)].a', ['x']],
  ['..deep', ['d1']],
  ['.spec..a', ['x', 'y', 'z']],
  ['.status.*[0].status', ['True']],
];

for (const [path, values] of found) {
  test(`${path} finds ${JSON.stringify(values)}`, () => {
    assert.deepEqual(findJsonPath(parseJsonPath(path), data), values);
  });
}

const failing: [path: string, message: string][] = [
  ['.spec.items[5].a', 'array index out of bounds: index 5, length 3'],
  ['.spec.items[2:1].a', 'starting index 2 is greater than ending index 1'],
  ['.spec.s[0]', 'value is not array or slice'],
  ['.spec.s[?(@.a)]', 'value is not array or slice and cannot be filtered'],
  ['.spec.items[?(@.a>1)].a', 'incompatible types for comparison'],
  ['.spec.items[?(@.n=1)].a', 'unrecognized filter operator ='],
  ['spec.s', 'unrecognized identifier spec'],
];

for (const [path, message] of failing) {
  test(`${path} cannot be evaluated`, () => {
    const parsed = parseJsonPath(path);
    assert.throws(() => findJsonPath(parsed, data), { name: 'JsonPathError', message });
  });
}

const unparsable: [path: string, message: string][] = [
  ['.a[', 'unterminated array'],
  ['.a[x]', 'invalid array index x'],
  ['.a[?(@.b=="c"]', 'unterminated filter'],
  ['.a[?(@.b=="c")', 'unclosed array expect ]'],
  ['....a', 'invalid multiple recursive descent'],
  ['"open', 'unterminated quoted string'],
  ['.a %', "unrecognized character in action: U+0025 '%'"],
];

for (const [path, message] of unparsable) {
  test(`${path} is no path`, () => {
    assert.throws(() => parseJsonPath(path), { name: 'JsonPathError', message });
  });
}
