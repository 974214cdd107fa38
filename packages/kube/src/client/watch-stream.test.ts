import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { configMaps, scriptedScene, type ScriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import { KubeError } from '../errors.ts';
import { FakeClock } from '../fake-clock.ts';
import { Deadline } from '../transport/deadline.ts';
import type { WatchStream } from './client.ts';
import { watchStream } from './watch-stream.ts';

function eventLine(name: string, data: Record<string, string> = {}): string {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n' }, data };
  return `${JSON.stringify({ type: 'ADDED', object })}\n`;
}

interface Watching extends ScriptedScene {
  readonly response: ServerResponse;
  readonly stream: WatchStream;
}

/** A watch with response headers, and the response for the test to continue. */
async function watching(context: TestContext): Promise<Watching> {
  let response: ServerResponse | undefined;
  const scene = await scriptedScene(context, (_request, answer) => {
    response = answer;
    answer.writeHead(200, { 'content-type': 'application/json;stream=watch' }).flushHeaders();
  });
  const stream = (await scene.client.watch(configMaps, {})) as WatchStream;
  return { ...scene, stream, response: response ?? assert.fail('no request came') };
}

interface Read {
  readonly names: string[];
  readonly batches: number[];
  readonly end: Promise<unknown>;
}

/** Reads to the end; resolves to the error, or to undefined without one. */
function read(stream: WatchStream): Read {
  const names: string[] = [];
  const batches: number[] = [];
  const loop = async (): Promise<undefined> => {
    for await (const batch of stream) {
      batches.push(batch.length);
      names.push(...batch.map(({ object }) => object.metadata.name ?? ''));
    }
  };
  return { names, batches, end: loop().catch((error: unknown) => error) };
}

test('T6: every event arrives, byte by byte too, inside of characters', async (context) => {
  const { response, stream } = await watching(context);
  const reading = read(stream);
  const bytes = Buffer.from(eventLine('größe-字-🙂') + eventLine('b'));
  for (const byte of bytes) {
    response.write(Buffer.of(byte));
    await new Promise((wake) => setImmediate(wake));
  }
  response.end();
  assert.equal(await reading.end, undefined);
  assert.deepEqual(reading.names, ['größe-字-🙂', 'b']);
});

test('T6: a line of several megabytes is one event', async (context) => {
  const { response, stream } = await watching(context);
  const big = 'ü'.repeat(2 * 1024 * 1024);
  response.end(eventLine('big', { big }) + eventLine('small'));
  let size = 0;
  const names: (string | undefined)[] = [];
  for await (const batch of stream)
    for (const { object } of batch) {
      names.push(object.metadata.name);
      size = Math.max(size, JSON.stringify(object).length);
    }
  assert.deepEqual(names, ['big', 'small']);
  assert.ok(size > big.length);
});

/** Lines for many turns of the event loop, all available at once: only the reader itself can yield between them. */
function flood(lines: number): WatchStream {
  const body = Readable.from([Buffer.from(eventLine('x', { text: 'y'.repeat(1000) }).repeat(lines))]);
  return watchStream({ headers: {}, body, prefix: 'cannot watch', deadline: new Deadline(new FakeClock(), 1000) });
}

test('T6: a flood of events comes in small batches, and others have their turn between them', async () => {
  let turns = 0;
  let ticking = setImmediate(tick);
  function tick(): void {
    turns++;
    ticking = setImmediate(tick);
  }
  const { names, batches, end } = read(flood(2000));
  assert.equal(await end, undefined);
  clearImmediate(ticking);
  assert.equal(names.length, 2000);
  assert.ok(Math.max(...batches) <= 64, `a batch had ${Math.max(...batches)} events`);
  assert.ok(turns >= batches.length - 1, `there were ${batches.length} batches, and others had ${turns} turns`);
});

test('T6: nothing comes after close(), even what is there already', async () => {
  const stream = flood(2000);
  let batches = 0;
  for await (const batch of stream) {
    assert.ok(batch.length > 0);
    batches++;
    stream.close();
  }
  assert.equal(batches, 1);
});

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

test('T6: whoever does not read holds the server up, not the memory', async (context) => {
  const { response, stream } = await watching(context);
  const line = eventLine('x', { text: 'y'.repeat(10_000) });
  let written = 0;
  const total = 5000;
  void (async () => {
    for (; written < total; written++) if (!response.write(line)) await drained(response);
    response.end();
  })();
  const iterator = stream[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).done, false);
  let before = -1;
  await until(
    'the server is held up',
    () => {
      const same = before === written;
      before = written;
      return same;
    },
    { everyMs: 100 },
  );
  assert.ok(written < total / 2, `${written} of ${total} lines were taken`);
  let rest = 0;
  for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) rest += step.value.length;
  assert.ok(rest > 0 && written === total, 'and goes on when he does');
});

test('T7: a watch that the server ends in its time ends without an error', async (context) => {
  const { response, stream } = await watching(context);
  const reading = read(stream);
  response.end(`${eventLine('a')}\n${eventLine('b')}`);
  assert.equal(await reading.end, undefined);
  assert.deepEqual(reading.names, ['a', 'b']);
});

test('T7: a watch says how long it may last, and asks for what it wants', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => void response.end());
  const stream = await client.watch(configMaps, {
    namespace: 'n',
    labelSelector: 'a in (b, c)',
    fieldSelector: 'metadata.name=x',
    resourceVersion: '17',
    resourceVersionMatch: 'NotOlderThan',
    sendInitialEvents: true,
    allowWatchBookmarks: true,
    timeoutSeconds: 420,
    metadataOnly: true,
  });
  stream.close();
  const { url = '', headers } = server.requests[0] ?? {};
  const { pathname, searchParams } = new URL(url, server.url);
  assert.equal(pathname, '/api/v1/namespaces/n/configmaps');
  assert.deepEqual(Object.fromEntries(searchParams), {
    watch: 'true',
    labelSelector: 'a in (b, c)',
    fieldSelector: 'metadata.name=x',
    resourceVersion: '17',
    resourceVersionMatch: 'NotOlderThan',
    sendInitialEvents: 'true',
    allowWatchBookmarks: 'true',
    timeoutSeconds: '420',
  });
  assert.equal(headers?.accept, 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json');
});

test('T6: a cut stream is Unreachable, after the events that came', async (context) => {
  const { server, response, stream } = await watching(context);
  const reading = read(stream);
  response.write(`${eventLine('a')}{"type":"ADD`);
  await until('the event is there', () => reading.names.length === 1);
  server.cutAll();
  const error = await reading.end;
  assert.ok(error instanceof KubeError);
  assert.equal(error.kind, 'Unreachable');
  assert.match(error.message, /^cannot watch configmaps in cluster east: /);
});

const broken = [
  { what: 'is half', line: '{"type":"ADDED","object":{"data":{"password":"hunter2"' },
  { what: 'is no JSON', line: 'password: hunter2\n' },
  { what: 'is of no type', line: '{"type":"CHANGED","object":{"password":"hunter2"}}\n' },
  { what: 'has no object', line: '{"type":"ADDED","object":"hunter2"}\n' },
  { what: 'is null', line: 'null\n' },
];

for (const { what, line } of broken) {
  test(`T6: a line that ${what} is Malformed, after the events before it, and what it said is not told`, async (context) => {
    const { response, stream } = await watching(context);
    const reading = read(stream);
    response.end(eventLine('a') + line);
    const error = await reading.end;
    assert.ok(error instanceof KubeError);
    assert.equal(error.kind, 'Malformed');
    assert.deepEqual(reading.names, ['a']);
    assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /hunter2/);
  });
}

test('T6: an ERROR event is an event: its reader decides', async (context) => {
  const { response, stream } = await watching(context);
  const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
  response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  for await (const batch of stream) assert.deepEqual(batch, [{ type: 'ERROR', object: status }]);
});

test('T6: close() ends the reading and the connection', async (context) => {
  const { server, response, stream } = await watching(context);
  response.write(eventLine('x', { text: 'y'.repeat(5000) }).repeat(100));
  let batches = 0;
  for await (const batch of stream) {
    assert.ok(batch.length > 0);
    batches++;
    stream.close();
  }
  assert.equal(batches, 1);
  await until('the socket is closed', () => server.openSockets === 0);
});

test('T6: a list that the server has compressed is read', async (context) => {
  const items = Array.from({ length: 500 }, (_, index) => ({
    metadata: { name: `größe-${index}`, namespace: 'n' },
    data: { text: 'x'.repeat(500) },
  }));
  const { server, client } = await scriptedScene(context, ({ headers }, response) => {
    if (headers['accept-encoding'] !== 'gzip') return sendJson(response, 406, {});
    const body = gzipSync(JSON.stringify({ metadata: { resourceVersion: '9' }, items }));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    // In small chunks, so that chunks end inside of compressed symbols.
    for (let at = 0; at < body.length; at += 97) response.write(body.subarray(at, at + 97));
    response.end();
    return undefined;
  });
  const list = await client.list(configMaps);
  assert.deepEqual([list.items.length, list.resourceVersion], [500, '9']);
  assert.deepEqual(list.items[499], { apiVersion: 'v1', kind: 'ConfigMap', ...items[499] });
  assert.equal(server.requests.length, 1);
});

test('T6: what cannot be unpacked is Malformed', async (context) => {
  const { client } = await scriptedScene(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('no gzip');
  });
  await assert.rejects(client.list(configMaps), { kind: 'Malformed' });
});
