import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customResourceVerbs } from '../discovery/served-resource.ts';
import type { ServedResource } from '../discovery/served-resource.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { builtinResources } from '../../objects/kinds/builtin.ts';
import { openApiAnswer } from './answer.ts';
import { OpenApi } from './documents.ts';

const widgets: ServedResource = {
  group: 'shop.example.com',
  version: 'v1',
  name: 'widgets',
  singularName: 'widget',
  kind: 'Widget',
  namespaced: true,
  verbs: customResourceVerbs,
  schema: { type: 'object', properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } } },
  subresources: [
    { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] },
  ],
};

function documents(resources: readonly ServedResource[] = [...builtinResources, widgets]): OpenApi {
  return new OpenApi({ resources: () => resources });
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  'x-kubernetes-group-version-kind': object;
}
interface Document {
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: JsonObject } };
  definitions: { [name: string]: JsonObject };
}
const v3 = (openApi: OpenApi, path: string): Document =>
  JSON.parse(openApi.v3(path)?.body.toString() ?? '') as Document;

test('every path of the index leads to a document with that hash', () => {
  const openApi = documents();
  const { paths } = JSON.parse(openApi.index().body.toString()) as {
    paths: { [path: string]: { serverRelativeURL: string } };
  };
  assert.ok(Object.keys(paths).length > 10);
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    assert.equal(serverRelativeURL, `/openapi/v3/${path}?hash=${openApi.v3(path)?.hash}`);
  }
});

test('kubectl finds fieldValidation on the PATCH of every kind that can be patched', () => {
  const openApi = documents();
  for (const { group, version, kind, verbs } of [...builtinResources, widgets]) {
    if (!verbs.includes('patch')) continue;
    const { paths } = v3(openApi, group === '' ? `api/${version}` : `apis/${group}/${version}`);
    const patches = Object.values(paths).flatMap(({ patch }) => (patch === undefined ? [] : [patch]));
    const own = patches.filter((patch) => {
      const gvk = patch['x-kubernetes-group-version-kind'] as { group: string; version: string; kind: string };
      return gvk.group === group && gvk.version === version && gvk.kind === kind;
    });
    assert.ok(own.length > 0, `${kind} has no PATCH`);
    for (const { parameters = [] } of own)
      assert.ok(
        parameters.some(({ name }) => name === 'fieldValidation'),
        kind,
      );
  }
});

test('operations are named as kube-apiserver names them', () => {
  const ids = (path: string, document: Document): string[] =>
    Object.values(document.paths[path] ?? {}).flatMap(({ operationId }) => operationId ?? []);
  const openApi = documents();
  assert.deepEqual(
    ids('/apis/shop.example.com/v1/namespaces/{namespace}/widgets', v3(openApi, 'apis/shop.example.com/v1')),
    [
      'listShopExampleComV1NamespacedWidget',
      'createShopExampleComV1NamespacedWidget',
      'deleteShopExampleComV1CollectionNamespacedWidget',
    ],
  );
  assert.deepEqual(ids('/api/v1/namespaces/{namespace}/pods/{name}/eviction', v3(openApi, 'api/v1')), [
    'createCoreV1NamespacedPodEviction',
  ]);
  assert.deepEqual(
    ids('/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}', v3(openApi, 'apis/rbac.authorization.k8s.io/v1')),
    [
      'readRbacAuthorizationV1ClusterRole',
      'replaceRbacAuthorizationV1ClusterRole',
      'deleteRbacAuthorizationV1ClusterRole',
      'patchRbacAuthorizationV1ClusterRole',
    ],
  );
});

test('a document holds what its operations refer to and nothing of ours', () => {
  const { components } = v3(documents(), 'apis/shop.example.com/v1');
  const names = Object.keys(components.schemas);
  assert.deepEqual(names.slice(0, 3), [
    'com.example.shop.v1.Widget',
    'com.example.shop.v1.WidgetList',
    'io.k8s.api.autoscaling.v1.Scale',
  ]);
  assert.ok(!names.some((name) => name.startsWith('io.k8s.api.core')));
  assert.ok(!JSON.stringify(v3(documents(), 'api/v1')).includes('x-go'));
});

test('a reference with siblings is wrapped in v3 and is beside them in v2', () => {
  const openApi = documents();
  const metadata = (definition: JsonObject | undefined): Json | undefined =>
    (definition?.['properties'] as JsonObject | undefined)?.['metadata'];
  assert.deepEqual(metadata(v3(openApi, 'api/v1').components.schemas['io.k8s.api.core.v1.Pod']), {
    default: {},
    allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
  });
  const { definitions } = JSON.parse(openApi.v2().json.body.toString()) as Document;
  assert.deepEqual(metadata(definitions['io.k8s.api.core.v1.Pod']), {
    $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  });
});

test('v2 keeps what a strategic merge patch needs and calls a quantity a string', () => {
  const { definitions } = JSON.parse(documents().v2().json.body.toString()) as Document;
  const { containers } = definitions['io.k8s.api.core.v1.PodSpec']!['properties'] as { containers: JsonObject };
  assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
  assert.equal(containers['x-kubernetes-patch-strategy'], 'merge');
  assert.deepEqual(definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'], { type: 'string' });
  assert.deepEqual(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'], {
    format: 'int-or-string',
    type: 'string',
  });
});

test('string fields of built-in kinds are published with the values that they may have', () => {
  const { schemas } = v3(documents(), 'api/v1').components;
  const { imagePullPolicy } = schemas['io.k8s.api.core.v1.Container']!['properties'] as {
    imagePullPolicy: JsonObject;
  };
  assert.deepEqual(imagePullPolicy['enum'], ['Always', 'IfNotPresent', 'Never']);
});

test('a change rebuilds only the documents whose resources changed', () => {
  const resources = [...builtinResources, widgets] as ServedResource[];
  const openApi = documents(resources);
  const [core, shop, index] = [openApi.v3('api/v1'), openApi.v3('apis/shop.example.com/v1'), openApi.index()];
  resources[resources.length - 1] = { ...widgets, schema: { type: 'object' } };
  assert.equal(openApi.v3('apis/shop.example.com/v1'), shop);
  openApi.invalidate();
  assert.equal(openApi.v3('api/v1'), core);
  assert.notEqual(openApi.v3('apis/shop.example.com/v1')?.hash, shop?.hash);
  assert.notEqual(openApi.index().hash, index.hash);
  resources.pop();
  openApi.invalidate();
  assert.equal(openApi.v3('apis/shop.example.com/v1'), undefined);
});

test('answers carry the status and headers that kube-apiserver gives', () => {
  const openApi = documents();
  const hash = openApi.v3('api/v1')?.hash ?? '';
  const path = '/openapi/v3/api/v1';
  const status = (request: Omit<Parameters<typeof openApiAnswer>[1], 'path'>, at = path): number | undefined =>
    openApiAnswer(openApi, { path: at, ...request })?.status;
  assert.equal(status({}), 200);
  assert.equal(status({ accept: 'text/html' }), 406);
  assert.equal(status({ ifNoneMatch: `"${hash}"` }), 304);
  assert.equal(status({}, '/openapi/v3/apis/nope/v1'), 404);
  assert.equal(status({}, '/openapi/v2'), 200);
  assert.equal(status({}, '/openapi'), undefined);
  const current = openApiAnswer(openApi, { path, hash });
  assert.equal(current?.headers['cache-control'], 'public, immutable');
  const old = openApiAnswer(openApi, { path, hash: 'OLD' });
  assert.deepEqual([old?.status, old?.headers['location']], [301, `${path}?hash=${hash}`]);
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const protobuf = openApiAnswer(openApi, { path: '/openapi/v2', accept });
  assert.equal(protobuf?.headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
});
