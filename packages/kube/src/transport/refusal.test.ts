import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { KubeError, isRefusal, type ErrorKind, type Status } from '../errors.ts';
import { kindOf, refusal } from './refusal.ts';

const byReason: readonly (readonly [code: number, reason: string, kind: ErrorKind])[] = [
  [400, 'BadRequest', 'BadRequest'],
  [401, 'Unauthorized', 'Unauthorized'],
  [403, 'Forbidden', 'Forbidden'],
  [404, 'NotFound', 'NotFound'],
  [405, 'MethodNotAllowed', 'MethodNotAllowed'],
  [406, 'NotAcceptable', 'NotAcceptable'],
  [409, 'AlreadyExists', 'AlreadyExists'],
  [409, 'Conflict', 'Conflict'],
  [410, 'Gone', 'Gone'],
  [410, 'Expired', 'Gone'],
  [413, 'RequestEntityTooLarge', 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType', 'UnsupportedMediaType'],
  [422, 'Invalid', 'Invalid'],
  [429, 'TooManyRequests', 'TooManyRequests'],
  [500, 'InternalError', 'InternalError'],
  [500, 'ServerTimeout', 'Timeout'],
  [503, 'ServiceUnavailable', 'ServiceUnavailable'],
  [504, 'Timeout', 'Timeout'],
];

for (const [code, reason, kind] of byReason) {
  test(`T5: ${code} ${reason} becomes ${kind}`, () => assert.equal(kindOf(reason, code), kind));
}

test('T5: a reason that no server has is none, whatever objects know by that name', () =>
  assert.equal(kindOf('constructor', 503), 'ServiceUnavailable'));

test('T5: of the words of a server only so many get into an error, and all into its status', () => {
  const message = 'x'.repeat(1_000_000);
  const body = Buffer.from(JSON.stringify({ kind: 'Status', message }));
  const error = refusal('cannot get pods', { code: 500, headers: {}, body });
  assert.ok(error.message.length < 5000);
  assert.equal(error.status?.message, message);
});

const byCode: readonly (readonly [code: number, kind: ErrorKind])[] = [
  [400, 'BadRequest'],
  [404, 'NotFound'],
  [408, 'Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [418, 'Unknown'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [502, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
];

for (const [code, kind] of byCode) {
  test(`T5: ${code} with an unknown reason becomes ${kind}`, () => {
    assert.equal(kindOf('NoSuchReason', code), kind);
    assert.equal(kindOf('', code), kind);
    assert.equal(kindOf(undefined, code), kind);
  });
}

const invalid: Status = {
  kind: 'Status',
  status: 'Failure',
  message: 'ConfigMap "a" is invalid',
  reason: 'Invalid',
  code: 422,
  details: { name: 'a', kind: 'ConfigMap', causes: [{ reason: 'FieldValueInvalid', field: 'data.x', message: 'no' }] },
};

test('T5: a refusal says what could not be done to what and where, with the causes of the server', async (context) => {
  const headers = {
    'audit-id': 'e5c1',
    'x-kubernetes-pf-flowschema-uid': 'fs-1',
    'x-kubernetes-pf-prioritylevel-uid': 'pl-1',
  };
  const { client } = await scriptedScene(context, (_request, response) => sendJson(response, 422, invalid, headers));
  const object = { metadata: { name: 'a', namespace: 'n' } };
  const error: unknown = await client.update(configMaps, object, { subresource: 'status' }).catch((e: unknown) => e);
  assert.ok(error instanceof KubeError);
  assert.equal(error.message, 'cannot update configmaps/status "n/a" in cluster east: ConfigMap "a" is invalid');
  assert.deepEqual(
    [error.kind, error.code, error.auditId, error.flowSchema, error.priorityLevel],
    ['Invalid', 422, 'e5c1', 'fs-1', 'pl-1'],
  );
  assert.deepEqual(error.causes, invalid.details?.causes);
  assert.ok(error.hasCause('FieldValueInvalid'));
});

test('T5: a version that is too large is a timeout with that cause and a time to wait', () => {
  const body = JSON.stringify({
    kind: 'Status',
    reason: 'Timeout',
    message: 'Too large resource version: 9, current: 1',
    code: 504,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
  const error = refusal('cannot list x', { code: 504, headers: {}, body: Buffer.from(body) });
  assert.equal(error.kind, 'Timeout');
  assert.ok(error.hasCause('ResourceVersionTooLarge'));
  assert.equal(error.retryAfterSeconds, 1);
  const said = refusal('cannot list x', { code: 504, headers: { 'retry-after': '7' }, body: Buffer.from(body) });
  assert.equal(said.retryAfterSeconds, 7, 'the header is nearer');
});

test('T5: the answer of a load balancer is reported by its code, and its text only where it is plain', () => {
  const html = refusal('cannot get x', {
    code: 502,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<html>Bad Gateway</html>'),
  });
  assert.deepEqual([html.kind, html.message], ['InternalError', 'cannot get x: HTTP 502']);
  const plain = refusal('cannot get x', {
    code: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`no backend\n${'x'.repeat(5000)}`),
  });
  assert.match(plain.message, /^cannot get x: HTTP 503: no backend x{100,500}$/);
  const empty = refusal('cannot get x', { code: 404, headers: {}, body: Buffer.of() });
  assert.deepEqual([empty.kind, empty.message], ['NotFound', 'cannot get x: HTTP 404']);
});

test('T5: a refusal without a Status carries the code and the text of the server', () => {
  const body = Buffer.from('406: Not Acceptable\n\nAvailable representations: ');
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const error = refusal('cannot PUT /start', { code: 406, headers, body });
  assert.equal(error.message, 'cannot PUT /start: HTTP 406: Not Acceptable Available representations:');
  assert.deepEqual(
    [error.kind, error.code, error.words, error.status],
    ['NotAcceptable', 406, 'HTTP 406: Not Acceptable Available representations:', undefined],
  );
  const untyped = refusal('cannot x', { code: 415, headers: {}, body: Buffer.from('415: Unsupported Media Type') });
  assert.equal(untyped.words, 'HTTP 415: Unsupported Media Type');
  const json = { code: 400, headers: { 'content-type': 'application/json' } };
  assert.equal(refusal('x', { ...json, body: Buffer.from('{"message":"no","token":"t"}') }).words, 'HTTP 400: no');
  assert.equal(refusal('x', { ...json, body: Buffer.from('{"token":"t"}') }).words, 'HTTP 400');
});

const text = (code: number): KubeError =>
  refusal('cannot x', { code, headers: { 'content-type': 'text/plain' }, body: Buffer.from('no') });
const said = (code: number): KubeError =>
  refusal('cannot x', { code, headers: {}, body: Buffer.from(`{"kind":"Status","code":${code}}`) });

for (const code of [400, 402, 403, 404, 405, 406, 410, 413, 415, 418, 422])
  test(`T5: ${code} without a Status is a refusal`, () => assert.ok(isRefusal(text(code))));
for (const code of [400, 403, 405, 406, 413, 415, 418, 422])
  test(`T5: ${code} with a Status is a refusal`, () => assert.ok(isRefusal(said(code))));
for (const code of [401, 408, 409, 429, 500, 502, 503, 504])
  test(`T5: ${code} is no refusal: it may pass`, () =>
    assert.deepEqual([isRefusal(text(code)), isRefusal(said(code))], [false, false]));
for (const code of [404, 410])
  test(`T5: ${code} with a Status is about what was looked for, and is no refusal`, () =>
    assert.equal(isRefusal(said(code)), false));

test('T5: a server that cannot be reached is reported with the cause', async (context) => {
  const { server, client } = await scriptedScene(context, () => {});
  await server.stop();
  await assert.rejects(client.request({ method: 'GET', path: '/version?x=y' }), (error: KubeError) => {
    assert.equal(error.kind, 'Unreachable');
    assert.match(error.message, /^cannot GET \/version in cluster east: .*ECONNREFUSED/);
    assert.ok(error.cause instanceof Error);
    return true;
  });
});

test('T5: what is no JSON is Malformed, and its text, which may be secret, is not told', async (context) => {
  const { client } = await scriptedScene(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"password":"hunter2"');
  });
  await assert.rejects(client.get(configMaps, { namespace: 'n', name: 'a' }), (error: KubeError) => {
    assert.equal(error.kind, 'Malformed');
    const told = JSON.stringify([error.message, error.stack, String(error.cause)]);
    assert.doesNotMatch(told, /hunter2/);
    return true;
  });
});

test('T5: a list that is none, and an object without a name, are refused before anything else happens', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 200, { kind: 'Table' }),
  );
  await assert.rejects(client.list(configMaps), { kind: 'Malformed' });
  const sent = server.requests.length;
  await assert.rejects(client.get(configMaps, { name: 'a' }), {
    kind: 'BadRequest',
    message: 'cannot get configmaps "a" in cluster east: the key has no namespace',
  });
  await assert.rejects(client.delete(configMaps, { namespace: 'n', name: '' }), { kind: 'BadRequest' });
  assert.equal(server.requests.length, sent);
});
