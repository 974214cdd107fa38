import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinResources } from '../../objects/kinds/builtin.ts';
import { Discovery } from './discovery.ts';
import { apiVersions } from './legacy.ts';
import { customResourceVerbs, storageVersionHash } from './served-resource.ts';
import type { RemoteVersion, ServedResource } from './served-resource.ts';

const changing = ['get', 'patch', 'update'];

function custom(name: string, group: string, version: string, over: Partial<ServedResource> = {}): ServedResource {
  const singularName = name.slice(0, -1);
  const kind = singularName.charAt(0).toUpperCase() + singularName.slice(1);
  return { group, version, name, singularName, kind, namespaced: false, verbs: customResourceVerbs, ...over };
}

const widgets = custom('widgets', 'shop.example.com', 'v1', {
  namespaced: true,
  shortNames: ['wd'],
  categories: ['all'],
  storageVersionHash: storageVersionHash('shop.example.com', 'v1', 'Widget'),
  subresources: [
    { name: 'status', kind: 'Widget', verbs: changing },
    { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: changing },
  ],
});
const served: ServedResource[] = [
  ...builtinResources,
  widgets,
  custom('widgets', 'shop.example.com', 'v1beta1'),
  custom('aaas', 'shop.example.com', 'v1alpha1'),
  custom('aaas', 'shop.example.com', 'v1'),
  custom('zeds', 'a.example.com', 'v2'),
];

function discovery(resources: readonly ServedResource[] = served, remote: readonly RemoteVersion[] = []): Discovery {
  return new Discovery({ resources: () => resources, remote: () => remote });
}

/** The order of kube-apiserver 1.36.3, without the groups that the sandbox does not serve. */
const builtinOrder = [
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
];

test('/apis orders groups by priority, then by the name of the first APIService', () => {
  const groups = (discovery().apis() as unknown as { groups: { name: string }[] }).groups.map(({ name }) => name);
  assert.deepEqual(groups, [...builtinOrder, 'shop.example.com', 'a.example.com']);
});

test('aggregated discovery orders groups by priority, then by the name of the group', () => {
  const items = discovery().aggregated('/apis').document as unknown as { items: { metadata: { name: string } }[] };
  const names = items.items.map(({ metadata }) => metadata.name);
  assert.deepEqual(names, [...builtinOrder, 'a.example.com', 'shop.example.com']);
});

test('a group lists its versions from the most mature on, and prefers the first', () => {
  const entry = (version: string): object => ({ groupVersion: `shop.example.com/${version}`, version });
  assert.deepEqual(discovery().group('shop.example.com'), {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'shop.example.com',
    versions: [entry('v1'), entry('v1beta1'), entry('v1alpha1')],
    preferredVersion: entry('v1'),
  });
  assert.equal(discovery().group('nope.example.com'), undefined);
});

test('a resource list names subresources with the kind that they take', () => {
  assert.deepEqual(discovery().resources('shop.example.com', 'v1'), {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'shop.example.com/v1',
    resources: [
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wd'],
        categories: ['all'],
        storageVersionHash: '1eOuwF5L+ZU=',
      },
      { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs: changing },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: changing,
      },
      { name: 'aaas', singularName: 'aaa', namespaced: false, kind: 'Aaa', verbs: [...customResourceVerbs] },
    ],
  });
  assert.equal(discovery().resources('shop.example.com', 'v9'), undefined);
});

test('the core list has no apiVersion and begins with the resources in their own order', () => {
  const list = discovery().resources('', 'v1') as unknown as { apiVersion?: string; resources: { name: string }[] };
  assert.equal(list.apiVersion, undefined);
  assert.deepEqual(
    list.resources.slice(0, 3).map(({ name }) => name),
    ['bindings', 'configmaps', 'endpoints'],
  );
  assert.ok(list.resources.some(({ name }) => name === 'pods/eviction'));
});

test('aggregated discovery spells out the kinds of CRDs and sorts them, and leaves those of built-in kinds bare', () => {
  const { items } = discovery().aggregated('/apis').document as unknown as {
    items: {
      metadata: { name: string };
      versions: { version: string; resources: { resource: string; responseKind: object }[] }[];
    }[];
  };
  const first = (group: string): object | undefined =>
    items.find(({ metadata }) => metadata.name === group)?.versions[0]?.resources[0];
  assert.deepEqual(first('shop.example.com'), {
    resource: 'aaas',
    responseKind: { group: 'shop.example.com', version: 'v1', kind: 'Aaa' },
    scope: 'Cluster',
    singularResource: 'aaa',
    verbs: [...customResourceVerbs],
  });
  const controllerRevision = first('apps') as { responseKind: object } | undefined;
  assert.deepEqual(controllerRevision?.responseKind, { group: '', version: '', kind: 'ControllerRevision' });
});

test('a version of another server takes its place by its own priorities, and is stale while the server is unavailable', () => {
  const remote = {
    group: 'sub.example.com',
    version: 'v1',
    groupPriorityMinimum: 17850,
    versionPriority: 15,
    stale: true,
  };
  const documents = discovery(served, [remote]);
  const groups = (documents.apis() as unknown as { groups: { name: string }[] }).groups.map(({ name }) => name);
  assert.equal(groups[1], 'sub.example.com');
  const { items } = documents.aggregated('/apis').document as unknown as { items: { versions: object[] }[] };
  assert.deepEqual(items[1]?.versions, [{ version: 'v1', freshness: 'Stale' }]);
  assert.equal(documents.resources('sub.example.com', 'v1'), undefined);
});

test('documents are kept until they are invalidated', () => {
  const resources = [...served];
  const documents = discovery(resources);
  const before = documents.aggregated('/apis');
  resources.push(custom('news', 'b.example.com', 'v1'));
  assert.equal(documents.aggregated('/apis'), before);
  documents.invalidate();
  assert.notEqual(documents.aggregated('/apis').etag, before.etag);
  assert.ok(documents.group('b.example.com') !== undefined);
});

test('/api gives the address at which clients reach the server', () => {
  assert.deepEqual(apiVersions(['v1'], '127.0.0.1:6443'), {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
  });
});
