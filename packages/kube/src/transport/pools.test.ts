import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { secondAuthority, sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import { FakeClock } from '../fake-clock.ts';
import { requestSockets } from './pools.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };
const event = `${JSON.stringify({ type: 'ADDED', object })}\n`;

/** With immediately consecutive requests, the socket of the first may not be free yet. */
const sequential = 2;

function isWatch(url: string): boolean {
  return url.includes('watch=true');
}

test('socket leak: 2,000 requests use no more sockets than the pool has', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, object));
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 100 }, () => client.get(configMaps, key)));
  assert.equal(server.requests.length, 2000);
  assert.ok(server.acceptedSockets <= requestSockets, `${server.acceptedSockets} sockets were opened`);
});

test('socket leak: 200 watches one after the other share a socket when they end politely', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => void response.end(event));
  for (let round = 0; round < 200; round++) {
    const stream = await client.watch(configMaps, { resourceVersion: '1' });
    for await (const batch of stream) assert.equal(batch.length, 1);
  }
  assert.equal(server.requests.length, 200);
  assert.ok(server.acceptedSockets <= sequential, `${server.acceptedSockets} sockets were opened`);
});

test('socket leak: watches that were closed, broken off or aborted leave no socket behind', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => void response.write(event));
  for (let round = 0; round < 60; round++) {
    const controller = new AbortController();
    const stream = await client.watch(configMaps, { signal: controller.signal });
    if (round % 3 === 0) stream.close();
    if (round % 3 === 1) controller.abort();
    if (round % 3 === 2) for await (const batch of stream) if (batch.length > 0) break;
  }
  await until('all sockets are closed', () => server.openSockets === 0);
});

test('T1: a watch takes no socket from the requests', async (context) => {
  const { server, client } = await scriptedScene(context, ({ url }, response) => {
    if (isWatch(url)) response.write(event);
    else sendJson(response, 200, object);
  });
  const count = requestSockets * 2;
  const streams = await Promise.all(Array.from({ length: count }, () => client.watch(configMaps, {})));
  assert.deepEqual(await client.get(configMaps, key), object);
  assert.equal(server.openSockets, count + 1);
  for (const stream of streams) stream.close();
});

test('T1: a new token is sent on the sockets that are there', async (context) => {
  const { server, source, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 200, object),
  );
  const tokens = Array.from({ length: 20 }, (_, index) => `token-${index}`);
  for (const token of tokens) {
    source.connection = server.connection({ headers: { authorization: `Bearer ${token}` } });
    await client.get(configMaps, key);
  }
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    tokens.map((token) => `Bearer ${token}`),
  );
  assert.ok(server.acceptedSockets <= sequential, `${server.acceptedSockets} sockets were opened`);
});

test('T1: headers that are lists are sent several times', async (context) => {
  const { server, source, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 200, object),
  );
  source.connection = server.connection({ headers: { 'Impersonate-User': 'ann', 'Impersonate-Group': ['a', 'b'] } });
  await client.get(configMaps, key);
  const { headers } = server.requests[0] ?? assert.fail('no request came');
  assert.equal(headers['impersonate-user'], 'ann');
  assert.equal(headers['impersonate-group'], 'a, b');
});

test('T1: a rotated authority is trusted without a restart, and what is under way is finished', async (context) => {
  const clock = new FakeClock();
  let watching: ServerResponse | undefined;
  let asked: ServerResponse | undefined;
  const { server, source, client } = await scriptedScene(
    context,
    ({ url }, response) => {
      if (isWatch(url)) (watching = response).write(event);
      else if (url.endsWith('/slow')) asked = response;
      else sendJson(response, 200, object);
    },
    { clock },
  );
  const stream = await client.watch(configMaps, {});
  const slow = client.get(configMaps, { namespace: 'n', name: 'slow' });
  await until('both are under way', () => watching !== undefined && asked !== undefined);

  const next = await secondAuthority();
  await server.serveAs(next);
  source.connection = server.connection({ tls: { ca: next.certificate } });
  assert.deepEqual(await client.get(configMaps, key), object, 'over a new connection');
  assert.equal(server.openSockets, 3);
  if (asked !== undefined) sendJson(asked, 200, object);
  assert.deepEqual(await slow, object, 'over the old one');
  await until('the old pool of requests is closed', () => server.openSockets === 2);

  watching?.write(event);
  let events = 0;
  const reading = (async () => {
    for await (const batch of stream) events += batch.length;
  })();
  await until('the old watch goes on', () => events === 2);
  const ended = assert.rejects(reading, { kind: 'Unreachable' });
  await clock.advance(60_000);
  await ended;
  await until('the old watch is gone', () => server.openSockets === 1);
});

test('T1: a server of another authority is not trusted', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, object));
  await server.serveAs(await secondAuthority());
  await assert.rejects(client.get(configMaps, key), (error: { kind: string; message: string }) => {
    assert.equal(error.kind, 'Unreachable');
    assert.match(error.message, /^cannot get configmaps "n\/a" in cluster east: .*certificate/);
    return true;
  });
  assert.equal(server.requests.length, 0);
});

test('T1: the name in the certificate is checked, against the one that was said where one was', async (context) => {
  const { server, source, client } = await scriptedScene(context, (_request, response) =>
    sendJson(response, 200, object),
  );
  const ca = server.authority.certificate;
  source.connection = server.connection({ tls: { ca, serverName: 'elsewhere.example' } });
  await assert.rejects(client.get(configMaps, key), { kind: 'Unreachable' });
  source.connection = server.connection({ tls: { ca, serverName: 'localhost' } });
  assert.deepEqual(await client.get(configMaps, key), object);
  source.connection = server.connection({ tls: { insecureSkipVerify: true } });
  assert.deepEqual(await client.get(configMaps, key), object);
});

test('close() ends what is under way, and nothing is sent afterwards', async (context) => {
  const { server, client } = await scriptedScene(context, ({ url }, response) => {
    if (isWatch(url)) response.write(event);
  });
  const stream = await client.watch(configMaps, {});
  const pending = assert.rejects(client.get(configMaps, key), { kind: 'Aborted' });
  await until('the request is there', () => server.requests.length === 2);
  await client.close();
  await pending;
  await assert.rejects(
    async () => {
      for await (const batch of stream) assert.ok(batch.length <= 1);
    },
    { kind: 'Aborted' },
  );
  await assert.rejects(client.get(configMaps, key), { kind: 'Aborted' });
  await until('all sockets are closed', () => server.openSockets === 0);
  assert.equal(server.requests.length, 2);
});
