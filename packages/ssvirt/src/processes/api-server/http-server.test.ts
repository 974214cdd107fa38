/**
 * The API's own listener, with clients that connect and send no request. It needs no database, because no request gets
 * that far.
 */
import { anyImage } from '../../../../../test/net/any-image.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { directoryOf, testSettings } from '../../../../../test/api/harness.ts';
import { freePorts } from '../../../../../test/cluster/ports.ts';
import { connectionsOf, habits, openHalf, type Habit } from '../../../../../test/net/half-open.ts';
import { makeCertificates, type Certificates } from '../../../../../test/processes/api-server.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { apiLimits, buildApp } from '../../api/app.ts';
import { nothingOffered } from '../../api/catalogs/catalogs/source.ts';
import { noConsoles } from '../../api/console/source.ts';
import { noSupervisor } from '../../api/supervisor/source.ts';
import type { ApiApp } from '../../api/http/app-types.ts';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import type { ConnectionLimits } from '@ssvirt/base/net/connection-limits';
import { httpServer } from './http-server.ts';

/** Less than the 120 s after which Node closes an unfinished handshake by itself. */
const deadline = { deadlineMs: 60_000 };
const everyHabit = Object.keys(habits) as Habit[];

interface Serving {
  readonly app: ApiApp;
  readonly server: Server;
  readonly port: number;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

describe('the listener of the API', () => {
  let folder: string;
  let certificates: Certificates;
  let database: Database;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ssvirt-listener-'));
    certificates = await makeCertificates(folder);
    database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  });
  /** Also when a test failed halfway. */
  const ends: (() => void)[] = [];
  afterEach(() => ends.splice(0).forEach((end) => end()));
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(changes: Partial<ConnectionLimits>): Promise<Serving> {
    const limits = { ...apiLimits, ...changes };
    const [port = 0] = await freePorts(1);
    const { certFile, keyFile } = certificates;
    const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    let lines = '';
    const log = pino({ level: 'info' }, { write: (line: string) => (lines += line) });
    const app = await buildApp(
      {
        database,
        settings: testSettings,
        catalogSource: nothingOffered,
        clusters: directoryOf(),
        consoles: noConsoles,
        images: anyImage,
        supervisor: noSupervisor,
        log,
        registry: new Registry(),
      },
      { tls: pair, limits },
    );
    const stopping = new AbortController();
    const ended = httpServer({
      app,
      listen: { host: '127.0.0.1', port },
      files: { certFile, keyFile },
      pair,
      log,
      limits,
      // No test may wait for this.
      drainMs: 600_000,
    }).run({ signal: stopping.signal });
    const server = app.server as unknown as Server;
    await until('it listens', () => server.listening);
    server.on('connection', (socket: Socket) => ends.push(() => socket.destroy()));
    ends.push(() => stopping.abort());
    return {
      app,
      server,
      port,
      log: () => lines,
      async stop() {
        stopping.abort();
        await ended;
      },
    };
  }

  test('closes 3000 connections that never finish their handshake, whether their clients stay or are gone', async () => {
    // None may be closed for their number.
    const { server, port, log, stop } = await serve({ handshakeMs: 1_000, maxHandshakes: 4_000 });
    await open(port, 3_000, everyHabit);
    await until('none is open', async () => (await connectionsOf(server)) === 0, deadline);
    assert.doesNotMatch(log(), /unreadable request/, 'they are no requests');
    await stop();
  });

  test('answers a client that finishes its handshake while others do not', async () => {
    const { port, stop } = await serve({ handshakeMs: 600_000 });
    await open(port, 500, ['silent', 'startsHandshake']);
    const answer = await get(port, '/nothing');
    assert.match(answer, /^HTTP\/1\.1 404 /);
    await stop();
  });

  test('closes what is connected and asks for nothing, in part, or never reads the answer that it gets', async () => {
    const { server, port, stop } = await serve({ headersMs: 300, requestMs: 600, checkMs: 50 });
    await Promise.all(
      [
        '',
        'GET / HTTP/1.1\r\nhost: x\r\n',
        'POST /cloudapi/1.0.0/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
        'GET /console/x HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nmore',
        'no HTTP\r\n\r\n',
      ].map(async (bytes) => {
        const socket = await connectSecurely(port);
        socket.pause();
        if (bytes !== '') socket.write(bytes);
      }),
    );
    await until('none is open', async () => (await connectionsOf(server)) === 0, deadline);
    await stop();
  });

  test('stops at once while 3000 connections are open that ask for nothing', async () => {
    const never = 3_600_000;
    const limits = { handshakeMs: never, headersMs: never, requestMs: never, maxHandshakes: 4_000 };
    const { server, port, stop } = await serve(limits);
    await open(port, 3_000, ['silent', 'startsHandshake']);
    await connectSecurely(port);
    await until('all are there', async () => (await connectionsOf(server)) === 3_001, deadline);
    let hasStopped = false;
    void stop().then(() => (hasStopped = true));
    await until('it has stopped', () => hasStopped, deadline);
  });

  test('says that it has too many connections, and is there again when some have gone', async () => {
    const { server, port, log, stop } = await serve({ maxConnections: 100 });
    const clients = await open(port, 120, ['silent']);
    await until('some are closed', () => clients.filter(({ readableEnded }) => readableEnded).length === 20, deadline);
    assert.equal(log().split('connection limit reached').length, 2, 'it is in the log once');
    clients.forEach((client) => client.destroy());
    await until('they have gone', async () => (await connectionsOf(server)) === 0, deadline);
    assert.match(await get(port, '/nothing'), /^HTTP\/1\.1 404 /);
    await stop();
  });

  test('says that it has too many unfinished handshakes, and still answers', async () => {
    const { server, port, log, stop } = await serve({ handshakeMs: 600_000, maxHandshakes: 100 });
    await open(port, 120, ['silent', 'startsHandshake']);
    assert.match(await get(port, '/nothing'), /^HTTP\/1\.1 404 /);
    await until('they are limited', async () => (await connectionsOf(server)) <= 100, deadline);
    assert.equal(log().split('handshake limit reached').length, 2, 'it is in the log once');
    await stop();
  });

  async function open(port: number, count: number, all: readonly Habit[]): Promise<readonly Socket[]> {
    const clients = await openHalf(port, count, all);
    ends.push(() => clients.forEach((client) => client.destroy()));
    return clients;
  }

  async function connectSecurely(port: number): Promise<TLSSocket> {
    const socket = connect({ port, host: '127.0.0.1', ca: certificates.authority.certificate });
    socket.on('error', () => undefined);
    ends.push(() => socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  }

  async function get(port: number, path: string): Promise<string> {
    const socket = await connectSecurely(port);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    await once(socket, 'close');
    return answer;
  }
});
