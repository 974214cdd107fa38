import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { createAuthority } from '@ssvirt/base/tls/authority';
import { isObject, type JsonObject } from '../../values/json.ts';
import { answerJson, type Asked, type ExtensionServer } from './testdata/extension-server.ts';
import {
  API_SERVICES,
  apiService,
  available,
  eventually,
  extensionFor,
  externalName,
  GROUP,
  RESOURCES,
  type Sandbox,
  startSandbox,
  textOf,
} from './testdata/sandbox.ts';

const ROOT = `/apis/${GROUP}/v1`;
const THINGS = `${ROOT}/namespaces/x/things`;
const AGGREGATED = { Accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

let sandbox: Sandbox;
let extension: ExtensionServer;

before(async () => {
  sandbox = await startSandbox();
  extension = await extensionFor(sandbox);
  extension.answers.set(ROOT, answerJson(RESOURCES));
  await sandbox.call('POST', '/api/v1/namespaces/default/services', externalName('ext'));
  await sandbox.call('POST', API_SERVICES, apiService(sandbox, extension.port));
  await becomes('True');
});

beforeEach(() => (extension.asked.length = 0));

after(async () => {
  await extension.close();
  await sandbox.stop();
  assert.deepEqual(sandbox.defects, []);
});

function becomes(status: string): Promise<JsonObject | undefined> {
  return eventually(
    `Available=${status}`,
    () => available(sandbox),
    (condition) => condition?.['status'] === status,
  );
}

async function discovered(): Promise<JsonObject | undefined> {
  const { items } = JSON.parse((await sandbox.call('GET', '/apis', undefined, AGGREGATED)).body) as {
    items: JsonObject[];
  };
  return items.find(({ metadata }) => isObject(metadata) && metadata['name'] === GROUP);
}

/** Skips the requests that the aggregator itself sends. */
function clientsRequest(): Asked | undefined {
  return extension.asked.find(({ headers }) => headers['x-remote-user'] === 'kubernetes-admin');
}

async function restartExtension(port: number): Promise<void> {
  const { answers } = extension;
  extension = await extensionFor(sandbox, { port });
  for (const [path, answer] of answers) extension.answers.set(path, answer);
}

test('the extension server sees the request as the client sent it, less the hop, plus who the client is', async () => {
  extension.answers.set(THINGS, (request, response) => {
    request
      .resume()
      .on('end', () =>
        response
          .writeHead(201, { 'Content-Type': 'application/json', 'X-Ext': '1', 'Access-Control-Allow-Origin': '*' })
          .end('{"a":1}'),
      );
  });
  const answer = await sandbox.call(
    'POST',
    `${THINGS}/a%2Fb!?z=1&a=b%20c&a=1`,
    { hello: 1 },
    {
      'X-Remote-User': 'evil',
      'X-Remote-Group': 'evil',
      'X-Remote-Extra-Foo': 'evil',
      'X-Forwarded-For': '192.0.2.1',
      Connection: 'keep-alive, X-Drop',
      'X-Drop': '1',
      'X-Kept': ['1', '2'],
    },
  );
  assert.equal(answer.code, 201);
  assert.equal(answer.body, '{"a":1}');
  assert.equal(answer.headers['x-ext'], '1');
  assert.equal(answer.headers['access-control-allow-origin'], undefined);
  assert.equal(answer.headers['cache-control'], 'no-cache, private');
  const seen = clientsRequest();
  assert.ok(seen);
  const { 'audit-id': auditId, connection: _connection, ...headers } = seen.headers;
  assert.equal(auditId, answer.headers['audit-id']);
  assert.deepEqual(
    { method: seen.method, url: seen.url, client: seen.client, body: seen.body, headers },
    {
      method: 'POST',
      url: `${THINGS}/a/b%21?a=b+c&a=1&z=1`,
      client: 'front-proxy-client',
      body: '{"hello":1}',
      headers: {
        host: `localhost:${extension.port}`,
        'content-type': 'application/json',
        'content-length': '11',
        'x-kept': '1, 2',
        'x-forwarded-for': '192.0.2.1, 127.0.0.1',
        'x-forwarded-host': `localhost:${extension.port}`,
        'x-forwarded-proto': 'https',
        'x-forwarded-uri': `${THINGS}/a/b%21`,
        'x-remote-user': 'kubernetes-admin',
        'x-remote-uid': 'kubernetes-admin',
        'x-remote-group': 'system:masters, system:authenticated',
      },
    },
  );
});

test('the list of resources comes from the extension server itself', async () => {
  assert.deepEqual(await sandbox.get(ROOT), RESOURCES);
  assert.equal(clientsRequest()?.url, ROOT);
});

test('a body without a length goes on in chunks, also with DELETE', async () => {
  extension.answers.set(
    THINGS,
    (request, response, asked) => void request.resume().on('end', () => response.end(asked.body)),
  );
  const answer = await sandbox.call('DELETE', THINGS, { kind: 'DeleteOptions' }, { 'Transfer-Encoding': 'chunked' });
  assert.equal(answer.body, '{"kind":"DeleteOptions"}');
});

test('a watch delivers its headers and each event when the extension server sends them', async () => {
  let watch: ServerResponse | undefined;
  extension.answers.set(THINGS, (_request, response) => {
    watch = response;
    response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders();
  });
  const answer = await sandbox.open(`${THINGS}?watch=true`);
  assert.equal(answer.statusCode, 200);
  const received = answer[Symbol.asyncIterator]();
  for (const event of ['{"type":"ADDED"}\n', '{"type":"MODIFIED"}\n']) {
    watch?.write(event);
    assert.equal(String((await received.next()).value), event);
  }
  watch?.end();
  assert.equal((await received.next()).done, true);
});

test('a client that goes away takes its request to the extension server along', async () => {
  const closed = new Promise<void>((resolve) => {
    extension.answers.set(THINGS, (_request, response) => {
      response.on('close', resolve);
      response.writeHead(200).flushHeaders();
    });
  });
  const answer = await sandbox.open(`${THINGS}?watch=true`);
  answer.on('error', () => {});
  answer.destroy();
  await closed;
});

test('an extension server that breaks off in the middle of an answer breaks the answer off', async () => {
  extension.answers.set(THINGS, (request, response) => {
    response.writeHead(200);
    response.write('half', () => request.socket.destroy());
  });
  const answer = await sandbox.open(THINGS);
  await assert.rejects(textOf(answer), { code: 'ECONNRESET' });
});

test('a client that reads nothing holds the extension server up', async () => {
  const total = 256;
  const chunk = Buffer.alloc(1 << 20);
  let sent = 0;
  extension.answers.set(THINGS, (_request, response) => {
    const more = (): void => {
      while (sent++ < total) {
        if (response.write(chunk)) continue;
        response.once('drain', more);
        return;
      }
      response.end();
    };
    more();
  });
  const answer = await sandbox.open(THINGS);
  let before: number;
  // Other requests run meanwhile: when many of them did not advance the stream, it is blocked.
  do {
    before = sent;
    for (let i = 0; i < 50; i++) await sandbox.call('GET', '/healthz');
  } while (sent !== before);
  assert.ok(sent > 0 && sent < total, `${sent} of ${total} MiB were taken`);
  answer.on('error', () => {});
  answer.destroy();
});

test('an answer ahead of the end of the body leaves the connection good', async () => {
  extension.answers.set(THINGS, (_request, response) => void response.writeHead(413).end('enough'));
  const answer = await sandbox.call('POST', THINGS, { text: 'x'.repeat(4 << 20) });
  assert.deepEqual([answer.code, answer.body], [413, 'enough']);
  assert.equal((await sandbox.call('GET', '/healthz')).body, 'ok');
});

test('an extension server may not send clients elsewhere', async () => {
  extension.answers.set(THINGS, (_request, response) => void response.writeHead(302, { Location: '/elsewhere' }).end());
  const answer = await sandbox.call('GET', THINGS);
  assert.equal(answer.code, 502);
  assert.equal(answer.body, 'the backend attempted to redirect this request, which is not permitted');
});

test('a connection that is cut before the answer is a 503 in plain text', async () => {
  extension.answers.set(THINGS, (request) => request.socket.destroy());
  const answer = await sandbox.call('GET', THINGS);
  assert.deepEqual(
    [answer.code, answer.headers['content-type'], answer.body],
    [503, 'text/plain; charset=utf-8', 'error trying to reach service: EOF\n'],
  );
});

test('an upgraded connection carries bytes both ways, the first ones too, and ends on both sides', async () => {
  let ended: (() => void) | undefined;
  const over = new Promise<void>((resolve) => (ended = resolve));
  extension.onUpgrade = (_request, socket, head) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Ext: 1\r\n\r\nhello ${head.toString()}`,
    );
    socket.pipe(socket);
    socket.on('close', () => ended?.());
  };
  const { answer, socket, head } = await sandbox.upgrade(`${THINGS}/a/vnc?b=1&a=2`, 'early');
  assert.equal(answer.statusCode, 101);
  assert.equal(answer.headers['x-ext'], '1');
  assert.ok(socket);
  let received = head;
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await eventually(
    'the early bytes',
    () => received,
    (text) => text.includes('hello ') && text.includes('early'),
  );
  socket.write('ping');
  await eventually(
    'the echo',
    () => received,
    (text) => text.endsWith('ping'),
  );
  const seen = clientsRequest();
  assert.equal(seen?.url, `${THINGS}/a/vnc?a=2&b=1`);
  assert.equal(seen?.headers['sec-websocket-protocol'], 'plain.kubevirt.io');
  assert.equal(seen?.headers['x-remote-user'], 'kubernetes-admin');
  assert.equal(seen?.headers.authorization, undefined);
  socket.end();
  await over;
});

test('an upgrade of what no extension server serves is refused in words, as for kubectl exec', async () => {
  const { answer, head } = await sandbox.upgrade('/api/v1/namespaces/default/pods/a/exec?command=ls');
  const { message, code } = JSON.parse(head) as { message?: string; code?: number };
  assert.deepEqual([answer.statusCode, code, message], [404, 404, 'the server could not find the requested resource']);
});

test('a refused upgrade is worded by the extension server, and an answer that is neither is not believed', async () => {
  extension.onUpgrade = (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nnope');
  const refused = await sandbox.upgrade(`${THINGS}/a/vnc`);
  assert.deepEqual([refused.answer.statusCode, refused.head], [403, 'nope']);
  extension.onUpgrade = (_request, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  const ignored = await sandbox.upgrade(`${THINGS}/a/vnc`);
  assert.deepEqual([ignored.answer.statusCode, ignored.head], [503, 'invalid upgrade response: status code 200\n']);
});

test('OpenAPI documents of the extension server are in the index and come from it', async () => {
  const url = `/openapi/v3${ROOT}?hash=ABC`;
  extension.answers.set(
    '/openapi/v3',
    answerJson({
      paths: { [ROOT.slice(1)]: { serverRelativeURL: url }, version: { serverRelativeURL: '/openapi/v3/version' } },
    }),
  );
  extension.answers.set(`/openapi/v3${ROOT}`, answerJson({ openapi: '3.0.0' }));
  await sandbox.call('PATCH', `${API_SERVICES}/v1.${GROUP}`, { metadata: { labels: { looked: 'again' } } });
  const paths = async (): Promise<JsonObject> => (await sandbox.get('/openapi/v3'))['paths'] as JsonObject;
  const listed = await eventually('the path in the index', paths, (found) => found[ROOT.slice(1)] !== undefined);
  assert.deepEqual(listed[ROOT.slice(1)], { serverRelativeURL: url });
  assert.equal(listed['version'], undefined);
  assert.deepEqual(await sandbox.get(url), { openapi: '3.0.0' });
});

test('a server that is down is first a 503 with the reason, then an unavailable APIService, and comes back', async () => {
  const { port } = extension;
  await extension.close();
  const refused = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  assert.equal((await sandbox.call('GET', THINGS)).body, `error trying to reach service: ${refused}\n`);
  const console = await sandbox.upgrade(`${THINGS}/a/vnc`);
  assert.deepEqual([console.answer.statusCode, console.head], [503, `error dialing backend: ${refused}\n`]);

  await sandbox.call('PATCH', `${API_SERVICES}/v1.${GROUP}`, { metadata: { labels: { looked: 'later' } } });
  const { lastTransitionTime: _time, ...condition } = (await becomes('False')) ?? {};
  const url = `https://localhost:${port}${ROOT}`;
  assert.deepEqual(condition, {
    type: 'Available',
    status: 'False',
    reason: 'FailedDiscoveryCheck',
    message: `failing or missing response from ${url}: Get "${url}": ${refused}`,
  });
  for (const path of [THINGS, ROOT])
    assert.deepEqual(await sandbox.call('GET', path).then(({ code, body }) => [code, body]), [
      503,
      'service unavailable\n',
    ]);
  assert.deepEqual(await discovered(), {
    metadata: { name: GROUP },
    versions: [{ version: 'v1', freshness: 'Stale' }],
  });
  const { groups } = (await sandbox.get('/apis')) as unknown as { groups: JsonObject[] };
  assert.ok(
    groups.some(({ name }) => name === GROUP),
    'the group stays in /apis',
  );

  await restartExtension(port);
  await becomes('True');
  const things = {
    resource: 'things',
    responseKind: { group: '', version: '', kind: 'Thing' },
    scope: 'Namespaced',
    singularResource: 'thing',
    verbs: ['get', 'list'],
    subresources: [{ subresource: 'console', responseKind: { group: '', version: '', kind: '' }, verbs: ['get'] }],
  };
  assert.deepEqual(await discovered(), {
    metadata: { name: GROUP },
    versions: [{ version: 'v1', resources: [things], freshness: 'Current' }],
  });
});

test('certificates are checked for the name of the Service and by the bundle, unless the APIService says otherwise', async () => {
  const reads = (spec: JsonObject): Promise<unknown> => sandbox.call('PATCH', `${API_SERVICES}/v1.${GROUP}`, { spec });
  const says = (text: string): Promise<unknown> =>
    eventually(
      text,
      () => available(sandbox),
      (condition) => String(condition?.['message']).endsWith(text),
    );
  const stranger = await createAuthority('stranger');
  await reads({ caBundle: Buffer.from(stranger.certificate).toString('base64') });
  await says('tls: failed to verify certificate: x509: certificate signed by unknown authority');
  await reads({ caBundle: null, insecureSkipTLSVerify: true });
  await becomes('True');
  await sandbox.call('POST', '/api/v1/namespaces/default/services', externalName('other'));
  await reads({
    ...(apiService(sandbox, extension.port)['spec'] as JsonObject),
    insecureSkipTLSVerify: null,
    service: { name: 'other' },
  });
  await says(
    'tls: failed to verify certificate: x509: certificate is valid for ext.default.svc, not other.default.svc',
  );
  await reads({ service: { name: 'ext' } });
  await becomes('True');
});

test('a deleted APIService is gone from discovery and from the paths', async () => {
  await sandbox.call('DELETE', `${API_SERVICES}/v1.${GROUP}`);
  assert.equal(await discovered(), undefined);
  assert.equal((await sandbox.call('GET', ROOT)).code, 404);
});
