import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import { FaultProxy } from './fault-proxy.ts';

test("the fault proxy: passes websockets on with the server's token, and ends them with the server", async (t) => {
  const authority = await createAuthority('upgrade-test');
  const { certificate: cert, key } = await authority.issue({
    commonName: 'server',
    addresses: ['127.0.0.1'],
    server: true,
  });
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { headers, url }) => {
    socket.send(`${url} ${headers.authorization}`);
    socket.on('message', (data) => socket.send(data));
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await FaultProxy.start({ url, ca: authority.certificate, token: 'upstream' });
  t.after(async () => {
    await proxy.stop();
    sockets.close();
    server.close();
  });

  const headers = { authorization: `Bearer ${proxy.issueToken()}` };
  const socket = new WebSocket(`${proxy.url.replace('https', 'wss')}/console`, { ca: proxy.ca, headers });
  const [greeting] = (await once(socket, 'message')) as [Buffer];
  assert.equal(greeting.toString(), '/console Bearer upstream');
  socket.send('ping');
  const [echo] = (await once(socket, 'message')) as [Buffer];
  assert.equal(echo.toString(), 'ping');
  for (const client of sockets.clients) client.terminate();
  await once(socket, 'close');
});
