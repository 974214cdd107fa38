import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customResources } from '../crd/resource.ts';
import type { KubeObject } from '../../values/json.ts';
import { customStrategy } from './custom.ts';

const atLeastSix = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5' }] };
const [resource] = customResources(
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.shop.example.com' },
    spec: {
      group: 'shop.example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { a: atLeastSix, b: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  },
  {},
);
assert.ok(resource !== undefined);
const strategy = customStrategy(resource);

const widget = (spec: { a: number; b: number }, finalizers: string[] = []): KubeObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', resourceVersion: '1', ...(finalizers.length === 0 ? {} : { finalizers }) },
  spec,
});

test('an update is warned of the rules that a value broke before and still breaks', () => {
  const old = widget({ a: 1, b: 1 });
  const object = widget({ a: 1, b: 2 }, ['mine']);
  assert.deepEqual(strategy.validateUpdate(object, old, ''), []);
  assert.deepEqual(strategy.warnings(object, old), [
    'spec.a: Invalid value: 1: failed rule: self > 5',
    'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
  ]);
});

test('a value that the update sets must keep its rules', () => {
  const object = widget({ a: 2, b: 1 });
  const texts = strategy.validateUpdate(object, widget({ a: 1, b: 1 }), '').map(({ detail }) => detail);
  assert.deepEqual(texts, ['Invalid value: 2: failed rule: self > 5']);
  assert.deepEqual(strategy.warnings(object, undefined), []);
});
