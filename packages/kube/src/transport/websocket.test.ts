import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import { ConnectProxy } from '../../../../test/runtime/connect-proxy.ts';
import { configMaps, scriptedScene, type ScriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson, type Received } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import { KubeError } from '../errors.ts';
import { FakeClock } from '../fake-clock.ts';
import type { ClientOptions } from '../client/create.ts';

const consolePath = '/apis/subresources.kubevirt.io/v1/namespaces/n/virtualmachineinstances/vm/console';
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };

interface Scene extends ScriptedScene {
  readonly upgrades: Pick<Received, 'url' | 'headers'>[];
  readonly sockets: WebSocket[];
}

/** A server with echoing websockets for the valid token; /silent gets no response. */
async function echoing(context: TestContext, options: Partial<ClientOptions> = {}): Promise<Scene> {
  const scene = await scriptedScene(context, (_request, response) => sendJson(response, 200, object), options);
  const upgrades: Scene['upgrades'] = [];
  const sockets: WebSocket[] = [];
  const echo = new WebSocketServer({ noServer: true });
  scene.server.server.on('upgrade', (request, socket, head) => {
    upgrades.push({ url: request.url ?? '', headers: request.headers });
    if (request.url?.includes('silent') === true) return;
    if (request.headers.authorization !== 'Bearer good') {
      const body = JSON.stringify({ kind: 'Status', reason: 'Unauthorized', message: 'who are you?', code: 401 });
      const head = 'HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nConnection: close\r\n';
      socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    echo.handleUpgrade(request, socket, head, (client) => {
      sockets.push(client);
      client.on('error', () => undefined);
      client.on('message', (data) => client.send(data));
    });
  });
  scene.source.connection = scene.server.connection({ headers: { authorization: 'Bearer good' } });
  return { ...scene, upgrades, sockets };
}

async function echoed(socket: WebSocket, text: string): Promise<string> {
  const answer = new Promise<string>((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
  socket.send(text);
  return answer;
}

test('connect() opens a websocket with path, query, protocol and credentials', async (context) => {
  const { client, upgrades } = await echoing(context);
  const query = { container: 'a b', none: undefined };
  const socket = await client.connect(consolePath, { query, protocols: ['plain.kubevirt.io'] });
  assert.equal(await echoed(socket, 'hello'), 'hello');
  assert.equal(socket.protocol, 'plain.kubevirt.io');
  const [{ url, headers } = assert.fail('nobody came')] = upgrades;
  assert.equal(url, `${consolePath}?container=a+b`);
  assert.equal(headers['user-agent'], 'scripted-test/1');
  socket.close();
});

test('T5: a refused websocket is the error that the Status says', async (context) => {
  const { server, source, client } = await echoing(context);
  source.connection = server.connection({ headers: { authorization: 'Bearer bad' } });
  await assert.rejects(client.connect(`${consolePath}?x=y`), (error: unknown) => {
    assert.ok(error instanceof KubeError);
    assert.deepEqual([error.kind, error.code], ['Unauthorized', 401]);
    assert.equal(error.message, `cannot connect to ${consolePath} in cluster east: who are you?`);
    return true;
  });
  await until('the socket is closed', () => server.openSockets === 0);
});

test('token rotation: a refused websocket is opened with fresh credentials', async (context) => {
  const { server, source, client, upgrades } = await echoing(context);
  source.fresh = source.connection;
  source.connection = server.connection({ headers: { authorization: 'Bearer old' } });
  const socket = await client.connect(consolePath);
  assert.equal(await echoed(socket, 'hello'), 'hello');
  assert.equal(upgrades.length, 2);
  socket.close();
});

test('T8: a websocket has a deadline until it is open, and a signal as long as it lives', async (context) => {
  const clock = new FakeClock();
  const { server, client, upgrades } = await echoing(context, { clock });
  const late = assert.rejects(client.connect('/silent'), { kind: 'DeadlineExceeded' });
  await until('the request is there', () => upgrades.length === 1);
  await clock.advance(30_000);
  await late;

  const controller = new AbortController();
  const socket = await client.connect(consolePath, { signal: controller.signal });
  await clock.advance(3_600_000);
  assert.equal(await echoed(socket, 'still here'), 'still here');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  controller.abort();
  await closed;
  await until('all sockets are closed', () => server.openSockets === 0);
  await assert.rejects(client.connect(consolePath, { signal: controller.signal }), { kind: 'Aborted' });
});

test('a websocket that the server cuts is closed, and ends nothing else', async (context) => {
  const { server, client, sockets } = await echoing(context);
  const socket = await client.connect(consolePath);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await until('the server has it', () => sockets.length === 1);
  server.cutAll();
  assert.equal(await closed, 1006);
  await server.stop();
  await assert.rejects(client.connect(consolePath), { kind: 'Unreachable' });
});

test('what the server says before anybody listens is not lost', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, object));
  const greeting = new WebSocketServer({ noServer: true });
  server.server.on('upgrade', (request, socket, head) => {
    // Sends the upgrade response and the first message in one packet, as far as possible.
    socket.cork();
    greeting.handleUpgrade(request, socket, head, (line) => {
      line.send('RFB 003.008');
      line.close(4001);
    });
    socket.uncork();
  });
  const socket = await client.connect(consolePath);
  await new Promise((later) => setImmediate(later));
  const said = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  assert.equal(await said, 'RFB 003.008');
  assert.equal(await closed, 4001);
});

test('T1: requests, watches and websockets go through the proxy', async (context) => {
  const proxy = await ConnectProxy.start();
  context.after(() => proxy.stop());
  const { server, source, client } = await echoing(context);
  source.connection = { ...source.connection, proxyUrl: proxy.url() };
  assert.deepEqual(await client.get(configMaps, key), object);
  const stream = await client.watch(configMaps, {});
  stream.close();
  const socket = await client.connect(consolePath);
  assert.equal(await echoed(socket, 'hello'), 'hello');
  socket.close();
  assert.deepEqual(
    proxy.tunnels,
    [1, 2, 3].map(() => new URL(server.url).host),
  );
});

test('T1: a proxy that refuses makes the server unreachable, and its password is not told', async (context) => {
  const proxy = await ConnectProxy.start();
  context.after(() => proxy.stop());
  const { source, client } = await echoing(context);
  source.connection = { ...source.connection, proxyUrl: proxy.url('hunter2') };
  for (const call of [() => client.get(configMaps, key), () => client.connect(consolePath)])
    await assert.rejects(call(), (error: unknown) => {
      assert.ok(error instanceof KubeError);
      assert.equal(error.kind, 'Unreachable');
      assert.match(error.message, /407/);
      assert.doesNotMatch(`${error.stack}${String(error.cause)}`, /hunter2/);
      return true;
    });
  source.connection = { ...source.connection, proxyUrl: 'socks5://127.0.0.1:1' };
  await assert.rejects(client.connect(consolePath), /websockets support http and https proxies only, not socks5/);
});
