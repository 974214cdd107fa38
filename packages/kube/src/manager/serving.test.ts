import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openHalf, servingPair } from '../../../../test/net/half-open.ts';
import { until } from '../../../../test/runtime/until.ts';
import { createClient } from '../client/create.ts';
import type { Client } from '../client/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { Checks } from './checks.ts';
import { startServing } from './serving.ts';
import type { Serving, ServingOptions } from './serving.ts';

const log = pino({ level: 'silent' });

/** Runs after failed tests too: a listening server would keep the process alive. */
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(options: Partial<ServingOptions>): Promise<Serving> {
  const { registry } = createMetrics(new Registry());
  const [live, ready] = [new Checks('healthz', log), new Checks('readyz', log)];
  const serving = await startServing({ live, ready, log, clock: new FakeClock(), registry, ...options });
  stops.push(() => serving.stop());
  return serving;
}

async function get(url: string, init?: RequestInit): Promise<{ code: number; text: string }> {
  const response = await fetch(url, init);
  return { code: response.status, text: await response.text() };
}

test('M2: health and readiness stand on an address of their own, and answer nothing else', async () => {
  const serving = await start({ health: { port: 0 } });
  const at = serving.urls.health ?? '';
  assert.match(at, /^http:\/\/127\.0\.0\.1:\d+$/);
  for (const path of ['/healthz', '/livez', '/readyz', '/healthz/ping', '/readyz/'])
    assert.deepEqual(await get(`${at}${path}`), { code: 200, text: 'ok' }, path);
  for (const path of ['/', '/metrics', '/readyz/ping/x', '/readyzz'])
    assert.equal((await get(`${at}${path}`)).code, 404);
  assert.equal((await get(`${at}/healthz`, { method: 'POST' })).code, 405);
  await serving.stop();
  await assert.rejects(fetch(`${at}/healthz`), 'it listens no more');
});

for (const kind of ['http', 'https'] as const)
  test(`M2: clients that connect over ${kind} and ask for nothing are closed in time, and do not hold up the end`, async () => {
    const tls = kind === 'http' ? {} : { tls: await servingPair() };
    const limits = { handshakeMs: 300, headersMs: 300, requestMs: 300, checkMs: 50 };
    const short = await start({ health: { port: 0, limits, ...tls }, metrics: { port: 0, limits, ...tls } });
    const { health = '', metrics = '' } = short.urls;
    for (const url of [health, metrics]) {
      const clients = await openHalf(Number(new URL(url).port), 30, ['silent', 'startsHandshake']);
      stops.push(() => Promise.resolve(clients.forEach((client) => client.destroy())));
      await until('all are closed', () => clients.every(({ readableEnded, closed }) => readableEnded || closed));
    }
    const never = 3_600_000;
    const long = { handshakeMs: never, headersMs: never, requestMs: never };
    const patient = await start({ health: { port: 0, limits: long, ...tls } });
    const clients = await openHalf(Number(new URL(patient.urls.health ?? '').port), 30, ['silent', 'startsHandshake']);
    stops.push(() => Promise.resolve(clients.forEach((client) => client.destroy())));
    let hasStopped = false;
    void patient.stop().then(() => (hasStopped = true));
    await until('it has stopped', () => hasStopped);
  });

test("M3: metrics are ours, and Node's own", async () => {
  const serving = await start({ metrics: { port: 0 } });
  const { code, text } = await get(`${serving.urls.metrics}/metrics`);
  assert.equal(code, 200);
  assert.match(text, /^# TYPE leader_election_master_status gauge$/m);
  assert.match(text, /^nodejs_eventloop_lag_seconds [\d.e-]+$/m);
  await serving.stop();
});

test('M3: health and metrics may share an address', async () => {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  const serving = await start({ health: { port }, metrics: { port } });
  assert.deepEqual(await get(`http://127.0.0.1:${port}/readyz`), { code: 200, text: 'ok' });
  assert.equal((await get(`http://127.0.0.1:${port}/metrics`)).code, 200);
  await serving.stop();
});

test('M1: an address in use is named, with what to do', async () => {
  const first = await start({ health: { port: 0 } });
  const port = Number(new URL(first.urls.health ?? '').port);
  await assert.rejects(start({ health: { port: 0 }, metrics: { port } }), {
    message: `cannot serve metrics on 127.0.0.1:${port}: the address is in use; stop the process that listens there, or choose another port`,
  });
  await first.stop();
});

test('M1: an address that this machine does not have is named, too', async () => {
  await assert.rejects(
    start({ health: { host: '192.0.2.1', port: 0 } }),
    /cannot serve health on 192\.0\.2\.1:0: this machine/,
  );
});

test('M3: metrics are not shown to everybody by mistake', async () => {
  await assert.rejects(start({ metrics: { host: '0.0.0.0', port: 0 } }), /anyone could read them/);
  const open = await start({ metrics: { host: '0.0.0.0', port: 0, open: true } });
  await open.stop();
});

/** An API server that knows two tokens, of which one may read metrics. */
async function reviewer(): Promise<{ client: Client; asked: string[]; close: () => Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { kind, spec } = JSON.parse(text) as { kind: string; spec: { token?: string; user?: string } };
      asked.push(kind);
      const user = spec.token === 'good' ? 'scraper' : 'nobody';
      const status =
        kind === 'TokenReview'
          ? { authenticated: spec.token !== 'wrong', user: { username: user, groups: ['g'] } }
          : { allowed: spec.user === 'scraper' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ kind, status }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const connection = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tls: {}, headers: {} };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const client = createClient({ cluster: 'c', source, userAgent: 'test' });
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    await client.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  stops.push(close);
  return { client, asked, close };
}

test('M3: who reads protected metrics is reviewed by the cluster, once in a while', async () => {
  const { client, asked, close } = await reviewer();
  const clock = new FakeClock();
  const serving = await start({ clock, metrics: { port: 0, reviews: client } });
  const read = async (token?: string): Promise<number> =>
    (
      await get(
        `${serving.urls.metrics}/metrics`,
        token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
      )
    ).code;
  assert.equal(await read(), 401);
  assert.deepEqual(asked, [], 'without a token there is nothing to ask');
  assert.equal(await read('wrong'), 401);
  assert.equal(await read('other'), 403);
  assert.equal(await read('good'), 200);
  asked.length = 0;
  assert.deepEqual([await read('wrong'), await read('other'), await read('good')], [401, 403, 200]);
  assert.deepEqual(asked, [], 'answers are remembered');
  await clock.advance(61_000);
  assert.equal(await read('good'), 200);
  assert.deepEqual(asked, ['TokenReview', 'SubjectAccessReview'], 'but not for ever');
  await close();
  await clock.advance(61_000);
  assert.equal(await read('good'), 500, 'whom nobody can review may not read');
  await serving.stop();
});
