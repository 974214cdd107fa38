import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { Client } from '../client/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { Deadline } from './deadline.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };

const calls: readonly { readonly what: string; readonly call: (client: Client) => Promise<unknown> }[] = [
  { what: 'a get', call: (client) => client.get(configMaps, key) },
  { what: 'a list', call: (client) => client.list(configMaps) },
  { what: 'a create', call: (client) => client.create(configMaps, object) },
  { what: 'a delete', call: (client) => client.delete(configMaps, key) },
  { what: 'the start of a watch', call: (client) => client.watch(configMaps, {}) },
  { what: 'discovery', call: (client) => client.typeOf('v1', 'ConfigMap') },
  { what: 'any other path', call: (client) => client.request({ method: 'GET', path: '/version' }) },
];

for (const { what, call } of calls) {
  test(`T2, T8: ${what} without an answer ends at its deadline of 30 s, and takes its dead socket along`, async (context) => {
    const clock = new FakeClock();
    const { server, client } = await scriptedScene(context, () => {}, { clock });
    let ended = false;
    const failed = assert.rejects(
      call(client).finally(() => (ended = true)),
      { name: 'ApiError', kind: 'DeadlineExceeded' },
    );
    await until('the request is there', () => server.requests.length === 1);
    await clock.advance(29_999);
    assert.equal(ended, false);
    await clock.advance(1);
    await failed;
    await until('the socket is closed', () => server.openSockets === 0);
    assert.equal(clock.timers, 0);
  });
}

test('T2: the request after a dead connection goes over a new one', async (context) => {
  const clock = new FakeClock();
  let dead = true;
  const { server, client } = await scriptedScene(
    context,
    (_request, response) => {
      if (!dead) sendJson(response, 200, object);
    },
    { clock },
  );
  const lost = assert.rejects(client.get(configMaps, key, { timeoutMs: 1000 }), {
    kind: 'DeadlineExceeded',
    message: 'cannot get configmaps "n/a" in cluster east: no answer in time',
  });
  await until('the request is there', () => server.requests.length === 1);
  await clock.advance(1000);
  await lost;
  dead = false;
  assert.deepEqual(await client.get(configMaps, key), object);
  assert.equal(server.acceptedSockets, 2);
});

test('T2: an answer that stops in the middle ends at the deadline', async (context) => {
  const clock = new FakeClock();
  const { server, client } = await scriptedScene(context, (_request, response) => void response.write('{"kind":'), {
    clock,
  });
  const failed = assert.rejects(client.get(configMaps, key), { kind: 'DeadlineExceeded' });
  await until('the request is there', () => server.requests.length === 1);
  await clock.advance(30_000);
  await failed;
});

test('T2: credentials that never come end the request at its deadline', async (context) => {
  const clock = new FakeClock();
  const { source, client } = await scriptedScene(context, () => {}, { clock });
  source.current = () => new Promise(() => {});
  const failed = assert.rejects(client.get(configMaps, key), { kind: 'DeadlineExceeded' });
  await clock.advance(30_000);
  await failed;
});

for (const { what, call } of [
  { what: 'a get', call: (client: Client, signal: AbortSignal) => client.get(configMaps, key, { signal }) },
  { what: 'the start of a watch', call: (client: Client, signal: AbortSignal) => client.watch(configMaps, { signal }) },
]) {
  test(`T8: the signal ends ${what}, before and after it was sent`, async (context) => {
    const { server, client } = await scriptedScene(context, () => {});
    await assert.rejects(call(client, AbortSignal.abort()), { name: 'ApiError', kind: 'Aborted' });
    assert.equal(server.requests.length, 0);
    const controller = new AbortController();
    const ended = assert.rejects(call(client, controller.signal), { name: 'ApiError', kind: 'Aborted' });
    await until('the request is there', () => server.requests.length === 1);
    controller.abort();
    await ended;
    await until('the socket is closed', () => server.openSockets === 0);
  });
}

test('T8: a watch that has begun has no deadline, yet its signal ends it', async (context) => {
  const clock = new FakeClock();
  const { server, client } = await scriptedScene(context, (_request, response) => response.flushHeaders(), { clock });
  const controller = new AbortController();
  const stream = await client.watch(configMaps, { signal: controller.signal });
  const reading = assert.rejects(
    async () => {
      for await (const batch of stream) assert.fail(`${batch.length} events came`);
    },
    { kind: 'Aborted' },
  );
  await clock.advance(3_600_000);
  assert.equal(server.openSockets, 1);
  controller.abort();
  await reading;
  await until('the socket is closed', () => server.openSockets === 0);
});

test('T8: a deadline lets go of its timer and of the signals of others', async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const deadline = new Deadline(clock, 1000, controller.signal, undefined);
  assert.equal(clock.timers, 1);
  assert.equal(await deadline.race(Promise.resolve('done')), 'done');
  deadline.release();
  assert.equal(clock.timers, 0);
  controller.abort();
  assert.equal(deadline.signal.aborted, false);
});
