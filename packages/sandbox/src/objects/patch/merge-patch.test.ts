import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../values/json.ts';
import { cloneJson } from '../../values/json.ts';
import { applyMergePatch, readMergePatch } from './merge-patch.ts';
import type { PatchFieldValidation } from './rejection.ts';

const cases: { reason: string; object: JsonObject; patch: JsonObject; want: JsonObject }[] = [
  { reason: 'sets a field', object: { a: 1 }, patch: { b: 2 }, want: { a: 1, b: 2 } },
  { reason: 'deletes with null', object: { a: 1, b: 2 }, patch: { b: null }, want: { a: 1 } },
  { reason: 'deletes nothing with null where nothing is', object: { a: 1 }, patch: { b: null }, want: { a: 1 } },
  {
    reason: 'merges objects in depth',
    object: { a: { b: 1, c: 2 } },
    patch: { a: { b: null, d: 3 } },
    want: { a: { c: 2, d: 3 } },
  },
  { reason: 'replaces lists', object: { a: [1, 2] }, patch: { a: [3] }, want: { a: [3] } },
  {
    reason: 'drops nulls from a new object',
    object: {},
    patch: { a: { b: null, c: { d: null } } },
    want: { a: { c: {} } },
  },
  {
    reason: 'drops nulls from an object that replaces a scalar',
    object: { a: 1 },
    patch: { a: { b: null } },
    want: { a: {} },
  },
  {
    reason: 'drops null fields inside a new list, not its null items',
    object: { a: [1] },
    patch: { a: [null, { b: null }] },
    want: { a: [null, {}] },
  },
  {
    reason: 'keeps null fields inside a list that replaces an object',
    object: { a: {} },
    patch: { a: [{ b: null }] },
    want: { a: [{ b: null }] },
  },
  { reason: 'treats a null field as absent', object: { a: null }, patch: { a: { b: null } }, want: { a: {} } },
];

for (const { reason, object, patch, want } of cases) {
  test(`a merge patch ${reason}`, () => {
    const before = cloneJson([object, patch]);
    assert.deepEqual(applyMergePatch(object, readMergePatch(patch)), want);
    assert.deepEqual([object, patch], before);
  });
}

test('what a merge patch gives shares nothing with object and patch', () => {
  const object = { keep: { deep: [1] } };
  const patch = { add: { deep: [1] } };
  const merged = applyMergePatch(object, patch);
  assert.notEqual(merged['keep'], object.keep);
  assert.notEqual(merged['add'], patch.add);
});

const refused: { body: Json; fieldValidation?: PatchFieldValidation; code: number; message: RegExp }[] = [
  {
    body: [],
    code: 400,
    message: /^error decoding patch: json: cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
  },
  {
    body: 'x',
    code: 400,
    message: /^error decoding patch: json: cannot unmarshal string into Go value of type map\[string\]interface \{\}$/,
  },
  { body: null, code: 400, message: /^Invalid JSON Patch$/ },
  { body: 1, fieldValidation: 'Ignore', code: 400, message: /^Invalid JSON Patch$/ },
  {
    body: [],
    fieldValidation: 'Ignore',
    code: 422,
    message:
      /^ "" is invalid: patch: Invalid value: "\[\]": couldn't get version\/kind; json parse error: .*APIVersion string "json:\\"apiVersion,omitempty\\""/,
  },
];

for (const { body, fieldValidation, code, message } of refused) {
  test(`${JSON.stringify(body)} is no merge patch with field validation ${fieldValidation ?? 'unset'}`, () => {
    assert.throws(() => readMergePatch(body, fieldValidation), { code, message });
  });
}
