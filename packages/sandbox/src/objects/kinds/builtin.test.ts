import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResources, definition, definitions, objectMetaSchema } from './builtin.ts';

test('every resource names a definition that exists', () => {
  for (const resource of builtinResources) assert.ok(definitions.has(resource.definition), resource.definition);
  assert.equal(builtinResources.length, 41);
});

test('a reference becomes its target with the keys beside it laid over', () => {
  const pod = definition('io.k8s.api.core.v1.Pod');
  const metadata = pod.properties?.['metadata'];
  assert.equal(metadata?.properties, objectMetaSchema.properties);
  assert.equal(metadata?.['x-go']?.type, 'v1.ObjectMeta');
  assert.equal(objectMetaSchema['x-go'], undefined);
});

test('a schema that refers to itself is a cycle of shared objects', () => {
  const props = definition('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  assert.equal(props.properties?.['not']?.properties, props.properties);
  const byName = props.properties?.['properties']?.additionalProperties;
  assert.equal(typeof byName === 'object' ? byName.properties : undefined, props.properties);
  assert.equal(props.properties?.['$ref']?.type, 'string');
});

test('no reference is left', () => {
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (!Array.isArray(value)) assert.notEqual(typeof (value as { $ref?: unknown }).$ref, 'string');
    Object.values(value).forEach(visit);
  };
  visit([...definitions.values()]);
});
