import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { get } from 'node:https';
import { test } from 'node:test';
import { goNetworkError } from './go-network-error.ts';

/** The real error of a request to a server that treats its connections like this. */
async function failure(treat: (socket: Socket) => void): Promise<{ text: string; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const error = await new Promise((resolve) =>
    get({ host: '127.0.0.1', port, agent: false }, () => resolve(undefined)).on('error', resolve),
  );
  await new Promise((resolve) => server.close(resolve));
  return { text: goNetworkError(error), port };
}

test('a server that speaks HTTP without TLS is called that', async () => {
  const { text } = await failure((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
  );
  assert.equal(text, 'http: server gave HTTP response to HTTPS client');
});

test('a connection that ends before its handshake is the end of the file', async () => {
  assert.equal((await failure((socket) => socket.destroy())).text, 'EOF');
});

test('a port without a server is a refused connection, with the address', async () => {
  const { port } = await failure((socket) => socket.destroy());
  const error = await new Promise((resolve) => get({ host: '127.0.0.1', port }).on('error', resolve));
  assert.equal(goNetworkError(error), `dial tcp 127.0.0.1:${port}: connect: connection refused`);
});
