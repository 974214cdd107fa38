import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definition } from '../kinds/builtin.ts';
import { emptyObject } from './zero.ts';

test('a custom resource starts from nothing', () => {
  assert.deepEqual(emptyObject({ type: 'object' }, 'a/v1', 'A'), { apiVersion: 'a/v1', kind: 'A', metadata: {} });
});

test('a built-in kind starts with the structs and the fields that Go always writes', () => {
  assert.deepEqual(emptyObject(definition('io.k8s.api.apps.v1.Deployment'), 'apps/v1', 'Deployment'), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {},
    spec: { selector: null, template: { metadata: {}, spec: { containers: null } }, strategy: {} },
    status: {},
  });
});
