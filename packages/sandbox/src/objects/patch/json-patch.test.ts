import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPatch } from 'rfc6902';
import { StatusError } from '../../server/api/status.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { cloneJson, jsonEqual } from '../../values/json.ts';
import { applyJsonPatch, maxOperations, readJsonPatch } from './json-patch.ts';
import type { PatchFieldValidation } from './rejection.ts';

const document: JsonObject = { data: { k: 'v', 'a/b~c': '1' }, list: ['x', 'y', 'z'], none: null };

const outcomes: { reason: string; patch: JsonObject[]; want: JsonObject }[] = [
  {
    reason: 'adds a key',
    patch: [{ op: 'add', path: '/data/n', value: '2' }],
    want: { data: { k: 'v', 'a/b~c': '1', n: '2' } },
  },
  { reason: 'unescapes ~1 and ~0', patch: [{ op: 'remove', path: '/data/a~1b~0c' }], want: { data: { k: 'v' } } },
  {
    reason: 'appends with -',
    patch: [{ op: 'add', path: '/list/-', value: 'e' }],
    want: { list: ['x', 'y', 'z', 'e'] },
  },
  {
    reason: 'inserts before an index',
    patch: [{ op: 'add', path: '/list/1', value: 'e' }],
    want: { list: ['x', 'e', 'y', 'z'] },
  },
  {
    reason: 'adds at -1 as the last',
    patch: [{ op: 'add', path: '/list/-1', value: 'e' }],
    want: { list: ['x', 'y', 'z', 'e'] },
  },
  { reason: 'removes at -1 the last', patch: [{ op: 'remove', path: '/list/-1' }], want: { list: ['x', 'y'] } },
  {
    reason: 'accepts a sign before an index',
    patch: [{ op: 'add', path: '/list/+0', value: 'e' }],
    want: { list: ['e', 'x', 'y', 'z'] },
  },
  {
    reason: 'replaces a key that is missing',
    patch: [{ op: 'replace', path: '/data/q', value: '2' }],
    want: { data: { k: 'v', 'a/b~c': '1', q: '2' } },
  },
  { reason: 'adds null where no value is given', patch: [{ op: 'add', path: '/none2' }], want: { none2: null } },
  {
    reason: 'ignores the text before the first slash',
    patch: [{ op: 'add', path: 'x/data/k', value: 'w' }],
    want: { data: { k: 'w', 'a/b~c': '1' } },
  },
  {
    reason: 'moves a value',
    patch: [{ op: 'move', from: '/data/k', path: '/moved' }],
    want: { data: { 'a/b~c': '1' }, moved: 'v' },
  },
  {
    reason: 'copies a value, so that a later change of one does not reach the other',
    patch: [
      { op: 'copy', from: '/data', path: '/copy' },
      { op: 'remove', path: '/copy/k' },
    ],
    want: { copy: { 'a/b~c': '1' } },
  },
  {
    reason: 'tests a missing key against null',
    patch: [
      { op: 'test', path: '/data/no', value: null },
      { op: 'test', path: '/data/no' },
    ],
    want: {},
  },
  {
    reason: 'tests objects without regard to the order of keys',
    patch: [{ op: 'test', path: '/data', value: { 'a/b~c': '1', k: 'v' } }],
    want: {},
  },
];

for (const { reason, patch, want } of outcomes) {
  test(`a JSON patch ${reason}`, () => {
    const before = cloneJson(document);
    assert.deepEqual(applyJsonPatch(document, readJsonPatch(patch).operations), { ...before, ...want });
    assert.deepEqual(document, before);
  });
}

const failures: { reason: string; operation: Json }[] = [
  { reason: 'a failing test', operation: { op: 'test', path: '/data/k', value: 'w' } },
  { reason: 'a missing parent', operation: { op: 'add', path: '/no/k', value: 'w' } },
  { reason: 'a scalar on the way', operation: { op: 'add', path: '/data/k/x', value: 'w' } },
  { reason: 'removal of a missing key', operation: { op: 'remove', path: '/data/no' } },
  { reason: 'an index behind the end', operation: { op: 'add', path: '/list/4', value: 'w' } },
  { reason: 'replacement behind the end', operation: { op: 'replace', path: '/list/3', value: 'w' } },
  { reason: 'an index that is no number', operation: { op: 'remove', path: '/list/first' } },
  { reason: 'adding at the empty path', operation: { op: 'add', path: '', value: {} } },
  { reason: 'a scalar in the place of the document', operation: { op: 'replace', path: '', value: 1 } },
  { reason: 'an unknown operation', operation: { op: 'nope', path: '/data/k' } },
  { reason: 'an operation without a path', operation: { op: 'remove' } },
  { reason: 'a move without a source', operation: { op: 'move', path: '/x' } },
  { reason: 'a null operation', operation: null },
];

for (const { reason, operation } of failures) {
  test(`a JSON patch is not applied because of ${reason}`, () => {
    assert.throws(
      () => applyJsonPatch(document, readJsonPatch([operation]).operations),
      (error) =>
        error instanceof StatusError &&
        jsonEqual(error.toStatus(), {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'the server rejected our request due to an error in our request',
          reason: 'Invalid',
          details: {},
          code: 422,
        }),
    );
  });
}

const bodies: { body: Json; fieldValidation?: PatchFieldValidation; message: string }[] = [
  {
    body: { op: 'add' },
    message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  },
  {
    body: ['x'],
    message: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
  },
  {
    body: [{ op: 1 }],
    message: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  },
  {
    body: { op: 'add' },
    fieldValidation: 'Ignore',
    message: 'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  },
  {
    body: [1],
    fieldValidation: 'Ignore',
    message: 'json: cannot unmarshal number into Go value of type jsonpatch.Operation',
  },
];

for (const { body, fieldValidation, message } of bodies) {
  test(`the body ${JSON.stringify(body)} is refused with field validation ${fieldValidation ?? 'unset'}`, () => {
    assert.throws(() => readJsonPatch(body, fieldValidation), { code: 400, reason: 'BadRequest', message });
  });
}

test('a JSON patch of null changes nothing', () => {
  assert.deepEqual(applyJsonPatch(document, readJsonPatch(null).operations), document);
});

test('a list cannot take the place of the object', () => {
  assert.throws(() => applyJsonPatch(document, [{ op: 'replace', path: '', value: [1] }]), {
    code: 422,
    message:
      /^ "" is invalid: patch: Invalid value: "\[1\]": couldn't get version\/kind; json parse error: json: cannot unmarshal array/,
  });
});

test('fields that no operation has are reported', () => {
  const body = [{ op: 'add', path: '/a', value: 1, foo: 2 }];
  assert.deepEqual(readJsonPatch(body).unknown, ['json patch unknown field "[0].foo"']);
  assert.deepEqual(readJsonPatch(body, 'Ignore').unknown, []);
});

test('a JSON patch has at most ten thousand operations', () => {
  const operation = { op: 'test', path: '/data/k', value: 'v' };
  assert.equal(readJsonPatch(Array.from({ length: maxOperations }, () => operation)).operations.length, maxOperations);
  assert.throws(() => readJsonPatch(Array.from({ length: maxOperations + 1 }, () => operation)), {
    code: 413,
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  });
});

test('a patch that another implementation computes leads from one object to the other', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      tie('object'),
      fc.array(tie('value')),
    ),
    object: fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      tie('value'),
    ),
  })).object;
  fc.assert(
    fc.property(value, value, (from, to) => {
      const [a, b] = [from as JsonObject, to as JsonObject];
      const { operations } = readJsonPatch(createPatch(a, b) as unknown as Json);
      assert.ok(jsonEqual(applyJsonPatch(a, operations), b));
    }),
    { numRuns: 200 },
  );
});

test('copies cannot make a document grow without end', () => {
  const double = { op: 'copy', from: '/a', path: '/a/-' };
  assert.throws(
    () =>
      applyJsonPatch(
        { a: ['x'.repeat(1000)] },
        Array.from({ length: 100 }, () => double),
      ),
    { code: 422 },
  );
  const deepen = { op: 'add', path: '/a', value: JSON.parse('['.repeat(900) + ']'.repeat(900)) as Json };
  const below = `/a${'/0'.repeat(899)}/-`;
  assert.throws(() => applyJsonPatch({}, [deepen, { op: 'copy', from: '/a', path: below }]), { code: 422 });
});

test('operations are only those of the standard', () => {
  for (const op of ['constructor', 'toString', '__proto__']) {
    assert.throws(() => applyJsonPatch({ a: 1 }, [{ op, path: '/a' }]), { code: 422 }, op);
  }
});
