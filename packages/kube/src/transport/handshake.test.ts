import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { createClient } from '../client/create.ts';
import { isKind } from '../errors.ts';
import { FakeClock } from '../fake-clock.ts';

test('T2: a server that takes the connection and says nothing costs no more than the deadline, and a caller can give up', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const connection = { server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, tls: {}, headers: {} };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const clock = new FakeClock();
  const client = createClient({ cluster: 'c', source, userAgent: 'test', clock });
  const type = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  const connected = async (count: number): Promise<void> => {
    while (sockets.size < count) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    const late = client.get(type, { namespace: 'n', name: 'a' }, { timeoutMs: 2000 });
    await connected(1);
    await Promise.all([assert.rejects(late, (error) => isKind(error, 'DeadlineExceeded')), clock.advance(2000)]);

    const abort = new AbortController();
    const watch = client.watch(type, { signal: abort.signal });
    await connected(2);
    abort.abort();
    await assert.rejects(watch, (error) => isKind(error, 'Aborted'));
  } finally {
    for (const socket of sockets) socket.destroy();
    await client.close();
    await new Promise((done) => server.close(done));
  }
});
