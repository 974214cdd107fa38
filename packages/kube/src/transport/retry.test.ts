import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import { FakeClock } from '../fake-clock.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Call } from './call.ts';
import { maxAttempts, Retries } from './retry.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };
const status = { kind: 'Status', status: 'Failure', message: 'not now' };

const coded = (code: string): Error => Object.assign(new Error('it broke'), { code });

interface Row {
  readonly reason: string;
  readonly method: Call['method'];
  readonly outcome: { readonly code: number; readonly after?: string } | { readonly error: Error };
  /** The pause without jitter. */
  readonly pause: number | undefined;
}

const rows: readonly Row[] = [
  { reason: 'a 429 that says when', method: 'GET', outcome: { code: 429, after: '3' }, pause: 3050 },
  { reason: 'a 429 that does not', method: 'GET', outcome: { code: 429 }, pause: undefined },
  {
    reason: 'a write too: the server has applied no part of it',
    method: 'POST',
    outcome: { code: 429, after: '1' },
    pause: 1050,
  },
  { reason: 'a 503 that says when', method: 'PUT', outcome: { code: 503, after: '1' }, pause: 1050 },
  { reason: 'a 500 that says when', method: 'PATCH', outcome: { code: 500, after: '0' }, pause: 50 },
  { reason: 'a 500 that does not', method: 'GET', outcome: { code: 500 }, pause: undefined },
  {
    reason: 'a time of day is nothing that Kubernetes sends',
    method: 'GET',
    outcome: { code: 503, after: 'Fri, 31 Dec 2027 23:59:59 GMT' },
    pause: undefined,
  },
  { reason: 'a 409 is no matter of time', method: 'PUT', outcome: { code: 409, after: '1' }, pause: undefined },
  { reason: 'a 200', method: 'GET', outcome: { code: 200, after: '1' }, pause: undefined },
  { reason: 'a reset read', method: 'GET', outcome: { error: coded('ECONNRESET') }, pause: 50 },
  {
    reason: 'a read on a socket that was closed',
    method: 'GET',
    outcome: { error: coded('UND_ERR_SOCKET') },
    pause: 50,
  },
  {
    reason: 'a reset behind another error',
    method: 'GET',
    outcome: { error: new Error('ended', { cause: coded('ECONNRESET') }) },
    pause: 50,
  },
  {
    reason: 'a reset write may have been done',
    method: 'POST',
    outcome: { error: coded('ECONNRESET') },
    pause: undefined,
  },
  {
    reason: 'a reset deletion may have been done',
    method: 'DELETE',
    outcome: { error: coded('ECONNRESET') },
    pause: undefined,
  },
  { reason: 'no server listens', method: 'GET', outcome: { error: coded('ECONNREFUSED') }, pause: undefined },
  {
    reason: 'a bad certificate',
    method: 'GET',
    outcome: { error: coded('DEPTH_ZERO_SELF_SIGNED_CERT') },
    pause: undefined,
  },
];

for (const { reason, method, outcome, pause } of rows) {
  test(`T3: ${method} after ${reason}: ${pause === undefined ? 'not again' : `again after ${pause} ms`}`, () => {
    const retries = new Retries(method, () => 0);
    const next = retries.next(
      'error' in outcome
        ? outcome
        : { answer: { code: outcome.code, headers: { 'retry-after': outcome.after }, body: Buffer.of() } },
    );
    assert.equal(next, pause);
  });
}

test('T3: pauses grow, with jitter', () => {
  const error = coded('ECONNRESET');
  const plain = new Retries('GET', () => 0);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => plain.next({ error })),
    [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000],
  );
  assert.equal(plain.next({ error }), undefined, 'the tenth attempt was the last');
  assert.equal(new Retries('GET', () => 0.5).next({ error }), 75);
});

test('T3: a request is sent ten times at most, with the same body, no earlier than the server said', async (context) => {
  const clock = new FakeClock();
  const times: number[] = [];
  const metrics = createMetrics(new Registry());
  const { server, client } = await scriptedScene(
    context,
    (_request, response) => {
      times.push(clock.now());
      sendJson(response, 429, status, { 'retry-after': '1' });
    },
    { clock, metrics },
  );
  const failed = assert.rejects(client.create(configMaps, object, { timeoutMs: 60_000 }), {
    kind: 'TooManyRequests',
    code: 429,
    retryAfterSeconds: 1,
    message: 'cannot create configmaps "n/a" in cluster east: not now',
  });
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    await until(`attempt ${attempt} waits`, () => times.length === attempt && clock.timers === 2);
    await clock.advance(999);
    assert.equal(times.length, attempt);
    await clock.advance(clock.next ?? 0);
  }
  await failed;
  assert.equal(times.length, maxAttempts);
  assert.equal(new Set(server.requests.map(({ body }) => body)).size, 1);
  assert.match(server.requests[9]?.body ?? '', /"name":"a"/);
  const retried = await metrics.rest.retries.get();
  assert.deepEqual(
    retried.values.map(({ value, labels }) => [value, labels.code, labels.verb]),
    [[9, '429', 'POST']],
  );
});

test('T3: where the pause would outlast the deadline, the refusal is returned at once', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 503, status, { 'retry-after': '60' }),
  );
  await assert.rejects(client.get(configMaps, key), { kind: 'ServiceUnavailable', retryAfterSeconds: 60 });
  assert.equal(server.requests.length, 1);
});

test('T3: a read survives a server that closed the idle connection', async (context) => {
  let cut = false;
  const { server, client } = await scriptedScene(context, (_request, response) => {
    if (!cut) return sendJson(response, 200, object);
    cut = false;
    server.cutAll();
  });
  await client.get(configMaps, key);
  cut = true;
  assert.deepEqual(await client.get(configMaps, key), object);
  assert.equal(server.requests.length, 3);
});

test('T3: a read survives a reset in the middle of the answer', async (context) => {
  let cuts = 2;
  const { server, client } = await scriptedScene(context, (_request, response) => {
    if (cuts-- <= 0) return sendJson(response, 200, object);
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"kind":"Conf', () => server.cutAll());
    return undefined;
  });
  assert.deepEqual(await client.get(configMaps, key), object);
  assert.equal(server.requests.length, 3);
});

test('T3: a write that was cut off is not sent again', async (context) => {
  const { server, client } = await scriptedScene(context, () => server.cutAll());
  await assert.rejects(client.create(configMaps, object), { kind: 'Unreachable' });
  assert.equal(server.requests.length, 1);
});

test('T3: the caller can give up between two attempts', async (context) => {
  const clock = new FakeClock();
  const { client } = await scriptedScene(
    context,
    (_request, response) => sendJson(response, 429, status, { 'retry-after': '5' }),
    { clock },
  );
  const controller = new AbortController();
  const ended = assert.rejects(client.get(configMaps, key, { signal: controller.signal }), { kind: 'Aborted' });
  await until('it waits', () => clock.timers === 2);
  controller.abort();
  await ended;
  assert.equal(clock.timers, 0);
});

test('T3: the start of a watch is not tried again here: the reflector has pauses of its own', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 429, { ...status, reason: 'TooManyRequests' }, { 'retry-after': '1' }),
  );
  await assert.rejects(client.watch(configMaps, {}), {
    kind: 'TooManyRequests',
    retryAfterSeconds: 1,
    message: 'cannot watch configmaps in cluster east: not now',
  });
  assert.equal(server.requests.length, 1);
});
