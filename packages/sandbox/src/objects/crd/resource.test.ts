import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customResources } from './resource.ts';
import type { CustomResourceDefinition, DefinitionVersion } from './types.ts';

const version = (name: string, more: Partial<DefinitionVersion> = {}): DefinitionVersion => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

const definition = (versions: DefinitionVersion[]): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.shop.example.com' },
  spec: { group: 'shop.example.com', scope: 'Cluster', names: { plural: 'widgets', kind: 'Widget' }, versions },
});

test('a version carries what it takes to serve it', () => {
  const metadata = { type: 'object', title: 'meta' };
  const crd = definition([version('v1', { storage: true, subresources: { status: {} } })]);
  const [resource] = customResources(crd, metadata);
  assert.deepEqual(
    { ...resource, schema: resource?.schema.properties },
    {
      group: 'shop.example.com',
      version: 'v1',
      apiVersion: 'shop.example.com/v1',
      kind: 'Widget',
      listKind: 'WidgetList',
      plural: 'widgets',
      singular: 'widget',
      shortNames: [],
      categories: [],
      namespaced: false,
      served: true,
      storage: true,
      schema: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata },
      validation: { type: 'object' },
      subresources: { status: true },
      printerColumns: [],
      selectableFields: [],
    },
  );
});

test('a deprecated version names the newest one that is not', () => {
  const crd = definition([
    version('v1alpha1', { deprecated: true }),
    version('v1beta1', { deprecated: true, deprecationWarning: 'own words' }),
    version('v1'),
    version('v2'),
    version('v3', { served: false }),
  ]);
  assert.deepEqual(
    customResources(crd, {}).map(({ deprecationWarning }) => deprecationWarning),
    [
      'shop.example.com/v1alpha1 Widget is deprecated; use shop.example.com/v2 Widget',
      'own words',
      undefined,
      undefined,
      undefined,
    ],
  );
  const alone = definition([version('v1', { deprecated: true })]);
  assert.equal(customResources(alone, {})[0]?.deprecationWarning, 'shop.example.com/v1 Widget is deprecated');
});
