import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf } from './access.ts';

const group = 'subresources.kubevirt.io';
const v1 = `/apis/${group}/v1`;
const about = { group, version: 'v1', namespace: 'a' };

for (const [method, path, expected] of [
  ['GET', v1, undefined],
  ['GET', `${v1}/version`, undefined],
  ['GET', `${v1}/healthz`, undefined],
  ['GET', `${v1}/start-cluster-profiler`, undefined],
  ['GET', `${v1}/nothing`, `unknown api endpoint: ${v1}/nothing`],
  ['PUT', `${v1}/namespaces/a/expand-vm-spec`, { ...about, verb: 'update', resource: 'expand-vm-spec' }],
  ['GET', `${v1}/namespaces/a/virtualmachines`, 'unknown resource type virtualmachines'],
  ['GET', `${v1}/namespaces/a/virtualmachines/b`, `unknown api endpoint: ${v1}/namespaces/a/virtualmachines/b`],
  ['PUT', `${v1}/namespaces/a/pods/b/start`, 'unknown resource type pods'],
  [
    'PUT',
    `${v1}/namespaces/a/virtualmachines/b/start`,
    { ...about, verb: 'update', resource: 'virtualmachines', subresource: 'start', name: 'b' },
  ],
  [
    'GET',
    `${v1}/namespaces/a/virtualmachineinstances/b/vnc/screenshot`,
    { ...about, verb: 'get', resource: 'virtualmachineinstances', subresource: 'vnc', name: 'b' },
  ],
  [
    'POST',
    `${v1}/namespaces/a/virtualmachines/b/start`,
    { ...about, verb: 'create', resource: 'virtualmachines', subresource: 'start', name: 'b' },
  ],
  ['BREW', `${v1}/namespaces/a/virtualmachines/b/start`, 'unknown http verb in request: BREW'],
] as const)
  test(`${method} ${path} asks for ${typeof expected === 'object' ? `${expected.verb} on ${expected.resource}` : (expected ?? 'nothing')}`, () =>
    assert.deepEqual(attributesOf({ method, path }), expected));
