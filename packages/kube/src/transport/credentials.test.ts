import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { swappable } from '../client/swappable.ts';
import { createClient } from '../client/create.ts';
import { KubeError } from '../errors.ts';
import type { Received } from '../../../../test/runtime/scripted-server.ts';
import type { ServerResponse } from 'node:http';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };

/** A server that accepts only one token. */
function guarded({ headers, url }: Received, response: ServerResponse): void {
  if (headers.authorization !== 'Bearer good')
    sendJson(response, 401, { kind: 'Status', reason: 'Unauthorized', message: 'who are you?', code: 401 });
  else if (url.includes('watch=true')) response.end(`${JSON.stringify({ type: 'ADDED', object })}\n`);
  else sendJson(response, 200, object);
}

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

test('token rotation: a refused token is renewed, and the request sent again', async (context) => {
  const { server, source, client } = await scriptedScene(context, guarded);
  source.connection = server.connection(bearer('old'));
  source.fresh = server.connection(bearer('good'));
  assert.deepEqual(await client.create(configMaps, object), object);
  assert.equal(server.requests.length, 2);
  assert.equal(server.requests[0]?.body, server.requests[1]?.body);
});

test('token rotation: a refused watch is opened with the new token', async (context) => {
  const { server, source, client } = await scriptedScene(context, guarded);
  source.connection = server.connection(bearer('old'));
  source.fresh = server.connection(bearer('good'));
  const stream = await client.watch(configMaps, {});
  for await (const batch of stream) assert.deepEqual(batch, [{ type: 'ADDED', object }]);
  assert.equal(server.requests.length, 2);
});

test('T5: a token that stays refused is renewed once, and the refusal is returned', async (context) => {
  const { server, source, client } = await scriptedScene(context, guarded);
  source.connection = server.connection(bearer('old'));
  source.fresh = server.connection(bearer('older'));
  await assert.rejects(client.get(configMaps, key), { kind: 'Unauthorized', code: 401 });
  assert.equal(server.requests.length, 2);
  assert.equal(source.refusals, 1);
  await assert.rejects(client.get(configMaps, key), { kind: 'Unauthorized' });
  assert.equal(server.requests.length, 3, 'nothing fresh is to be had, so it is sent once');
});

test('T5: without credentials the error says so and keeps the cause', async (context) => {
  const { server, source, client } = await scriptedScene(context, guarded);
  source.current = () => Promise.reject(new KubeError('Credentials', 'the plugin "login" ended with 1'));
  await assert.rejects(client.get(configMaps, key), {
    kind: 'Credentials',
    message: 'cannot get configmaps "n/a" in cluster east: the plugin "login" ended with 1',
  });
  source.current = () => Promise.reject(new Error('the secret text of something unforeseen'));
  await assert.rejects(client.watch(configMaps, {}), {
    kind: 'Credentials',
    message: 'cannot watch configmaps in cluster east: cannot get the credentials',
  });
  assert.equal(server.requests.length, 0);
});

test('token rotation: a replaced source is used from the next request on, and for the one that is refused now', async (context) => {
  const { server, source: old } = await scriptedScene(context, guarded);
  old.connection = server.connection(bearer('old'));
  const source = swappable(old);
  const client = createClient({ cluster: 'east', source, userAgent: 'test' });
  context.after(() => client.close());
  await assert.rejects(client.get(configMaps, key), { kind: 'Unauthorized' });
  assert.equal(old.refusals, 1);

  const refused = await source.current();
  const next = { current: () => Promise.resolve(server.connection(bearer('good'))), refused: old.refused.bind(old) };
  source.replace(next);
  assert.equal(await source.refused(refused), true, 'the new source has not been tried');
  assert.equal(old.refusals, 1);
  assert.deepEqual(await client.get(configMaps, key), object);
});
