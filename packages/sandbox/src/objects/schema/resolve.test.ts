import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDefinitions } from './resolve.ts';

test('references become the definition itself, also where it contains itself', () => {
  const loaded = loadDefinitions({
    Node: {
      type: 'object',
      properties: {
        next: { $ref: '#/components/schemas/Node' },
        list: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
        byName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Leaf' } },
      },
    },
    Leaf: { type: 'string' },
  });
  const node = loaded.get('Node');
  assert.equal(node?.properties?.['next'], node);
  assert.equal(node?.properties?.['list']?.items, node);
  assert.equal(node?.properties?.['byName']?.additionalProperties, loaded.get('Leaf'));
});

test('a reference with keys of its own keeps them', () => {
  const loaded = loadDefinitions({
    Outer: {
      type: 'object',
      properties: { inner: { default: {}, description: 'own', allOf: [{ $ref: '#/components/schemas/Inner' }] } },
    },
    Inner: { type: 'object', description: 'theirs', properties: { a: { type: 'string' } } },
  });
  assert.deepEqual(loaded.get('Outer')?.properties?.['inner'], {
    type: 'object',
    description: 'own',
    default: {},
    properties: { a: { type: 'string' } },
  });
});

test('a reference to nowhere is an error', () => {
  assert.throws(() => loadDefinitions({ A: { $ref: '#/components/schemas/B' } }), /B does not exist/);
});
