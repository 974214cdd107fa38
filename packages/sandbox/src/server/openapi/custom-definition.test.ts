import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../values/json.ts';
import { customResourceVerbs } from '../discovery/served-resource.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import type { Schema } from '../../objects/schema/schema.ts';
import { customDefinition, customListDefinition } from './custom-definition.ts';

function widget(schema: Schema | undefined): ServedResource {
  return {
    group: 'shop.example.com',
    version: 'v1',
    name: 'widgets',
    singularName: 'widget',
    kind: 'Widget',
    namespaced: true,
    verbs: customResourceVerbs,
    selectableFields: ['.spec.color'],
    ...(schema === undefined ? {} : { schema }),
  };
}

const integerOrString = [{ type: 'integer' }, { type: 'string' }];
const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
const embedded = { 'x-kubernetes-embedded-resource': true } as const;

/** How kube-apiserver 1.36.3 publishes each field in both versions. */
const fields: { name: string; schema: Schema; v3: Json; v2: Json }[] = [
  {
    name: 'a default and an enum',
    schema: { type: 'string', enum: ['red'], default: 'red' },
    v3: { type: 'string', enum: ['red'], default: 'red' },
    v2: { type: 'string', enum: ['red'] },
  },
  {
    name: 'a default that is false, and flags that are not set',
    schema: { type: 'boolean', default: false, nullable: false, uniqueItems: false },
    v3: { type: 'boolean', default: false },
    v2: { type: 'boolean' },
  },
  {
    name: 'int-or-string',
    schema: { 'x-kubernetes-int-or-string': true },
    v3: { 'x-kubernetes-int-or-string': true, anyOf: integerOrString },
    v2: { 'x-kubernetes-int-or-string': true },
  },
  {
    name: 'int-or-string that says so itself',
    schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^a' },
    v3: { 'x-kubernetes-int-or-string': true, anyOf: integerOrString, pattern: '^a' },
    v2: { 'x-kubernetes-int-or-string': true, pattern: '^a' },
  },
  {
    name: 'int-or-string with another anyOf',
    schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 1 }] },
    v3: { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 1 }], allOf: [{ anyOf: integerOrString }] },
    v2: { 'x-kubernetes-int-or-string': true },
  },
  {
    name: 'an object with unknown fields',
    schema: { type: 'object', ...open, properties: { a: { type: 'string' } } },
    v3: { type: 'object', ...open, properties: { a: { type: 'string' } } },
    v2: open,
  },
  {
    name: 'a list with unknown fields',
    schema: { type: 'array', ...open, items: { type: 'object', ...open } },
    v3: { type: 'array', ...open, items: { type: 'object', ...open } },
    v2: open,
  },
  {
    name: 'a nullable list',
    schema: { type: 'array', nullable: true, items: { type: 'string' } },
    v3: { type: 'array', nullable: true, items: { type: 'string' } },
    v2: {},
  },
  {
    name: 'a required field that may be null',
    schema: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: { type: 'string', nullable: true } },
    },
    v3: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: { type: 'string', nullable: true } },
    },
    v2: { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: {} } },
  },
  {
    name: 'a map of what may be null',
    schema: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
    v3: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
    v2: { type: 'object', additionalProperties: {} },
  },
  {
    name: 'a map of anything',
    schema: { type: 'object', additionalProperties: true },
    v3: { type: 'object', additionalProperties: true },
    v2: { type: 'object', additionalProperties: true },
  },
  {
    name: 'alternatives',
    schema: {
      type: 'object',
      oneOf: [{ required: ['a'] }],
      not: { required: ['b'] },
      properties: { a: { type: 'string' } },
    },
    v3: {
      type: 'object',
      oneOf: [{ required: ['a'] }],
      not: { required: ['b'] },
      properties: { a: { type: 'string' } },
    },
    v2: { type: 'object', properties: { a: { type: 'string' } } },
  },
];

function specOf(schema: Schema, version: 'v2' | 'v3'): Json | undefined {
  const definition = customDefinition(widget({ type: 'object', properties: { spec: schema } }), version);
  return (definition['properties'] as { [name: string]: Json })['spec'];
}

for (const { name, schema, v3, v2 } of fields) {
  test(`${name} is published as kube-apiserver does`, () => {
    assert.deepEqual(specOf(schema, 'v3'), v3);
    assert.deepEqual(specOf(schema, 'v2'), v2);
  });
}

test('an embedded object is published with the fields that every object has', () => {
  const published = specOf({ type: 'object', ...embedded, required: ['spec', 'kind'] }, 'v3') as {
    [key: string]: Json;
  };
  assert.deepEqual(Object.keys(published['properties'] as object), ['apiVersion', 'kind', 'metadata']);
  assert.deepEqual(published['required'], ['spec', 'kind', 'apiVersion']);
  assert.deepEqual(specOf({ type: 'object', ...embedded, ...open }, 'v2'), { ...embedded, ...open });
});

test('a definition has apiVersion, kind and the real ObjectMeta, its kind and its selectable fields', () => {
  const definition = customDefinition(
    widget({
      type: 'object',
      description: 'A widget',
      properties: { metadata: { type: 'object' }, spec: { type: 'string' } },
    }),
    'v3',
  );
  const properties = definition['properties'] as { [name: string]: { [key: string]: Json } };
  assert.deepEqual(Object.keys(properties), ['apiVersion', 'kind', 'metadata', 'spec']);
  assert.equal(properties['metadata']?.['$ref'], 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  assert.equal(definition['description'], 'A widget');
  assert.deepEqual(definition['x-kubernetes-group-version-kind'], [
    { group: 'shop.example.com', kind: 'Widget', version: 'v1' },
  ]);
  assert.deepEqual(definition['x-kubernetes-selectable-fields'], [{ fieldPath: 'spec.color' }]);
});

test('a kind with unknown fields is a bare object in v2, since kubectl would refuse what is not listed', () => {
  const definition = customDefinition(widget({ type: 'object', ...open }), 'v2');
  const plain = Object.keys(definition).filter((key) => !key.startsWith('x-kubernetes-'));
  assert.deepEqual(plain, ['type']);
});

test('a list kind refers to its items', () => {
  const list = customListDefinition(widget(undefined));
  const { items } = list['properties'] as { items: { items: Json } };
  assert.deepEqual(items.items, { $ref: 'com.example.shop.v1.Widget' });
  assert.equal(list['description'], 'WidgetList is a list of Widget');
});
