/** Checks the harness itself: a proxy that plays no fault would let every other case pass. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { httpClient, type HttpClient } from '../../conformance/http.ts';
import type { RuntimeCase } from '../case.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import { until } from '../until.ts';
import { widget } from '../widget.ts';

interface Scene {
  readonly harness: Harness;
  readonly proxy: FaultProxy;
  readonly http: HttpClient;
  readonly path: string;
  readonly create: (name: string) => Promise<void>;
}

async function scene(harness: Harness): Promise<Scene> {
  const proxy = await harness.newProxy();
  const credential = harness.credential(proxy);
  const http = httpClient({ url: proxy.url, ca: proxy.ca, token: credential.token });
  const namespace = await harness.namespace('proxy');
  const path = `/apis/test.ssvirt.io/v1/namespaces/${namespace}/widgets`;
  const create = async (name: string): Promise<void> => {
    const body = JSON.parse(JSON.stringify(widget(namespace, name))) as never;
    const { status } = await harness.http.send({ method: 'POST', path, body });
    assert.equal(status, 201);
  };
  return { harness, proxy, http, path, create };
}

/** Returns everything that a stream sends until it ends, and how it ended. */
function read(stream: IncomingMessage): { text: () => string; end: Promise<string> } {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const end = new Promise<string>((resolve) => {
    stream
      .once('end', () => resolve('end'))
      .once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
  });
  return { text: () => text, end };
}

const list = (path: string): { method: string; path: string } => ({ method: 'GET', path });
const watch = (path: string): { method: string; path: string } => ({ method: 'GET', path: `${path}?watch=true` });

function proxyCase(name: string, run: (scene: Scene) => Promise<void>): RuntimeCase {
  return {
    id: 'the fault proxy',
    name,
    async run(harness) {
      const place = await scene(harness);
      try {
        await run(place);
      } finally {
        place.http.close();
        await place.proxy.stop();
      }
    },
  };
}

export const proxyCases: readonly RuntimeCase[] = [
  proxyCase('passes on what it has no rule for, and counts it', async ({ proxy, http, path, create }) => {
    await create('a');
    const { status, body } = await http.send(list(path));
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), /"name":"a"/);
    assert.equal(
      proxy.count(({ verb, resource }) => verb === 'list' && resource === 'widgets'),
      1,
    );
    assert.equal(proxy.openSockets, 1);
  }),
  proxyCase('refuses connections until it accepts them again', async ({ proxy, http, path }) => {
    await proxy.refuse();
    await assert.rejects(http.send(list(path)), { code: 'ECONNREFUSED' });
    await proxy.accept();
    assert.equal((await http.send(list(path))).status, 200);
  }),
  proxyCase('resets before the headers, as often as asked', async ({ proxy, http, path }) => {
    proxy.add({ fault: { kind: 'reset' }, times: 1 });
    await assert.rejects(http.send(list(path)), { code: 'ECONNRESET' });
    assert.equal((await http.send(list(path))).status, 200);
  }),
  proxyCase('loses the answer to a write that was done', async ({ proxy, http, path, harness }) => {
    proxy.add({ fault: { kind: 'lost-answer' }, match: ({ verb }) => verb === 'create', times: 1 });
    const namespace = path.split('/')[5] ?? '';
    const body = JSON.parse(JSON.stringify(widget(namespace, 'lost'))) as never;
    await assert.rejects(http.send({ method: 'POST', path, body }), { code: 'ECONNRESET' });
    assert.equal((await harness.http.send(list(`${path}/lost`))).status, 200);
  }),
  proxyCase('answers with a status and Retry-After', async ({ proxy, http, path }) => {
    proxy.add({ fault: { kind: 'status', code: 429, retryAfterSeconds: 7 }, times: 1 });
    const { status, headers, body } = await http.send(list(path));
    assert.deepEqual([status, headers['retry-after']], [429, '7']);
    assert.match(JSON.stringify(body), /"reason":"TooManyRequests"/);
  }),
  proxyCase('cuts an answer in its middle, by a reset or politely', async ({ proxy, http, path, create }) => {
    await create('a');
    proxy.add({ fault: { kind: 'reset-in-line' }, times: 1 });
    await assert.rejects(http.send(list(path)), { code: 'ECONNRESET' });
    proxy.add({ fault: { kind: 'truncate' }, times: 1 });
    const { body } = await http.send(list(path));
    assert.ok(typeof body === 'string' && body.startsWith('{'), 'half an object is no JSON');
  }),
  proxyCase('strikes a stream that is open, within a line', async ({ proxy, http, path, create }) => {
    for (const [kind, ending] of [
      ['reset-in-line', 'ECONNRESET'],
      ['truncate', 'end'],
    ] as const) {
      const { text, end } = read(await http.open(watch(path)));
      assert.equal(proxy.strike({ kind, afterLines: 1 }), 1);
      await create(`${kind}-1`);
      await create(`${kind}-2`);
      assert.equal(await end, ending);
      await until('the stream is closed', () => proxy.openStreams() === 0);
      const last = text().split('\n').at(-1) ?? '';
      assert.throws(() => JSON.parse(last), SyntaxError, 'the last line is half');
    }
  }),
  proxyCase('says 410 in a stream', async ({ proxy, http, path }) => {
    const { text, end } = read(await http.open(watch(path)));
    proxy.strike({ kind: 'error-event', code: 410 });
    assert.equal(await end, 'end');
    assert.match(text(), /"type":"ERROR".*"code":410/);
  }),
  proxyCase('lets a stream fall silent, and keeps it open', async ({ proxy, http, path, create }) => {
    const { text } = read(await http.open(watch(path)));
    await create('a');
    await until('the first event is there', () => text().includes('"name":"a"'));
    proxy.strike({ kind: 'silence-in-stream' });
    await create('b');
    const loud = read(await http.open(watch(path)));
    await until('another stream has the second', () => loud.text().includes('"name":"b"'));
    assert.ok(!text().includes('"name":"b"'));
    assert.equal(proxy.openStreams(), 2);
  }),
  proxyCase('answers a list, and initial events, as they once were', async ({ proxy, http, path, create }) => {
    await create('old');
    const snapshot = await proxy.snapshot(path);
    await create('new');
    proxy.add({ fault: { kind: 'stale', snapshot }, times: 2 });
    const { body } = await http.send(list(path));
    assert.doesNotMatch(JSON.stringify(body), /"name":"new"/);
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { text } = read(await http.open(list(`${path}?${query}`)));
    await until('it has caught up', () => text().includes('"name":"new"'));
    const types = text()
      .split('\n')
      .slice(0, 3)
      .map((line) => (JSON.parse(line) as { type: string }).type);
    assert.deepEqual(types, ['ADDED', 'BOOKMARK', 'ADDED']);
  }),
  proxyCase('lets a token expire', async ({ harness, proxy, path }) => {
    const credential = harness.credential(proxy);
    const http = httpClient({ url: proxy.url, ca: proxy.ca, token: credential.token });
    assert.equal((await http.send(list(path))).status, 200);
    proxy.expireToken(credential.token);
    assert.equal((await http.send(list(path))).status, 401);
    http.close();
  }),
  proxyCase('shows a new authority to new connections', async ({ proxy, path }) => {
    const old = proxy.ca;
    await proxy.rotateAuthority();
    const token = proxy.issueToken();
    const distrustful = httpClient({ url: proxy.url, ca: old, token });
    await assert.rejects(distrustful.send(list(path)), { code: /CERT|VERIFY|SIGNATURE/ });
    const trusting = httpClient({ url: proxy.url, ca: proxy.ca, token });
    assert.equal((await trusting.send(list(path))).status, 200);
    distrustful.close();
    trusting.close();
  }),
  proxyCase('delivers every byte in pieces of any size', async ({ proxy, http, path, create }) => {
    await create('a');
    await create('b');
    const whole = await http.send(list(path));
    proxy.add({ fault: { kind: 'split', random: () => 0.1 }, times: 1 });
    assert.deepEqual((await http.send(list(path))).body, whole.body);
  }),
  proxyCase('sees the server die and come back', async ({ harness, http, path, create }) => {
    await create('a');
    const { end } = read(await http.open(watch(path)));
    await harness.cluster.kill();
    assert.equal(await end, 'ECONNRESET');
    await assert.rejects(http.send(list(path)));
    await harness.cluster.restart();
    // A real server is ready before it serves custom resources, and answers 429 for them for a while.
    await until('widgets are served', async () => (await http.send(list(path))).status === 200);
    assert.match(JSON.stringify((await http.send(list(path))).body), /"name":"a"/);
  }),
];
