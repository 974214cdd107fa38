/** Connections on which no request is sent: they are closed in time, and do not keep a server from stopping. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { connectionsOf, habits, openHalf, servingPair, type Habit } from '../../../../test/net/half-open.ts';
import { until } from '../../../../test/runtime/until.ts';
import {
  guardConnections,
  internalLimits,
  serverTimeouts,
  type ConnectionGuard,
  type ConnectionLimits,
} from './connection-limits.ts';
import { endSocket } from './end-socket.ts';

const { createServer } = process.getBuiltinModule('node:http');
const everyHabit = Object.keys(habits) as Habit[];
const short: ConnectionLimits = {
  ...internalLimits,
  handshakeMs: 300,
  headersMs: 300,
  requestMs: 300,
  keepAliveMs: 300,
  checkMs: 50,
};
const long: ConnectionLimits = { ...internalLimits, handshakeMs: 600_000, headersMs: 600_000, requestMs: 600_000 };
const deadline = { deadlineMs: 60_000 };

let pair: { readonly key: string; readonly cert: string };
let ca: string;
before(async () => {
  ({ ca, ...pair } = await servingPair());
});

interface Started {
  readonly server: Server;
  readonly guard: ConnectionGuard;
  readonly port: number;
  /** Requests that wait for their answer. */
  readonly waiting: (() => void)[];
  /** How many connections were closed for `maxHandshakes`. */
  readonly dropped: () => number;
}

const started: Started[] = [];
const ends: (() => void)[] = [];
after(async () => {
  ends.forEach((end) => end());
  for (const { server, guard } of started) {
    guard.destroyAll();
    if (server.listening) await new Promise((done) => server.close(done));
  }
});

type ErrorHandler = (error: Error, socket: Socket) => void;

/** The same as in the API server and the sandbox. */
const answerError: ErrorHandler = (_error, socket) =>
  endSocket(socket, 'HTTP/1.1 400 Bad Request\r\n\r\n', { afterMs: 300 });

async function start(
  kind: 'http' | 'https',
  limits: ConnectionLimits,
  onClientError: ErrorHandler = answerError,
): Promise<Started> {
  const waiting: (() => void)[] = [];
  const answer = (_request: unknown, response: { end(text: string): unknown }): void =>
    void waiting.push(() => response.end('answered'));
  const server =
    kind === 'http'
      ? createServer(serverTimeouts(limits), answer)
      : createHttpsServer({ ...serverTimeouts(limits), ...pair }, answer);
  server.on('clientError', onClientError);
  server.on('upgrade', (_request: unknown, socket: Socket) =>
    endSocket(socket, 'HTTP/1.1 404 Not Found\r\n\r\n', { afterMs: 300 }),
  );
  let dropped = 0;
  const guard = guardConnections(server, limits, { onMaxHandshakes: () => void (dropped += 1) });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const one = { server, guard, waiting, dropped: () => dropped, port: (server.address() as AddressInfo).port };
  started.push(one);
  return one;
}

describe('a server with limits', { concurrency: true }, () => {
  for (const kind of ['http', 'https'] as const)
    test(`closes ${kind} connections of clients that ask for nothing, whether they stay, break off or are gone`, async () => {
      const { server, port } = await start(kind, { ...short, maxConnections: 1000 });
      const clients = await openHalf(port, 200, everyHabit);
      await until('none is open', async () => (await connectionsOf(server)) === 0, deadline);
      clients.forEach((client) => client.destroy());
    });

  test('closes what does not finish its handshake, whatever the handler of errors does', async () => {
    const handlers: readonly ErrorHandler[] = [(_error, socket) => socket.end(), () => undefined];
    for (const handler of handlers) {
      const { server, port } = await start('https', short, handler);
      const clients = await openHalf(port, 20, everyHabit);
      await until('none is open', async () => (await connectionsOf(server)) === 0, { deadlineMs: 20_000 });
      clients.forEach((client) => client.destroy());
    }
  });

  test('does not give a handshake more time for bytes that arrive one by one', async () => {
    const { server, port } = await start('https', short);
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.write(Buffer.from([0x16, 0x03, 0x01, 0x40, 0x00]));
    const drip = setInterval(() => client.write(Buffer.from([1])), 20);
    ends.push(() => clearInterval(drip));
    await until('it is closed', () => client.closed, deadline);
    clearInterval(drip);
    await until('none is open', async () => (await connectionsOf(server)) === 0, deadline);
  });

  const slow: Readonly<Record<string, string>> = {
    'no request': '',
    'half of a head': 'GET / HTTP/1.1\r\nhost: x\r\n',
    'half of a body': 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{',
    'an upgrade that is refused, and data behind it':
      'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nmore',
    'no HTTP': 'hello\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(slow))
    test(`closes connections on which comes ${what}, whatever the client does`, async () => {
      for (const kind of ['http', 'https'] as const) {
        const { server, port } = await start(kind, short);
        const client =
          kind === 'http'
            ? connect({ port, host: '127.0.0.1', allowHalfOpen: true })
            : connectTls({ port, host: '127.0.0.1', ca, allowHalfOpen: true } as object);
        // Never reads, and never closes its side.
        client.pause().on('error', () => undefined);
        client.write(bytes === '' ? Buffer.alloc(0) : bytes);
        await until('it is there', async () => (await connectionsOf(server)) === 1, deadline);
        await until(`none is open (${kind})`, async () => (await connectionsOf(server)) === 0, deadline);
        client.destroy();
      }
    });

  test('gives its answer to a client that does read', async () => {
    const { port } = await start('http', short);
    const client = connect(port, '127.0.0.1');
    client.end('hello\r\n\r\n');
    assert.match(await text(client), /^HTTP\/1\.1 400 /);
  });

  test('closes what is above the number of connections', async () => {
    const { server, port } = await start('http', { ...long, maxConnections: 20 });
    const clients = await openHalf(port, 30, ['silent']);
    await until('ten are closed', () => clients.filter(({ readableEnded }) => readableEnded).length === 10, deadline);
    assert.equal(await connectionsOf(server), 20);
    clients.forEach((client) => client.destroy());
  });

  test('closes the oldest unfinished handshakes above their number, and no connection that has finished one', async () => {
    const { server, port, waiting, dropped } = await start('https', { ...long, maxHandshakes: 20 });
    const finished = connectTls({ port, host: '127.0.0.1', ca });
    await once(finished, 'secureConnect');
    const oldest = await openHalf(port, 10, ['silent', 'startsHandshake']);
    await until('they are there', async () => (await connectionsOf(server)) === 11, deadline);
    const newest = await openHalf(port, 20, ['silent', 'startsHandshake']);
    const isClosed = ({ closed, readableEnded }: Socket): boolean => closed || readableEnded;
    await until('the oldest are closed', () => oldest.every(isClosed), deadline);
    assert.equal(newest.some(isClosed), false);
    assert.equal(dropped(), 10);
    // The place of an unfinished handshake that is closed is free again, and one that finishes keeps none.
    for (let times = 0; times < 3; times += 1) {
      const asking = connectTls({ port, host: '127.0.0.1', ca });
      asking.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      await until('it is asked', () => waiting.length === times + 1, deadline);
      waiting[times]!();
      assert.match(await text(asking), /answered$/);
    }
    assert.equal(dropped(), 11, 'only the first of the three needed a place');
    finished.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await until('it is asked', () => waiting.length === 4, deadline);
    waiting[3]!();
    assert.match(await text(finished), /answered$/);
    await until('the unfinished ones are left', async () => (await connectionsOf(server)) === 19, deadline);
    [...oldest, ...newest].forEach((client) => client.destroy());
  });

  test('does not count connections of plain HTTP as handshakes', async () => {
    const { server, port, dropped } = await start('http', { ...long, maxHandshakes: 5 });
    const clients = await openHalf(port, 20, ['silent']);
    await until('all are there', async () => (await connectionsOf(server)) === 20, deadline);
    assert.equal(dropped(), 0);
    clients.forEach((client) => client.destroy());
  });

  test('can close what carries no request, and leaves what does', async () => {
    const { server, guard, port, waiting } = await start('https', long);
    const clients = await openHalf(port, 20, ['silent', 'startsHandshake']);
    const quiet = connectTls({ port, host: '127.0.0.1', ca });
    await once(quiet, 'secureConnect');
    const asking = connectTls({ port, host: '127.0.0.1', ca });
    asking.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await until('it is asked', () => waiting.length === 1, deadline);
    await until('all are there', async () => (await connectionsOf(server)) === 22, deadline);
    guard.destroyIdle();
    await until('one is left', async () => (await connectionsOf(server)) === 1, deadline);
    waiting[0]!();
    assert.match(await text(asking), /answered$/);
    clients.forEach((client) => client.destroy());
    quiet.destroy();
  });
});
