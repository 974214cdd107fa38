/** Requests and rights as Kubernetes reads them. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Manifest } from '../../vm-status/manifests.ts';
import { titleOf, withoutRight } from '../right.ts';
import { attributesOf, type Attributes } from './attributes.ts';
import { Authorizer } from './authorizer.ts';

const requests: readonly (readonly [method: string, url: string, asked: Attributes | undefined])[] = [
  ['GET', '/apis', undefined],
  ['GET', '/apis/kubevirt.io/v1', undefined],
  ['GET', '/version', undefined],
  ['GET', '/api/v1/namespaces', { verb: 'list', group: '', resource: 'namespaces' }],
  ['GET', '/api/v1/namespaces/a', { verb: 'get', group: '', resource: 'namespaces', namespace: 'a', name: 'a' }],
  [
    'PUT',
    '/api/v1/namespaces/a/finalize',
    { verb: 'update', group: '', resource: 'namespaces/finalize', namespace: 'a', name: 'a' },
  ],
  ['GET', '/api/v1/secrets?watch=true', { verb: 'watch', group: '', resource: 'secrets' }],
  ['GET', '/api/v1/secrets?watch=0', { verb: 'list', group: '', resource: 'secrets' }],
  ['POST', '/api/v1/namespaces/a/secrets', { verb: 'create', group: '', resource: 'secrets', namespace: 'a' }],
  [
    'DELETE',
    '/api/v1/namespaces/a/secrets',
    { verb: 'deletecollection', group: '', resource: 'secrets', namespace: 'a' },
  ],
  [
    'DELETE',
    '/api/v1/namespaces/a/secrets/b',
    { verb: 'delete', group: '', resource: 'secrets', namespace: 'a', name: 'b' },
  ],
  [
    'GET',
    '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Db',
    { verb: 'list', group: '', resource: 'secrets', namespace: 'a', name: 'b' },
  ],
  [
    'PUT',
    '/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachines/web/start',
    {
      verb: 'update',
      group: 'subresources.kubevirt.io',
      resource: 'virtualmachines/start',
      namespace: 'a',
      name: 'web',
    },
  ],
];
for (const [method, url, asked] of requests)
  test(`${method} ${url} is read as a server reads it`, () => {
    assert.deepEqual(attributesOf(method, url), asked);
  });

const account = { kind: 'ServiceAccount', name: 'me', namespace: 'home' };
const role = (kind: string, name: string, rules: Manifest['rules'], namespace?: string): Manifest => ({
  kind,
  metadata: { name, ...defined({ namespace }) },
  ...defined({ rules }),
});
const binding = (kind: string, to: string, name: string, namespace?: string, subject = account): Manifest =>
  ({ ...role(kind, name, undefined, namespace), roleRef: { kind: to, name }, subjects: [subject] }) as Manifest;
const all = [
  role('ClusterRole', 'wide', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
  binding('RoleBinding', 'ClusterRole', 'wide', 'a'),
  role(
    'Role',
    'lease',
    [{ apiGroups: [''], resources: ['leases'], resourceNames: ['mine'], verbs: ['update', 'create'] }],
    'home',
  ),
  binding('RoleBinding', 'Role', 'lease', 'home'),
  role('ClusterRole', 'other', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
  binding('ClusterRoleBinding', 'ClusterRole', 'other', undefined, { ...account, name: 'somebody' }),
];

test('a right holds where it is bound, for whom it is bound, and for the names that it says', () => {
  const authorizer = new Authorizer(all, 'home/me');
  const may = (verb: string, resource: string, namespace: string, name?: string): boolean =>
    authorizer.allowing({ verb, group: '', resource, namespace, ...defined({ name }) }).length > 0;
  assert.ok(may('get', 'secrets', 'a', 'x'));
  assert.ok(!may('get', 'secrets', 'b', 'x'), 'a ClusterRole by a RoleBinding holds in its namespace');
  assert.ok(!may('list', 'secrets', 'a'));
  assert.ok(may('update', 'leases', 'home', 'mine'));
  assert.ok(!may('update', 'leases', 'home', 'yours'));
  assert.ok(!may('create', 'leases', 'home'), 'what is made has no name yet');
  assert.ok(!may('get', 'pods', 'a', 'x'), 'that is somebody else’s');
});

test('without a right, that one is refused and no other', () => {
  const [right] = new Authorizer(all, 'home/me').allowing({
    verb: 'get',
    group: '',
    resource: 'secrets',
    namespace: 'a',
  });
  assert.ok(right !== undefined);
  assert.equal(titleOf(right), 'get secrets in ClusterRole wide');
  const without = new Authorizer(withoutRight(all, right), 'home/me');
  assert.deepEqual(without.allowing({ verb: 'get', group: '', resource: 'secrets', namespace: 'a' }), []);
  assert.equal(
    without.allowing({ verb: 'update', group: '', resource: 'leases', namespace: 'home', name: 'mine' }).length,
    1,
  );
});
