import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { configMaps, scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../test/runtime/until.ts';
import { requestSockets } from './pools.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n' } };
const key = { namespace: 'n', name: 'a' };

test('a write that waits for a socket is looked at again when it gets one, and stays unsent where it may not go any more', async (context) => {
  const held: ServerResponse[] = [];
  const { server, client } = await scriptedScene(context, ({ method }, response) => {
    if (method === 'GET') held.push(response);
    else sendJson(response, 201, object);
  });
  const reads = Array.from({ length: requestSockets }, () => client.get(configMaps, key));
  await until('every socket is taken', () => held.length === requestSockets);
  const lost = new Error('the lease is over');
  let looks = 0;
  let isOver = false;
  const beforeSend = (): void => {
    looks++;
    if (isOver) throw lost;
  };
  const write = client.create(configMaps, object, { beforeSend });
  const refused = assert.rejects(write, (error) => error === lost);
  await until('it waits for a socket', () => looks === 1);
  isOver = true;
  for (const response of held) sendJson(response, 200, object);
  await refused;
  await Promise.all(reads);
  assert.equal(looks, 2);
  assert.deepEqual(
    server.requests.filter(({ method }) => method !== 'GET'),
    [],
  );
  // The socket of the aborted write is still usable.
  isOver = false;
  assert.deepEqual(await client.create(configMaps, object, { beforeSend }), object);
});
