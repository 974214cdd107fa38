import assert from 'node:assert/strict';
import { test } from 'node:test';
import { References } from './references.ts';

test('references are found from what is referred to, and nothing is kept of those that are over', () => {
  const references = new References();
  assert.deepEqual(references.of('disk'), []);
  references.add('disk', 'a');
  references.add('disk', 'a');
  assert.deepEqual(references.of('disk'), ['a']);
  for (const user of ['b', 'c', 'b']) references.add('disk', user);
  assert.deepEqual(references.of('disk'), ['a', 'b', 'c']);
  references.remove('disk', 'nobody');
  references.remove('other', 'a');
  for (const user of ['a', 'c']) references.remove('disk', user);
  assert.deepEqual([references.of('disk'), references.size], [['b'], 1]);
  references.remove('disk', 'b');
  references.add('disk', 'd');
  references.remove('disk', 'x');
  assert.deepEqual(references.of('disk'), ['d']);
  references.remove('disk', 'd');
  assert.equal(references.size, 0);
});
