import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { warningTexts } from './warnings.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' }, data: { pin: '1234' } };
const key = { namespace: 'n', name: 'a' };

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

function logged(level: string): { readonly log: Logger; readonly lines: Line[] } {
  const lines: Line[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line);
      done();
    },
  });
  return { log: pino({ level }, sink), lines };
}

test('T8: a warning of the server is logged once, however often it comes', async (context) => {
  const { log, lines } = logged('info');
  const headers = { warning: ['299 - "v1beta1 is deprecated"', '299 - "unknown field \\"spec.x\\"", 299 - "a third"'] };
  const { client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, object, headers), {
    log,
  });
  for (let index = 0; index < 5; index++) await client.get(configMaps, key);
  assert.deepEqual(
    lines.map(({ msg, warning, cluster }) => [msg, warning, cluster]),
    ['v1beta1 is deprecated', 'unknown field "spec.x"', 'a third'].map((text) => ['API server warning', text, 'east']),
  );
});

test('T8: only warnings of code 299 have a text', () => {
  assert.deepEqual(warningTexts('199 - "x", 299 agent "y, \\\\ z" "Sat, 25 Aug 2012 23:34:45 GMT"'), ['y, \\ z']);
  assert.deepEqual(warningTexts('nonsense'), []);
});

test('T8: the User-Agent is sent, and the ids of the server stand in the debug log, but no credential and no body', async (context) => {
  const { log, lines } = logged('debug');
  const headers = {
    'audit-id': 'e5c1',
    'x-kubernetes-pf-flowschema-uid': 'fs-1',
    'x-kubernetes-pf-prioritylevel-uid': 'pl-1',
  };
  const { server, source, client } = await scriptedScene(
    context,
    (_request, response) => sendJson(response, 200, object, headers),
    { log },
  );
  source.connection = server.connection({ headers: { authorization: 'Bearer s3cr3t' } });
  await client.update(configMaps, object);
  const stream = await client.watch(configMaps, { labelSelector: 'tenant=s3cr3t' });
  stream.close();
  await server.stop();
  await assert.rejects(client.get(configMaps, key), { kind: 'Unreachable' });

  assert.equal(server.requests[0]?.headers['user-agent'], 'scripted-test/1');
  const [answered, , failed] = lines;
  assert.equal(answered?.msg, 'the API server answered');
  assert.deepEqual(
    ['method', 'path', 'code', 'auditId', 'flowSchema', 'priorityLevel'].map((field) => answered[field]),
    ['PUT', '/api/v1/namespaces/n/configmaps/a', 200, 'e5c1', 'fs-1', 'pl-1'],
  );
  assert.equal(failed?.msg, 'API server did not answer');
  assert.doesNotMatch(JSON.stringify(lines), /s3cr3t|1234/);
});

test('T8: requests are counted by code, method and host', async (context) => {
  const metrics = createMetrics(new Registry());
  const { server, client } = await scriptedScene(
    context,
    ({ method, body }, response) => {
      if (method === 'GET') sendJson(response, 404, { kind: 'Status' });
      else sendJson(response, 201, JSON.parse(body));
    },
    { metrics },
  );
  const host = new URL(server.url).host;
  await client.create(configMaps, object);
  await assert.rejects(client.get(configMaps, key), { kind: 'NotFound' });
  await server.stop();
  await assert.rejects(client.delete(configMaps, key), { kind: 'Unreachable' });
  const { values } = await metrics.rest.requests.get();
  assert.deepEqual(
    values.map(({ value, labels }) => ({ value, ...labels })),
    [
      { value: 1, code: '201', method: 'POST', host },
      { value: 1, code: '404', method: 'GET', host },
      { value: 1, code: '<error>', method: 'DELETE', host },
    ],
  );
  const text = await metrics.registry.metrics();
  const bytes = Buffer.byteLength(server.requests[0]?.body ?? '');
  assert.match(text, new RegExp(`rest_client_request_size_bytes_sum\\{verb="POST",host="${host}"\\} ${bytes}`));
  assert.match(text, /rest_client_request_duration_seconds_count\{verb="GET",host="[^"]+"\} 1/);
});
