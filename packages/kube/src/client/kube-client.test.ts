import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Client } from './client.ts';

const vms: ResourceType<KubeObject> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};
const nodes: ResourceType<KubeObject> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const key = { namespace: 'n', name: 'a' };
const vm = { metadata: key };
const full = { ...vm, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' };
const vmPath = '/apis/kubevirt.io/v1/namespaces/n/virtualmachines';
const written = 'fieldManager=ssvirt&fieldValidation=Strict';

interface Row {
  readonly what: string;
  readonly call: (client: Client) => Promise<unknown>;
  readonly sent: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: unknown;
}

const rows: readonly Row[] = [
  { what: 'get', call: (c) => c.get(vms, key, { resourceVersion: '0' }), sent: `GET ${vmPath}/a?resourceVersion=0` },
  {
    what: 'get of an object without a namespace',
    call: (c) => c.get(nodes, { name: 'a' }),
    sent: 'GET /api/v1/nodes/a',
  },
  {
    what: 'get of a subresource and of the metadata alone',
    call: (c) => c.get(vms, key, { subresource: 'scale', metadataOnly: true }),
    sent: `GET ${vmPath}/a/scale`,
    accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  },
  {
    what: 'list',
    call: (c) =>
      c.list(vms, {
        namespace: 'n',
        labelSelector: 'a=b',
        fieldSelector: 'metadata.name=x',
        limit: 5,
        continue: 'tok+en',
        resourceVersion: '7',
        resourceVersionMatch: 'Exact',
        metadataOnly: true,
      }),
    sent: `GET ${vmPath}?labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&limit=5&continue=tok%2Ben&resourceVersion=7&resourceVersionMatch=Exact`,
    accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
  },
  { what: 'list of all namespaces', call: (c) => c.list(vms), sent: 'GET /apis/kubevirt.io/v1/virtualmachines' },
  { what: 'create', call: (c) => c.create(vms, vm), sent: `POST ${vmPath}?${written}`, body: full },
  {
    what: 'create with a name of the server',
    call: (c) => c.create(vms, { metadata: { namespace: 'n', generateName: 'x-' } }, { dryRun: true }),
    sent: `POST ${vmPath}?${written}&dryRun=All`,
    body: { ...full, metadata: { namespace: 'n', generateName: 'x-' } },
  },
  {
    what: 'create of a subresource',
    call: (c) => c.createSubresource(vms, key, 'evict', { now: true }),
    sent: `POST ${vmPath}/a/evict`,
    body: { now: true },
  },
  {
    what: 'update by another manager',
    call: (c) => c.update(vms, vm, { fieldManager: 'me', fieldValidation: 'Warn', subresource: 'status' }),
    sent: `PUT ${vmPath}/a/status?fieldManager=me&fieldValidation=Warn`,
    body: full,
  },
  {
    what: 'JSON patch',
    call: (c) => c.patch(vms, key, { type: 'json', operations: [{ op: 'remove', path: '/a' }] }),
    sent: `PATCH ${vmPath}/a?${written}`,
    type: 'application/json-patch+json',
    body: [{ op: 'remove', path: '/a' }],
  },
  {
    what: 'merge patch',
    call: (c) => c.patch(vms, key, { type: 'merge', body: { a: null } }, { subresource: 'status' }),
    sent: `PATCH ${vmPath}/a/status?${written}`,
    type: 'application/merge-patch+json',
    body: { a: null },
  },
  {
    what: 'strategic patch',
    call: (c) => c.patch(nodes, { name: 'a' }, { type: 'strategic', body: {} }),
    sent: `PATCH /api/v1/nodes/a?${written}`,
    type: 'application/strategic-merge-patch+json',
    body: {},
  },
  {
    what: 'apply',
    call: (c) => c.apply(vms, vm, { force: true }),
    sent: `PATCH ${vmPath}/a?${written}&force=true`,
    type: 'application/apply-patch+yaml',
    body: full,
  },
  {
    what: 'apply that takes nothing from others',
    call: (c) => c.apply(vms, vm, { fieldManager: 'me' }),
    sent: `PATCH ${vmPath}/a?fieldManager=me&fieldValidation=Strict`,
    type: 'application/apply-patch+yaml',
    body: full,
  },
  {
    what: 'delete with preconditions',
    call: (c) =>
      c.delete(vms, key, {
        uid: 'u',
        resourceVersion: '7',
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        dryRun: true,
      }),
    sent: `DELETE ${vmPath}/a`,
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u', resourceVersion: '7' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
      dryRun: ['All'],
    },
  },
  {
    what: 'delete of a selection',
    call: (c) => c.deleteCollection(vms, { namespace: 'n', labelSelector: 'a=b' }),
    sent: `DELETE ${vmPath}?labelSelector=a%3Db`,
    body: { apiVersion: 'v1', kind: 'DeleteOptions' },
  },
  {
    what: 'any other path',
    call: (c) => c.request({ method: 'PUT', path: '/x?a=b', query: { c: 'd e', f: undefined }, body: { g: 1 } }),
    sent: 'PUT /x?a=b&c=d+e',
    body: { g: 1 },
  },
];

for (const { what, call, sent, type = 'application/json', accept = 'application/json, */*', body } of rows) {
  test(`P5: ${what} is sent as ${sent.split('?')[0]}`, async (context) => {
    const { server, client } = await scriptedScene(context, (_request, response) =>
      sendJson(response, 200, { kind: 'X', metadata: {}, items: [] }),
    );
    await call(client);
    const [request = assert.fail('nothing was sent')] = server.requests;
    assert.equal(`${request.method} ${request.url}`, sent);
    assert.equal(request.headers.accept, accept);
    assert.deepEqual(request.body === '' ? undefined : JSON.parse(request.body), body);
    assert.equal(request.headers['content-type'], body === undefined ? undefined : type);
  });
}

test('P5: a text in the place of an object is Malformed and named by its type, and is the body of any other answer', async (context) => {
  const { client } = await scriptedScene(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('all is well');
  });
  await assert.rejects(client.get(vms, key), {
    kind: 'Malformed',
    message:
      'cannot get virtualmachines.kubevirt.io "n/a" in cluster east: the answer of 11 bytes is text/plain; charset=utf-8, not JSON',
  });
  assert.equal((await client.request({ method: 'PUT', path: '/x' })).body, 'all is well');
});

test('P5: who owns the fields, and how strictly they are checked, can be said for a client', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, full), {
    fieldManager: 'fleet',
    fieldValidation: 'Warn',
  });
  await client.apply(vms, vm, {});
  assert.equal(server.requests[0]?.url, `${vmPath}/a?fieldManager=fleet&fieldValidation=Warn`);
});

test('F2: pages follow one another until there is none, and name the version only once', async (context) => {
  const { server, client } = await scriptedScene(context, ({ url }, response) => {
    const token = new URL(url, 'https://x').searchParams.get('continue');
    const page = token === null ? 0 : Number(token);
    const metadata = {
      resourceVersion: '9',
      ...(page < 2 && { continue: String(page + 1), remainingItemCount: 2 - page }),
    };
    sendJson(response, 200, { metadata, items: page === 1 ? null : [{ metadata: { name: `o-${page}` } }] });
  });
  const names: (string | undefined)[] = [];
  const tokens: (string | undefined)[] = [];
  for await (const page of client.pages(configMaps, { resourceVersion: '0', labelSelector: 'a=b' })) {
    names.push(...page.items.map(({ metadata }) => metadata.name));
    tokens.push(page.continue);
    assert.equal(page.resourceVersion, '9');
  }
  assert.deepEqual(names, ['o-0', 'o-2']);
  assert.deepEqual(tokens, ['1', '2', undefined]);
  assert.deepEqual(
    server.requests.map(({ url }) => url.split('?')[1]),
    [
      'labelSelector=a%3Db&limit=500&resourceVersion=0',
      'labelSelector=a%3Db&limit=500&continue=1',
      'labelSelector=a%3Db&limit=500&continue=2',
    ],
  );
});

test('what another path answers is parsed where it is JSON, and text where not', async (context) => {
  const { client } = await scriptedScene(context, ({ url }, response) => {
    if (url === '/json') sendJson(response, 201, { a: 1 }, { 'x-more': 'b' });
    else if (url === '/empty') response.writeHead(202).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });
  const json = await client.request({ method: 'GET', path: '/json' });
  assert.deepEqual([json.code, json.body, json.headers['x-more']], [201, { a: 1 }, 'b']);
  assert.equal((await client.request({ method: 'GET', path: '/healthz' })).body, 'ok');
  const empty = await client.request({ method: 'PUT', path: '/empty', body: '{}' });
  assert.deepEqual([empty.code, empty.body], [202, undefined]);
});

test('a server whose URL has a path is asked under that path', async (context) => {
  const { server, source, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 200, full),
  );
  source.connection = server.connection({ server: `${server.url}/k8s/clusters/east` });
  await client.get(vms, key);
  assert.equal(server.requests[0]?.url, `/k8s/clusters/east${vmPath}/a`);
});
