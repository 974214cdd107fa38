import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestResource } from './request-resource.ts';

const rows: Readonly<Record<string, string>> = {
  '/api/v1/namespaces/a/pods': 'pods',
  '/api/v1/namespaces/a/pods/b/log': 'pods/log',
  '/api/v1/nodes/n': 'nodes',
  '/api/v1/namespaces': 'namespaces',
  '/api/v1/namespaces/a': 'namespaces',
  '/api/v1/namespaces/a/finalize': 'namespaces/finalize',
  '/apis/kubevirt.io/v1/virtualmachines?watch=true': 'virtualmachines.kubevirt.io',
  '/apis/kubevirt.io/v1/namespaces/a/virtualmachines/b': 'virtualmachines.kubevirt.io',
  '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachines/b/start':
    'virtualmachines.subresources.kubevirt.io/start',
  '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachineinstances/b/vnc/screenshot':
    'virtualmachineinstances.subresources.kubevirt.io/vnc/screenshot',
  '/apis/kubevirt.io/v1': '/apis/kubevirt.io/v1',
  '/apis': '/apis',
  '/api': '/api',
  '/version': '/version',
  '/': '/',
};

for (const [path, resource] of Object.entries(rows))
  test(`${path} is about ${resource}`, () => assert.equal(requestResource(path), resource));
