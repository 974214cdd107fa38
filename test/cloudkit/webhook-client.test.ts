import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import {
  WebhookClient,
  type WebhookSettings,
} from '../../packages/ssvirt/src/controllers/cloudkit/aap/webhook-client.ts';
import { WebhookError, type WebhookFailure } from '../../packages/ssvirt/src/controllers/cloudkit/aap/webhook-error.ts';

const silent = pino({ level: 'silent' });
const password = 'pass-of-the-url';
const token = 'token-of-the-file';
const body = JSON.stringify({ spec: { templateParameters: 'text-of-cloud-init' } });

async function listen(t: TestContext, server: Server & { closeAllConnections?: () => void }): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A URL with every possible part. */
function urlAt(port: number, scheme = 'http'): URL {
  return new URL(`${scheme}://aap:${password}@127.0.0.1:${port}/create-vm?secret=${password}`);
}

async function aapThat(t: TestContext, answers: RequestListener): Promise<URL> {
  return urlAt(await listen(t, createServer(answers)));
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function clientOf(t: TestContext, settings: Partial<WebhookSettings> = {}): WebhookClient {
  const client = new WebhookClient({ timeoutMs: 5000, ...settings }, silent);
  t.after(() => client.close());
  return client;
}

async function failureOf(post: Promise<void>): Promise<WebhookError> {
  const error: unknown = await post.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WebhookError, `no WebhookError but ${String(error)}`);
  const all = `${error.message} ${error.stack ?? ''} ${JSON.stringify(error)}`;
  for (const secret of [password, token, 'text-of-cloud-init', Buffer.from(`aap:${password}`).toString('base64')])
    assert.ok(!all.includes(secret), `the error holds a secret: ${error.message}`);
  return error;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

test('webhook: an order arrives with its headers, and 2xx accepts it', async (t) => {
  const seen: { headers: IncomingMessage['headers']; url: string | undefined; text: string }[] = [];
  const url = await aapThat(t, (request, response) => {
    void read(request).then((text) => {
      seen.push({ headers: request.headers, url: request.url, text });
      return response.writeHead(202).end('{"taken":true}');
    });
  });
  await clientOf(t).post(url, body, { 'idempotency-key': 'k-1' });
  const [call] = seen;
  assert.equal(seen.length, 1);
  assert.equal(call?.text, body);
  assert.equal(call?.url, `/create-vm?secret=${password}`);
  assert.equal(call?.headers['content-type'], 'application/json');
  assert.equal(call?.headers['idempotency-key'], 'k-1');
  assert.equal(call?.headers.authorization, `Basic ${Buffer.from(`aap:${password}`).toString('base64')}`);
});

const answers: readonly { reason: string; status: number; kind: WebhookFailure; words: RegExp }[] = [
  { reason: 'a failure of AAP', status: 500, kind: 'ServerError', words: /answers 500/ },
  { reason: 'AAP that is overloaded', status: 503, kind: 'ServerError', words: /answers 503/ },
  { reason: 'a redirect', status: 302, kind: 'Redirected', words: /redirects are not followed/ },
  { reason: 'a refusal', status: 404, kind: 'Refused', words: /answers 404/ },
  { reason: 'credentials that are not known', status: 401, kind: 'Credentials', words: /cloudkit\.aap\.tokenFile/ },
  { reason: 'credentials that do not suffice', status: 403, kind: 'Credentials', words: /cloudkit\.aap\.tokenFile/ },
];
for (const { reason, status, kind, words } of answers)
  test(`webhook: ${reason} (${status}) is a failure of kind ${kind}, and is asked once`, async (t) => {
    let calls = 0;
    const url = await aapThat(t, (request, response) => {
      calls++;
      request.resume();
      response.writeHead(status, { location: '/elsewhere' }).end(`${password} ${token}`);
    });
    const error = await failureOf(clientOf(t).post(url, body, {}));
    assert.equal(error.kind, kind);
    assert.match(error.message, words);
    assert.match(error.message, /http:\/\/127\.0\.0\.1:\d+\/create-vm/);
    assert.equal(calls, 1);
  });

test('webhook: the reason that AAP gives is reported, without credentials and without any other body', async (t) => {
  const bodies = [
    JSON.stringify({ detail: `the job template\nis disabled for ${password}`, request: body }),
    JSON.stringify({ request: body }),
    body,
  ];
  const url = await aapThat(t, (request, response) => {
    request.resume();
    response.writeHead(400).end(bodies.shift());
  });
  const client = clientOf(t);
  const { message } = await failureOf(client.post(url, body, {}));
  assert.match(message, /answers 400 \("the job template is disabled for \(hidden\)"\)$/);
  for (const _ of [1, 2]) assert.match((await failureOf(client.post(url, body, {}))).message, /answers 400$/);
});

test('webhook: an AAP that does not answer in time is given up', async (t) => {
  const url = await aapThat(t, (request) => void request.resume());
  const error = await failureOf(clientOf(t, { timeoutMs: 100 }).post(url, body, {}));
  assert.equal(error.kind, 'Timeout');
  assert.match(error.message, /within 100 ms/);
});

test('webhook: the caller may give up, and so may the client that is closed', async (t) => {
  const url = await aapThat(t, (request) => void request.resume());
  const given = await failureOf(clientOf(t).post(url, body, {}, AbortSignal.timeout(50)));
  assert.equal(given.kind, 'Aborted');
  const client = clientOf(t);
  const waits = failureOf(client.post(url, body, {}));
  client.close();
  assert.equal((await waits).kind, 'Aborted');
});

test('webhook: without a listener, AAP is reported as unreachable', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  await new Promise((done) => server.close(done));
  const error = await failureOf(clientOf(t).post(urlAt(port), body, {}));
  assert.equal(error.kind, 'Unreachable');
  assert.match(error.message, /ECONNREFUSED/);
});

const cuts: readonly { reason: string; cut: (response: ServerResponse) => void }[] = [
  { reason: 'a connection that is reset', cut: (response) => response.socket?.resetAndDestroy() },
  { reason: 'a connection that is closed', cut: (response) => response.socket?.destroy() },
  { reason: 'half a status line', cut: (response) => response.socket?.end('HTTP/1.1 20') },
  { reason: 'what is no HTTP', cut: (response) => response.socket?.end('220 mail ready\r\n') },
];
for (const { reason, cut } of cuts)
  test(`webhook: ${reason} instead of an answer is a failure in which AAP may have taken it`, async (t) => {
    const url = await aapThat(t, (request, response) => {
      void read(request).then(() => cut(response));
    });
    const error = await failureOf(clientOf(t).post(url, body, {}));
    assert.equal(error.kind, 'Broken');
  });

const bodies: readonly { reason: string; send: (response: ServerResponse) => void }[] = [
  {
    reason: 'is cut off',
    send(response) {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setImmediate(() => response.socket?.resetAndDestroy());
    },
  },
  {
    reason: 'never ends',
    send: (response) => void response.writeHead(200).write('more'),
  },
  {
    reason: 'is larger than anybody reads',
    send(response) {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    },
  },
];
for (const { reason, send } of bodies)
  test(`webhook: an acceptance whose body ${reason} is an acceptance`, async (t) => {
    const url = await aapThat(t, (request, response) => {
      response.on('error', () => undefined);
      void read(request).then(() => send(response));
    });
    await assert.doesNotReject(clientOf(t).post(url, body, {}));
  });

test('webhook: a token wins over the URL, and a rotated one counts at once', async (t) => {
  const seen: (string | undefined)[] = [];
  const url = await aapThat(t, (request, response) => {
    seen.push(request.headers.authorization);
    request.resume();
    response.end();
  });
  const tokenFile = join(folderOf(t), 'token');
  const client = clientOf(t, { tokenFile });
  writeFileSync(tokenFile, `${token}\n`);
  await client.post(url, body, {});
  writeFileSync(tokenFile, 'another');
  await client.post(url, body, {});
  assert.deepEqual(seen, [`Bearer ${token}`, 'Bearer another']);
});

test('webhook: without its token nothing is sent', async (t) => {
  let calls = 0;
  const url = await aapThat(t, (_, response) => {
    calls++;
    response.end();
  });
  const folder = folderOf(t);
  for (const [name, text, words] of [
    ['none', undefined, /cannot be read \(ENOENT\)/],
    ['empty', ' \n', /holds no token/],
    ['two-lines', `${token}\nx-evil: 1`, /holds no token/],
  ] as const) {
    const tokenFile = join(folder, name);
    if (text !== undefined) writeFileSync(tokenFile, text);
    const error = await failureOf(clientOf(t, { tokenFile }).post(url, body, {}));
    assert.equal(error.kind, 'Settings');
    assert.match(error.message, words);
  }
  assert.equal(calls, 0);
});

test('webhook: a certificate is checked with the CA file, which counts at once when it changes', async (t) => {
  const [trusted, foreign] = await Promise.all([createAuthority('authority'), createAuthority('foreign')]);
  const pair = await trusted.issue({ commonName: 'aap', addresses: ['127.0.0.1'], server: true });
  let calls = 0;
  const server = createTlsServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    calls++;
    request.resume();
    response.end();
  });
  const url = urlAt(await listen(t, server), 'https');
  const caFile = join(folderOf(t), 'ca.pem');
  const client = clientOf(t, { caFile });

  writeFileSync(caFile, foreign.certificate);
  const error = await failureOf(client.post(url, body, {}));
  assert.equal(error.kind, 'NotTrusted');
  assert.match(error.message, /cloudkit\.aap\.caFile/);
  assert.equal((await failureOf(clientOf(t).post(url, body, {}))).kind, 'NotTrusted');
  assert.equal(calls, 0);

  writeFileSync(caFile, trusted.certificate);
  await client.post(url, body, {});
  assert.equal(calls, 1);

  writeFileSync(caFile, '-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n');
  assert.equal((await failureOf(client.post(url, body, {}))).kind, 'Settings');
});

test('webhook: a certificate for another host is not trusted, unless nothing is to be checked, which is said', async (t) => {
  const authority = await createAuthority('authority');
  const pair = await authority.issue({ commonName: 'aap', dnsNames: ['aap.example'], server: true });
  const server = createTlsServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    request.resume();
    response.end();
  });
  const url = urlAt(await listen(t, server), 'https');
  const caFile = join(folderOf(t), 'ca.pem');
  writeFileSync(caFile, authority.certificate);
  assert.equal((await failureOf(clientOf(t, { caFile }).post(url, body, {}))).kind, 'NotTrusted');

  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const careless = new WebhookClient({ timeoutMs: 5000, insecureSkipVerify: true }, log);
  t.after(() => careless.close());
  await careless.post(url, body, {});
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /insecureSkipVerify is set/);
});
