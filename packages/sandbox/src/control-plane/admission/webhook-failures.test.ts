/**
 * The errors for clients when a webhook cannot be called or gives an invalid answer: the texts of kube-apiserver
 * 1.36.3.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import { refusal } from './cluster.fixture.ts';
import { WebhookBench, type WebhookKind } from './webhooks/webhook-bench.fixture.ts';
import { patch, reviewText, WebhookServer, type RawAnswer } from './webhooks/webhook-server.fixture.ts';

let foreign: WebhookServer;
let bench: WebhookBench;
before(async () => {
  bench = await WebhookBench.start();
  foreign = await WebhookServer.start({ dnsNames: ['elsewhere.example'] });
  await bench.cluster.create(service('headless', { clusterIP: 'None', ports: [{ port: 443 }] }));
  await bench.cluster.create(service('web', { ports: [{ port: 80 }] }));
  await bench.cluster.create(service('ext', { type: 'ExternalName', externalName: 'localhost' }));
});
after(() => {
  bench.stop();
  foreign.stop();
});
afterEach(() => bench.reset());

const service = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ns', name },
  spec,
});
const failure = (why: string): string => `Internal error occurred: failed calling webhook "h.example.com": ${why}`;

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
    await bench.configure('Mutating');
    bench.hook.answer(patch(operation));
    const error = await refusal(bench.cluster.create(bench.fresh()));
    assert.deepEqual(
      [error.code, error.reason, error.message],
      [500, 'InternalError', `Internal error occurred: ${said}`],
    );
    assert.deepEqual(error.details, { causes: [{ message: said }] });
  });
}

test('a delete cannot be patched', async () => {
  const created = await bench.cluster.create(bench.fresh());
  await bench.configure('Mutating');
  bench.hook.answer(patch({ op: 'add', path: '/metadata/labels', value: {} }));
  assert.equal(
    (await refusal(bench.cluster.delete(created))).message,
    'Internal error occurred: admission webhook "h.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

const TYPE_META = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const badAnswers: {
  reason: string;
  kind?: WebhookKind;
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
    await bench.configure(kind);
    bench.hook.answer(answer);
    const error = await refusal(bench.cluster.create(bench.fresh()));
    assert.deepEqual([error.code, error.reason, error.message], [500, 'InternalError', failure(said)]);
  });
}

test('an answer to another question is a failed call', async () => {
  await bench.configure('Validating');
  bench.hook.answer({ uid: 'z' });
  const error = await refusal(bench.cluster.create(bench.fresh()));
  const uid = String(bench.request()['uid']);
  assert.equal(error.message, failure(`received invalid webhook response: expected response.uid="${uid}", got "z"`));
});

const unreachable: { reason: string; webhook: () => JsonObject; answer?: RawAnswer; said: () => string }[] = [
  {
    reason: 'no server listens',
    webhook: () => ({ clientConfig: { url: 'https://127.0.0.1:1/x' } }),
    said: () => 'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
  },
  {
    reason: 'the authority is another one',
    webhook: () => ({ clientConfig: { ...bench.hook.clientConfig(), caBundle: foreign.caBundle } }),
    said: () =>
      `Post "https://127.0.0.1:${bench.hook.port}/x?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
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
    said: () => `Post "https://127.0.0.1:${bench.hook.port}/x?timeout=1s": context deadline exceeded`,
  },
  {
    reason: 'the connection breaks',
    webhook: () => ({}),
    answer: { fault: 'break' },
    said: () => `Post "https://127.0.0.1:${bench.hook.port}/x?timeout=10s": EOF`,
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
      clientConfig: {
        service: { name: 'ext', namespace: 'ns', path: '/p', port: bench.hook.port },
        caBundle: bench.hook.caBundle,
      },
    }),
    said: () =>
      `Post "https://ext.ns.svc:${bench.hook.port}/p?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for localhost, not ext.ns.svc`,
  },
];

for (const { reason, webhook, answer = {}, said } of unreachable) {
  test(`where ${reason}, a request fails, or passes if failures are ignored`, async () => {
    await bench.configure('Validating', webhook());
    bench.hook.answer(answer);
    const error = await refusal(bench.cluster.create(bench.fresh()));
    assert.deepEqual([error.code, error.message], [500, failure(`failed to call webhook: ${said()}`)]);
    await bench.clear();
    await bench.configure('Validating', { ...webhook(), failurePolicy: 'Ignore' });
    await bench.cluster.create(bench.fresh());
  });
}
