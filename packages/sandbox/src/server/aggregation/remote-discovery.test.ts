import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import type { RemoteService } from './api-service.ts';
import type { Fetched } from './extension-connection.ts';
import { fetchResources, fromLegacy } from './remote-discovery.ts';

const service: RemoteService = {
  name: 'v1.ext.example.com',
  group: 'ext.example.com',
  version: 'v1',
  groupPriorityMinimum: 1000,
  versionPriority: 15,
  service: { namespace: 'default', name: 'ext', port: 443 },
  insecureSkipTLSVerify: true,
  caBundle: '',
  available: true,
};

const none = { group: '', version: '', kind: '' };

function json(value: JsonObject, contentType = 'application/json'): Fetched {
  return { status: 200, headers: { 'content-type': contentType }, body: JSON.stringify(value) };
}

const missing: Fetched = { status: 404, headers: {}, body: '404 page not found' };

function from(answers: { readonly [path: string]: Fetched }): ReturnType<typeof fetchResources> {
  return fetchResources(service, (path) => Promise.resolve(answers[path] ?? missing));
}

test('aggregated discovery is taken as it is, with the kinds that it leaves out', async () => {
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const resources = [
    {
      resource: 'things',
      scope: 'Namespaced',
      verbs: ['get'],
      subresources: [{ subresource: 'console', verbs: ['get'] }],
    },
  ];
  const document = { items: [{ metadata: { name: 'ext.example.com' }, versions: [{ version: 'v1', resources }] }] };
  assert.deepEqual(await from({ '/apis': json(document, type) }), [
    {
      ...resources[0],
      responseKind: none,
      subresources: [{ subresource: 'console', verbs: ['get'], responseKind: none }],
    },
  ]);
  assert.equal(await from({ '/apis': json({ items: [] }, type) }), undefined);
});

test('a server that only knows the older discovery is asked for the one version', async () => {
  const list = {
    kind: 'APIResourceList',
    resources: [
      { name: 'things', singularName: 'thing', namespaced: false, kind: 'Thing', verbs: ['get'], shortNames: ['th'] },
    ],
  };
  const expected = [
    {
      resource: 'things',
      responseKind: { ...none, kind: 'Thing' },
      scope: 'Cluster',
      singularResource: 'thing',
      verbs: ['get'],
      shortNames: ['th'],
    },
  ];
  assert.deepEqual(await from({ '/apis/ext.example.com/v1': json(list) }), expected);
  assert.deepEqual(
    await from({ '/apis': json({ kind: 'APIGroupList' }), '/apis/ext.example.com/v1': json(list) }),
    expected,
  );
});

test('a server that cannot be asked is distinguished from one that serves nothing', async () => {
  await assert.rejects(from({}), /failed to download legacy discovery for \/apis\/ext.example.com\/v1/);
  await assert.rejects(from({ '/apis': { ...missing, status: 503 } }), /503/);
});

test('a subresource without its resource makes an entry that has no verbs', () => {
  const start = {
    name: 'machines/start',
    singularName: '',
    namespaced: true,
    kind: 'Machine',
    group: 'a.example.com',
    version: 'v1',
    verbs: ['update'],
  };
  assert.deepEqual(fromLegacy([start]), [
    {
      resource: 'machines',
      responseKind: none,
      scope: 'Namespaced',
      singularResource: '',
      verbs: null,
      subresources: [
        {
          subresource: 'start',
          responseKind: { group: 'a.example.com', version: 'v1', kind: 'Machine' },
          verbs: ['update'],
        },
      ],
    },
  ]);
  assert.throws(() => fromLegacy([{ ...start, name: 'machines', namespaced: false }, start]), /scope do not match/);
});
