/** The recorder over real HTTP, against a server with scripted responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { until } from '../../../../test/runtime/until.ts';
import { createClient } from '../client/create.ts';
import { FakeClock } from '../fake-clock.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createRecorder, type EventRecorder, type RecorderOptions } from './recorder.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly count?: number; readonly message?: string; readonly metadata?: { readonly name: string } };
}

/** A status code, a closed connection, or no response at all. */
type Answer = number | 'reset' | 'silence';

interface Scene {
  readonly clock: FakeClock;
  readonly recorder: EventRecorder;
  readonly received: Received[];
  readonly answer: (how: (request: Received) => Answer) => void;
  readonly fates: () => Promise<Readonly<Record<string, number>>>;
}

async function scene(t: TestContext, options: Partial<RecorderOptions> = {}): Promise<Scene> {
  const received: Received[] = [];
  let how: (request: Received) => Answer = ({ method }) => (method === 'POST' ? 201 : 200);
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const body = await read(request);
      const seen: Received = { method: request.method ?? '', path: (request.url ?? '').replace(/\?.*/, ''), body };
      received.push(seen);
      const answer = how(seen);
      if (answer === 'silence') return;
      if (answer === 'reset') {
        request.socket.resetAndDestroy();
        return;
      }
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: answer, reason: reasons[answer] };
      response.writeHead(answer, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer < 300 ? { apiVersion: 'v1', kind: 'Event', ...body } : status));
    };
    void respond();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tls: {}, headers: {} };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const client = createClient({ cluster: 'test', source, userAgent: 'test' });
  const metrics = createMetrics(new Registry());
  const clock = new FakeClock();
  const recorder = createRecorder({ client, component: 'test', metrics, clock, ...options });
  t.after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  const fates = async (): Promise<Readonly<Record<string, number>>> => {
    const { values } = await metrics.events.total.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.result), value] as const));
  };
  return { clock, recorder, received, answer: (next) => void (how = next), fates };
}

const reasons: Readonly<Record<number, string>> = { 403: 'Forbidden', 404: 'NotFound', 409: 'AlreadyExists' };

async function read(request: IncomingMessage): Promise<Received['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Received['body'];
}

const vm = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'db', namespace: 'lab', uid: 'u1', resourceVersion: '7' },
};
const events = '/api/v1/namespaces/lab/events';

test('E1: the second of two equal events is a PATCH of count, time and message', async (t) => {
  const { recorder, received, clock } = await scene(t);
  recorder.event(vm, 'Normal', 'Started', 'hello');
  await recorder.flushed();
  await clock.advance(60_000);
  recorder.event(vm, 'Normal', 'Started', 'hello');
  await recorder.flushed();
  const name = received[0]?.body.metadata?.name ?? '';
  assert.match(name, /^db\.[0-9a-f]{16}$/);
  assert.deepEqual(received[1], {
    method: 'PATCH',
    path: `${events}/${name}`,
    body: { count: 2, lastTimestamp: '2026-01-01T00:17:40Z', message: 'hello' },
  });
  await recorder.stop();
});

test('E2: an event that no longer exists is created again with the count that it has reached', async (t) => {
  const { recorder, received, answer, fates } = await scene(t);
  recorder.event(vm, 'Normal', 'Started', 'hello');
  await recorder.flushed();
  answer(({ method }) => (method === 'PATCH' ? 404 : 201));
  recorder.event(vm, 'Normal', 'Started', 'hello');
  await recorder.flushed();
  assert.deepEqual(
    received.map(({ method, body }) => [method, body.count]),
    [
      ['POST', 1],
      ['PATCH', 2],
      ['POST', 2],
    ],
  );
  assert.deepEqual(await fates(), { sent: 2 });
});

test('E2: an event that the server refuses is dropped, and the next one is sent', async (t) => {
  const { recorder, received, answer, fates, clock } = await scene(t);
  answer(({ body }) => (body.message === 'bad' ? 403 : 201));
  recorder.event(vm, 'Normal', 'Started', 'bad');
  recorder.event(vm, 'Normal', 'Started', 'good');
  await recorder.flushed();
  assert.deepEqual(
    received.map(({ body }) => body.message),
    ['bad', 'good'],
  );
  assert.deepEqual(await fates(), { refused: 1, sent: 1 });
  assert.equal(clock.timers, 0);
});

test('E2: while the server cannot be reached an event is tried 12 times, 10 s apart, the first pause a random one', async (t) => {
  const { recorder, received, answer, fates, clock } = await scene(t, { random: () => 0.25 });
  answer(() => 'reset');
  recorder.event(vm, 'Normal', 'Started', 'hello');
  const pauses: number[] = [];
  for (let tried = 1; tried < 12; tried++) {
    await until(`try ${tried} failed`, () => clock.next !== undefined);
    assert.equal(received.length, tried);
    pauses.push(clock.next ?? 0);
    await clock.advance(clock.next ?? 0);
  }
  await recorder.flushed();
  assert.deepEqual(pauses, [2500, ...Array.from({ length: 10 }, () => 10_000)]);
  assert.equal(received.length, 12);
  assert.deepEqual(await fates(), { dropped: 1 });
});

test('E2: an event whose answer was lost is not written twice', async (t) => {
  const { recorder, received, answer, fates, clock } = await scene(t);
  answer(() => (received.length === 1 ? 'reset' : 409));
  recorder.event(vm, 'Normal', 'Started', 'hello');
  await until('the first try failed', () => clock.next !== undefined);
  await clock.advance(10_000);
  await recorder.flushed();
  assert.equal(received[0]?.body.metadata?.name, received[1]?.body.metadata?.name);
  assert.deepEqual(await fates(), { sent: 1 });
});

test('E2: a thousand events wait, the others are dropped, and who records never waits or fails', async (t) => {
  const { recorder, received, answer, fates, clock } = await scene(t, { correlation: { burst: 1_000_000 } });
  answer(() => 'silence');
  recorder.event(vm, 'Normal', 'Started', 'the one that is on its way');
  await until('it is on its way', () => received.length === 1);
  for (let n = 0; n < 1100; n++) recorder.event(vm, 'Normal', 'Started', 'hello');
  recorder.event({ metadata: { name: 'db' } }, 'Normal', 'Started', 'about an object without a kind');
  assert.deepEqual(await fates(), { dropped: 101 });
  const stopped = recorder.stop(5000);
  await clock.advance(5000);
  await stopped;
  assert.deepEqual(await fates(), { dropped: 1102 });
});

test('E2: dropped events are logged once in a minute, with their number', async (t) => {
  const lines: { readonly dropped?: number }[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line) as { dropped?: number }) });
  const { recorder, received, answer, clock } = await scene(t, { log, queueLength: 1 });
  answer(() => 'silence');
  recorder.event(vm, 'Normal', 'Started', 'the one that is on its way');
  await until('it is on its way', () => received.length === 1);
  for (let n = 0; n < 100; n++) recorder.event(vm, 'Normal', 'Started', 'hello');
  assert.deepEqual(
    lines.map(({ dropped }) => dropped),
    [1],
  );
  await clock.advance(60_000);
  for (let n = 0; n < 10; n++) recorder.event(vm, 'Normal', 'Started', 'hello');
  assert.deepEqual(
    lines.map(({ dropped }) => dropped),
    [1, 99],
  );
  const stopped = recorder.stop(0);
  await clock.advance(0);
  await stopped;
});

test('E2: a recorder that stops tries once what waits, within its deadline, and takes no more', async (t) => {
  const { recorder, received, answer, fates, clock } = await scene(t);
  answer(() => 'reset');
  recorder.event(vm, 'Normal', 'Started', 'one');
  await until('the first try failed', () => clock.next !== undefined);
  recorder.event(vm, 'Normal', 'Started', 'two');
  await recorder.stop(5000);
  recorder.event(vm, 'Normal', 'Started', 'three');
  await recorder.flushed();
  assert.deepEqual(
    received.map(({ body }) => body.message),
    ['one', 'one', 'two'],
  );
  assert.deepEqual(await fates(), { dropped: 3 });
  assert.equal(clock.timers, 0);
});

test('E1: combined events are counted as such', async (t) => {
  const { recorder, received, fates } = await scene(t);
  for (let n = 1; n <= 12; n++) recorder.event(vm, 'Warning', 'Failed', `try ${n}`);
  await recorder.flushed();
  assert.equal(received.at(-1)?.body.message, '(combined from similar events): try 12');
  assert.deepEqual(await fates(), { sent: 9, aggregated: 3 });
});
