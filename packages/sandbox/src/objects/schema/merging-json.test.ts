import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMerging } from './merging-json.ts';

test('a second object is read into the first one, other values take its place', () => {
  assert.deepEqual(parseMerging('{"data":{"a":"1","a":"2"},"data":{"b":"3"},"n":1,"n":[1,2],"l":[1],"l":[]}'), {
    data: { a: '2', b: '3' },
    n: [1, 2],
    l: [],
  });
});

test('JSON that says nothing twice is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(4), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      assert.deepEqual(parseMerging(spaced), JSON.parse(spaced));
    }),
  );
});
