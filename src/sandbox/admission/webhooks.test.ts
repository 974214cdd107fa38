/** Webhooks against a real HTTPS server on loopback. The texts are those of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { JsonObject, KubeObject } from '../json.ts';
import { configMap, pod, refusal, TestCluster } from './cluster.fixture.ts';
import { patch, reviewText, WebhookServer, type RawAnswer } from './webhook-server.fixture.ts';

const cluster = new TestCluster();
let hook: WebhookServer;
let foreign: WebhookServer;
const made: KubeObject[] = [];
let count = 0;

before(async () => {
  hook = await WebhookServer.start();
  foreign = await WebhookServer.start({ dnsNames: ['elsewhere.example'] });
  await cluster.namespace('ns', { team: 'a' });
  const service = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'ns', name },
    spec,
  });
  await cluster.create(service('headless', { clusterIP: 'None', ports: [{ port: 443 }] }));
  await cluster.create(service('web', { ports: [{ port: 80 }] }));
  await cluster.create(service('ext', { type: 'ExternalName', externalName: 'localhost' }));
});
after(() => {
  hook.stop();
  foreign.stop();
});
afterEach(async () => {
  for (const configuration of made.splice(0)) await cluster.delete(configuration);
  hook.seen.length = 0;
  hook.answer({});
});

type Kind = 'Mutating' | 'Validating';

async function configure(kind: Kind, webhooks: JsonObject | JsonObject[] = {}, name = `c${count++}`): Promise<void> {
  const configuration = await cluster.create({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: [webhooks].flat().map((webhook) => ({
      name: 'h.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      clientConfig: hook.clientConfig(),
      ...webhook,
    })),
  });
  made.push(configuration);
}

const fresh = (data: { [key: string]: string } = { a: '1' }): KubeObject => configMap('ns', `m${count++}`, data);
const urls = (): string[] => hook.seen.map(({ url }) => url.split('?')[0] ?? '');
const failure = (why: string): string => `Internal error occurred: failed calling webhook "h.example.com": ${why}`;

test('a webhook is sent an AdmissionReview like the real one', async () => {
  await configure('Validating');
  const map = fresh();
  const created = await cluster.create(map);
  const [seen] = hook.seen;
  assert.equal(seen?.url, '/x?timeout=10s');
  assert.equal(seen?.headers['user-agent'], 'kube-apiserver-admission');
  assert.equal(seen?.headers['accept'], 'application/json, */*');
  const { uid, object, ...request } = seen?.review.request ?? {};
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.equal((object as KubeObject).metadata.uid, created.metadata.uid);
  assert.deepEqual(request, {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    name: map.metadata.name,
    namespace: 'ns',
    operation: 'CREATE',
    userInfo: { username: 'tester', uid: 'tester-uid', groups: ['system:masters', 'system:authenticated'] },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  });
});

test('an update brings the old object, a delete only that', async () => {
  await configure('Validating');
  const created = await cluster.create(fresh());
  await cluster.update(created, (live) => (live['data'] = { a: '2' }));
  await cluster.delete(created);
  const facts = hook.seen.map(({ review: { request } }) => [
    request['operation'],
    (request['object'] as JsonObject | null)?.['data'],
    (request['oldObject'] as JsonObject | null)?.['data'],
    (request['options'] as JsonObject)['kind'],
  ]);
  assert.deepEqual(facts, [
    ['CREATE', { a: '1' }, undefined, 'CreateOptions'],
    ['UPDATE', { a: '2' }, { a: '1' }, 'UpdateOptions'],
    ['DELETE', undefined, { a: '2' }, 'DeleteOptions'],
  ]);
});

const denials: { reason: string; status: JsonObject | undefined; code: number; why: string; said: string }[] = [
  { reason: 'no status', status: undefined, code: 400, why: '', said: ' without explanation' },
  { reason: 'a message and a code', status: { message: 'no', code: 418 }, code: 418, why: '', said: ': no' },
  { reason: 'a reason only', status: { reason: 'Forbidden' }, code: 400, why: 'Forbidden', said: ': Forbidden' },
  {
    reason: 'a success',
    status: { code: 200, status: 'Success', message: 'm', reason: 'Weird' },
    code: 400,
    why: 'Weird',
    said: ': m',
  },
];
for (const kind of ['Mutating', 'Validating'] as const) {
  for (const { reason, status, code, why, said } of denials) {
    test(`a denial of a ${kind.toLowerCase()} webhook with ${reason} is passed on`, async () => {
      await configure(kind);
      hook.answer({ allowed: false, ...(status === undefined ? {} : { status }) });
      const error = await refusal(cluster.create(fresh()));
      assert.deepEqual(
        [error.code, error.reason, error.message],
        [code, why, `admission webhook "h.example.com" denied the request${said}`],
      );
    });
  }
}

test('warnings reach the client', async () => {
  await configure('Mutating');
  hook.answer({ warnings: ['careful'] });
  const warnings: string[] = [];
  await cluster.create(fresh(), { warnings });
  assert.deepEqual(warnings, ['careful']);
});

test('a patch changes the object before it is stored', async () => {
  await configure('Mutating');
  hook.answer(patch({ op: 'add', path: '/data/b', value: '2' }, { op: 'add', path: '/bogus', value: 3 }));
  const created = await cluster.create(fresh());
  assert.deepEqual(created['data'], { a: '1', b: '2' });
  assert.equal(created['bogus'], undefined);
});

const badPatches: { operation: JsonObject; said: string }[] = [
  {
    operation: { op: 'add', path: '/nope/b/c', value: '2' },
    said: 'add operation does not apply: doc is missing path: "/nope/b/c": missing value',
  },
  {
    operation: { op: 'remove', path: '/data/zz' },
    said: "error in remove for path: '/data/zz': Unable to remove nonexistent key: zz: missing value",
  },
  {
    operation: { op: 'remove', path: '/no/zz' },
    said: 'remove operation does not apply: doc is missing path: "/no/zz": missing value',
  },
  {
    operation: { op: 'replace', path: '/no/zz/x', value: '1' },
    said: 'replace operation does not apply: doc is missing path: /no/zz/x: missing value',
  },
  { operation: { op: 'test', path: '/data/a', value: '2' }, said: 'testing value /data/a failed: test failed' },
  {
    operation: { op: 'move', from: '/data/q', path: '/data/r' },
    said: "error in move for path: 'q': Unable to remove nonexistent key: q: missing value",
  },
  {
    operation: { op: 'copy', from: '/no/q', path: '/data/r' },
    said: 'copy operation does not apply: doc is missing from path: /no/q: missing value',
  },
  { operation: { op: 'zap', path: '/data/r' }, said: 'Unexpected kind: zap' },
  { operation: { path: '/data' }, said: 'Unexpected kind: unknown' },
  {
    operation: { op: 'add', path: '/data/b', value: 3 },
    said: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  },
];
for (const { operation, said } of badPatches) {
  test(`the patch ${JSON.stringify(operation)} fails the request`, async () => {
    await configure('Mutating');
    hook.answer(patch(operation));
    const error = await refusal(cluster.create(fresh()));
    assert.deepEqual(
      [error.code, error.reason, error.message],
      [500, 'InternalError', `Internal error occurred: ${said}`],
    );
    assert.deepEqual(error.details, { causes: [{ message: said }] });
  });
}

test('a delete cannot be patched', async () => {
  const created = await cluster.create(fresh());
  await configure('Mutating');
  hook.answer(patch({ op: 'add', path: '/metadata/labels', value: {} }));
  assert.equal(
    (await refusal(cluster.delete(created))).message,
    'Internal error occurred: admission webhook "h.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const badAnswers: {
  reason: string;
  kind?: Kind;
  answer: RawAnswer | JsonObject | ((request: JsonObject) => RawAnswer);
  said: string;
}[] = [
  {
    reason: '404',
    answer: { httpStatus: 404, text: 'nope' },
    said: 'failed to call webhook: the server could not find the requested resource',
  },
  {
    reason: '500',
    answer: { httpStatus: 500, text: 'boom' },
    said: 'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
  },
  {
    reason: '503',
    answer: { httpStatus: 503, text: 'x' },
    said: 'failed to call webhook: the server is currently unable to handle the request',
  },
  {
    reason: '400',
    answer: { httpStatus: 400, text: 'x' },
    said: 'failed to call webhook: the server rejected our request for an unknown reason',
  },
  {
    reason: '418',
    answer: { httpStatus: 418, text: 'tea' },
    said: 'failed to call webhook: the server responded with the status code 418 but did not return more information',
  },
  {
    reason: 'a Status',
    answer: {
      httpStatus: 500,
      text: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'own words', code: 500 }),
    },
    said: 'failed to call webhook: own words',
  },
  {
    reason: 'nothing',
    answer: { text: '' },
    said: 'failed to call webhook: 0-length response with status code: 200 and content type: application/json',
  },
  {
    reason: 'prose',
    answer: { text: 'hello' },
    said: `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${TYPE_META}`,
  },
  {
    reason: 'a list',
    answer: { text: '[]' },
    said: `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${TYPE_META}`,
  },
  {
    reason: 'half a JSON',
    answer: { text: '{"a' },
    said: "failed to call webhook: couldn't get version/kind; json parse error: unexpected end of JSON input",
  },
  {
    reason: 'an empty object',
    answer: { text: '{}' },
    said: 'received invalid webhook response: webhook response was absent',
  },
  {
    reason: 'another kind',
    answer: { text: '{"apiVersion":"v1","kind":"Pod"}' },
    said: 'failed to call webhook: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  },
  {
    reason: 'no kind',
    answer: ({ uid }) => ({ text: JSON.stringify({ response: { uid, allowed: true } }) }),
    said: 'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
  },
  {
    reason: 'an older version',
    answer: (request) => ({ text: reviewText(request, {}).replace('/v1"', '/v1beta1"') }),
    said: 'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
  },
  {
    reason: 'a patch from a validating webhook',
    answer: patch(),
    said: 'received invalid webhook response: validating webhook may not return response.patch',
  },
  {
    reason: 'a patch without a type',
    kind: 'Mutating',
    answer: { patch: 'W10=' },
    said: 'received invalid webhook response: webhook returned response.patch but not response.patchType',
  },
  {
    reason: 'a type without a patch',
    kind: 'Mutating',
    answer: { patchType: 'JSONPatch' },
    said: 'received invalid webhook response: webhook returned response.patchType but not response.patch',
  },
  {
    reason: 'another type of patch',
    kind: 'Mutating',
    answer: { ...patch({ op: 'add' }), patchType: 'MergePatch' },
    said: 'unsupported patch type "MergePatch"',
  },
  {
    reason: 'a patch that is no base64',
    kind: 'Mutating',
    answer: { patchType: 'JSONPatch', patch: '%%%' },
    said: 'failed to call webhook: illegal base64 data at input byte 0',
  },
  {
    reason: 'a patch that is no list',
    kind: 'Mutating',
    answer: { patchType: 'JSONPatch', patch: 'e30=' },
    said: 'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  },
];
for (const { reason, kind = 'Validating', answer, said } of badAnswers) {
  test(`an answer with ${reason} is a failed call`, async () => {
    await configure(kind);
    hook.answer(answer);
    const error = await refusal(cluster.create(fresh()));
    assert.deepEqual([error.code, error.reason, error.message], [500, 'InternalError', failure(said)]);
  });
}

test('an answer to another question is a failed call', async () => {
  await configure('Validating');
  hook.answer({ uid: 'z' });
  const error = await refusal(cluster.create(fresh()));
  const uid = String(hook.seen[0]?.review.request['uid']);
  assert.equal(error.message, failure(`received invalid webhook response: expected response.uid="${uid}", got "z"`));
});

const unreachable: { reason: string; webhook: () => JsonObject; answer?: RawAnswer; said: () => string }[] = [
  {
    reason: 'nobody listens',
    webhook: () => ({ clientConfig: { url: 'https://127.0.0.1:1/x' } }),
    said: () => 'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
  },
  {
    reason: 'the authority is another one',
    webhook: () => ({ clientConfig: { ...hook.clientConfig(), caBundle: foreign.caBundle } }),
    said: () =>
      `Post "https://127.0.0.1:${hook.port}/x?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  },
  {
    reason: 'the certificate has no address',
    webhook: () => ({ clientConfig: foreign.clientConfig() }),
    said: () =>
      `Post "https://127.0.0.1:${foreign.port}/x?timeout=10s": tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
  },
  {
    reason: 'the certificate has another name',
    webhook: () => ({ clientConfig: foreign.clientConfig('/x', 'localhost') }),
    said: () =>
      `Post "https://localhost:${foreign.port}/x?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for elsewhere.example, not localhost`,
  },
  {
    reason: 'the answer takes too long',
    webhook: () => ({ timeoutSeconds: 1 }),
    answer: { fault: 'hang' },
    said: () => `Post "https://127.0.0.1:${hook.port}/x?timeout=1s": context deadline exceeded`,
  },
  {
    reason: 'the connection breaks',
    webhook: () => ({}),
    answer: { fault: 'break' },
    said: () => `Post "https://127.0.0.1:${hook.port}/x?timeout=10s": EOF`,
  },
  {
    reason: 'there is no such Service',
    webhook: () => ({ clientConfig: { service: { name: 's', namespace: 'ns', path: '/p' } } }),
    said: () => 'Post "https://s.ns.svc:443/p?timeout=10s": service "s" not found',
  },
  {
    reason: 'the Service is headless',
    webhook: () => ({ clientConfig: { service: { name: 'headless', namespace: 'ns' } } }),
    said: () => 'Post "https://headless.ns.svc:443/?timeout=10s": cannot route to service with ClusterIP "None"',
  },
  {
    reason: 'the Service has no such port',
    webhook: () => ({ clientConfig: { service: { name: 'web', namespace: 'ns' } } }),
    said: () => 'Post "https://web.ns.svc:443/?timeout=10s": no service port 443 found for service "web"',
  },
  {
    reason: 'the certificate is not for the Service',
    webhook: () => ({
      clientConfig: { service: { name: 'ext', namespace: 'ns', path: '/p', port: hook.port }, caBundle: hook.caBundle },
    }),
    said: () =>
      `Post "https://ext.ns.svc:${hook.port}/p?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for localhost, not ext.ns.svc`,
  },
];

for (const { reason, webhook, answer = {}, said } of unreachable) {
  test(`where ${reason}, a request fails, or passes if failures are ignored`, async () => {
    await configure('Validating', webhook());
    hook.answer(answer);
    const error = await refusal(cluster.create(fresh()));
    assert.deepEqual([error.code, error.message], [500, failure(`failed to call webhook: ${said()}`)]);
    for (const configuration of made.splice(0)) await cluster.delete(configuration);
    await configure('Validating', { ...webhook(), failurePolicy: 'Ignore' });
    await cluster.create(fresh());
  });
}

test('a Service of type ExternalName leads to the webhook', async () => {
  const own = await WebhookServer.start({ dnsNames: ['ext.ns.svc'] });
  try {
    await configure('Validating', {
      clientConfig: { service: { name: 'ext', namespace: 'ns', path: '/p', port: own.port }, caBundle: own.caBundle },
    });
    await cluster.create(fresh());
    assert.equal(own.seen[0]?.url, '/p?timeout=10s');
    assert.equal(own.seen[0]?.headers['host'], `ext.ns.svc:${own.port}`);
  } finally {
    own.stop();
  }
});

test('connections are kept', async () => {
  const own = await WebhookServer.start();
  try {
    await configure('Validating', { clientConfig: own.clientConfig() });
    for (let i = 0; i < 5; i++) await cluster.create(fresh());
    assert.equal(own.seen.length, 5);
    assert.equal(own.connections, 1);
  } finally {
    own.stop();
  }
});

test('a webhook with side effects refuses dry runs', async () => {
  await configure('Mutating');
  // The API no longer accepts such configurations, but old ones may be stored.
  const table = cluster.store.table('admissionregistration.k8s.io/mutatingwebhookconfigurations');
  for (const entry of table.range('')) {
    const old = JSON.parse(entry.json.replace('"sideEffects":"None"', '"sideEffects":"Some"')) as KubeObject;
    cluster.store.put(table.name, old, entry.revision);
  }
  const error = await refusal(cluster.create(fresh(), { dryRun: true }));
  assert.deepEqual([error.code, error.message], [400, 'admission webhook "h.example.com" does not support dry run']);
  await cluster.create(fresh());
});

test('a dry run is told to the webhook', async () => {
  await configure('Validating');
  await cluster.create(fresh(), { dryRun: true });
  assert.equal(hook.seen[0]?.review.request['dryRun'], true);
  assert.deepEqual(hook.seen[0]?.review.request['options'], {
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    dryRun: ['All'],
  });
});

const rules: { reason: string; rule: JsonObject; called: boolean }[] = [
  {
    reason: 'everything',
    rule: { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
    called: true,
  },
  {
    reason: 'everything with subresources',
    rule: { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
    called: true,
  },
  {
    reason: 'another operation',
    rule: { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
    called: false,
  },
  {
    reason: 'another group',
    rule: { operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['configmaps'] },
    called: false,
  },
  {
    reason: 'another version',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v2'], resources: ['configmaps'] },
    called: false,
  },
  {
    reason: 'a subresource only',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps/status'] },
    called: false,
  },
  {
    reason: 'namespaced objects',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'], scope: 'Namespaced' },
    called: true,
  },
  {
    reason: 'cluster-wide objects',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'], scope: 'Cluster' },
    called: false,
  },
];
for (const { reason, rule, called } of rules) {
  test(`a rule for ${reason} ${called ? 'matches' : 'does not match'} the creation of a ConfigMap`, async () => {
    await configure('Validating', { rules: [rule] });
    await cluster.create(fresh());
    assert.equal(hook.seen.length, called ? 1 : 0);
  });
}

const selectors: { reason: string; webhook: JsonObject; called: boolean }[] = [
  {
    reason: 'the labels of the namespace',
    webhook: { namespaceSelector: { matchLabels: { team: 'a' } } },
    called: true,
  },
  {
    reason: 'other labels of the namespace',
    webhook: { namespaceSelector: { matchLabels: { team: 'b' } } },
    called: false,
  },
  {
    reason: 'the labels of the object',
    webhook: { objectSelector: { matchExpressions: [{ key: 'x', operator: 'Exists' }] } },
    called: true,
  },
  { reason: 'other labels of the object', webhook: { objectSelector: { matchLabels: { x: 'z' } } }, called: false },
  {
    reason: 'a condition that holds',
    webhook: { matchConditions: [{ name: 'a', expression: 'object.data.a == "1" && request.name != ""' }] },
    called: true,
  },
  {
    reason: 'a condition that does not hold',
    webhook: { matchConditions: [{ name: 'a', expression: 'request.userInfo.username == "nobody"' }] },
    called: false,
  },
  {
    reason: 'a condition that fails, where failures are ignored',
    webhook: { failurePolicy: 'Ignore', matchConditions: [{ name: 'a', expression: 'object.data.b == "x"' }] },
    called: false,
  },
];
for (const { reason, webhook, called } of selectors) {
  test(`a webhook for ${reason} is ${called ? '' : 'not '}called`, async () => {
    await configure('Mutating', webhook);
    const map = fresh();
    await cluster.create({ ...map, metadata: { ...map.metadata, labels: { x: 'y' } } });
    assert.equal(hook.seen.length, called ? 1 : 0);
  });
}

test('a condition that fails refuses the request', async () => {
  await configure('Validating', {
    matchConditions: ['b', 'c'].map((key) => ({ name: key, expression: `object.data.${key} == "x"` })),
  });
  const map = fresh();
  const error = await refusal(cluster.create(map));
  assert.equal(error.code, 403);
  assert.equal(
    error.message,
    `configmaps "${map.metadata.name ?? ''}" is forbidden: [expression 'object.data.b == "x"' resulted in error: no such key: b, expression 'object.data.c == "x"' resulted in error: no such key: c]`,
  );
});

test('a webhook for one version sees requests in another, unless it wants only exact ones', async () => {
  const rule = { operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] };
  await configure('Mutating', { rules: [rule] });
  hook.answer(patch({ op: 'add', path: '/data', value: { by: 'webhook' } }));
  const widget = (name: string): KubeObject => ({
    apiVersion: 'example.com/v1beta1',
    kind: 'Widget',
    metadata: { namespace: 'ns', name },
  });
  const created = await cluster.create(widget('w1'));
  const { request } = hook.seen[0]?.review ?? {};
  assert.deepEqual(request?.['kind'], { group: 'example.com', version: 'v1', kind: 'Widget' });
  assert.deepEqual(request?.['requestKind'], { group: 'example.com', version: 'v1beta1', kind: 'Widget' });
  assert.equal((request?.['object'] as KubeObject).apiVersion, 'example.com/v1');
  assert.equal(created.apiVersion, 'example.com/v1beta1');
  assert.deepEqual(created['data'], { by: 'webhook' });
  for (const configuration of made.splice(0)) await cluster.delete(configuration);
  await configure('Mutating', { rules: [rule], matchPolicy: 'Exact' });
  await cluster.create(widget('w2'));
  assert.equal(hook.seen.length, 1);
});

test('webhooks are called in the order of their configurations, and see what was changed before them', async () => {
  await configure('Mutating', { clientConfig: hook.clientConfig('/second') }, 'b-config');
  await configure(
    'Mutating',
    [
      { clientConfig: hook.clientConfig('/first') },
      { name: 'i.example.com', clientConfig: hook.clientConfig('/then') },
    ],
    'a-config',
  );
  hook.answer((_, url) => patch({ op: 'add', path: `/data/${url.slice(1).split('?')[0] ?? ''}`, value: 'x' }));
  const created = await cluster.create(fresh({ a: '1' }));
  assert.deepEqual(urls(), ['/first', '/then', '/second']);
  assert.deepEqual(created['data'], { a: '1', first: 'x', then: 'x', second: 'x' });
  assert.deepEqual((hook.seen[2]?.review.request['object'] as JsonObject)['data'], { a: '1', first: 'x', then: 'x' });
});

test('a webhook that wants to is called again when a later one changed the object', async () => {
  const hooks = [
    { clientConfig: hook.clientConfig('/again'), reinvocationPolicy: 'IfNeeded' },
    { name: 'i.example.com', clientConfig: hook.clientConfig('/once') },
  ];
  await configure('Mutating', hooks);
  hook.answer((_, url) => (url.startsWith('/once') ? patch({ op: 'add', path: '/data/b', value: '2' }) : {}));
  await cluster.create(fresh());
  assert.deepEqual(urls(), ['/again', '/once', '/again']);
});

test('what a webhook adds to a pod is completed by the plug-ins before it', async () => {
  await configure('Mutating', {
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  });
  hook.answer(patch({ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'i' } }));
  const created = await cluster.create(pod('ns', 'injected'));
  const containers = (created['spec'] as JsonObject)['containers'] as JsonObject[];
  assert.deepEqual(
    containers.map(({ name }) => name),
    ['c', 'sidecar'],
  );
  assert.deepEqual(containers[0]?.['volumeMounts'], containers[1]?.['volumeMounts']);
  assert.equal(((created['spec'] as JsonObject)['volumes'] as JsonObject[]).length, 1);
});

test('webhook configurations are never sent to webhooks', async () => {
  await configure('Validating', {
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
  });
  hook.answer({ allowed: false });
  await configure('Mutating');
  assert.equal(hook.seen.length, 0);
});

test('all validating webhooks are asked at once', async () => {
  await configure('Validating', [
    { clientConfig: hook.clientConfig('/one') },
    { name: 'i.example.com', clientConfig: hook.clientConfig('/two') },
  ]);
  const both = Promise.withResolvers<void>();
  hook.answer(async (_, url) => {
    if (hook.seen.length === 2) both.resolve();
    await both.promise;
    return url.startsWith('/two') ? { allowed: false, status: { message: 'no' } } : {};
  });
  assert.equal(
    (await refusal(cluster.create(fresh()))).message,
    'admission webhook "i.example.com" denied the request: no',
  );
});
