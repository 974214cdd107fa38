import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonObject, mergePatch, optimisticMergePatch } from './merge-patch.ts';

const cases: readonly {
  readonly reason: string;
  readonly before: object;
  readonly after: object;
  readonly patch: unknown;
}[] = [
  { reason: 'nothing differs', before: { a: [1, { b: 2 }] }, after: { a: [1, { b: 2 }] }, patch: undefined },
  { reason: 'a field goes', before: { a: 1, b: 2 }, after: { b: 2 }, patch: { a: null } },
  { reason: 'a field that is undefined goes', before: { a: 1 }, after: { a: undefined }, patch: { a: null } },
  { reason: 'a list is replaced', before: { a: [1, 2] }, after: { a: [1] }, patch: { a: [1] } },
  {
    reason: 'a nested field changes',
    before: { a: { b: 1, c: 2 } },
    after: { a: { b: 1, c: 3 } },
    patch: { a: { c: 3 } },
  },
  { reason: 'an object takes the place of a value', before: { a: 1 }, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  {
    reason: 'what is undefined in an entry of a list would not be sent',
    before: { a: [{ b: 1 }] },
    after: { a: [{ b: 1, c: undefined }] },
    patch: undefined,
  },
  { reason: 'an empty object comes', before: {}, after: { a: {} }, patch: { a: {} } },
  { reason: 'a null is no value', before: {}, after: { a: null }, patch: undefined },
];
for (const { reason, before, after, patch } of cases) {
  test(`a merge patch says what differs: ${reason}`, () => assert.deepEqual(mergePatch(before, after), patch));
}

/** RFC 7386, as the server implements it. */
function applied(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = applied(result[field], value);
  }
  return result;
}

test('P4: a patch between any two objects turns one into the other', () => {
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
  const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
    value: fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), tie('object')),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = mergePatch(before, after);
      // fast-check creates objects without a prototype, which JSON does not distinguish.
      const [result, wanted] = [patch === undefined ? before : applied(before, patch), after].map(
        (value) => JSON.parse(JSON.stringify(value)) as unknown,
      );
      assert.deepEqual(result, wanted);
    }),
    { numRuns: 500 },
  );
});

test('P4: an optimistic patch bears uid and resourceVersion of what was read', () => {
  const metadata = { name: 'c1', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } };
  const before = { metadata, data: { x: '1' } };
  assert.deepEqual(optimisticMergePatch(before, { ...before, data: { x: '2' } }), {
    type: 'merge',
    body: { metadata: { uid: 'u1', resourceVersion: '7' }, data: { x: '2' } },
  });
  assert.equal(optimisticMergePatch(before, structuredClone(before)), undefined);
});
