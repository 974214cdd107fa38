import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { StallingClock } from '../../../../test/runtime/stalling-clock.ts';
import { createClient } from '../client/create.ts';
import type { Client } from '../client/client.ts';
import { isKind } from '../errors.ts';
import type { ResourceType } from '../resource-type.ts';
import { fenced } from './fenced.ts';
import { LeaseTerm } from './lease-term.ts';
import { LeadershipLost } from './term.ts';

const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
const key = { namespace: 'n', name: 'a' };
const object = { metadata: { ...key, resourceVersion: '1' } };

/** The requests that arrive. Each is answered with an object, except that a path with "hang" gets no response. */
const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url?.split('?')[0]}`);
  request.resume();
  if (request.url?.includes('hang') === true) return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ...object, items: [] }));
});

before(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
after(() => {
  server.close();
  server.closeAllConnections();
});

function setUp(current: () => Promise<void> = () => Promise.resolve()): {
  clock: StallingClock;
  term: LeaseTerm;
  client: Client;
  plain: Client;
} {
  const clock = new StallingClock();
  const term = new LeaseTerm({ epoch: 1, renewDeadlineMs: 10_000, sentAt: clock.now(), clock });
  const connection = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tls: {}, headers: {} };
  const source = { current: () => current().then(() => connection), refused: () => Promise.resolve(false) };
  const plain = createClient({ cluster: 'c', source, userAgent: 'test' });
  seen.length = 0;
  return { clock, term, plain, client: fenced(plain, term) };
}

const writes: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  create: (client) => client.create(configMaps, object),
  createSubresource: (client) => client.createSubresource(configMaps, key, 'x', {}),
  update: (client) => client.update(configMaps, object),
  patch: (client) => client.patch(configMaps, key, { type: 'merge', body: {} }),
  apply: (client) => client.apply(configMaps, object, { fieldManager: 'f' }),
  delete: (client) => client.delete(configMaps, key),
  deleteCollection: (client) => client.deleteCollection(configMaps, { namespace: 'n' }),
  request: (client) => client.request({ method: 'POST', path: '/x' }),
};

for (const [verb, write] of Object.entries(writes)) {
  test(`L6: ${verb} goes through while the lease is held, and never leaves the process afterwards`, async () => {
    const { clock, client, plain } = setUp();
    await write(client);
    assert.equal(seen.length, 1);
    clock.stall(10_000);
    await assert.rejects(write(client), LeadershipLost);
    assert.equal(seen.length, 1, 'nothing was sent');
    await plain.close();
  });
}

test('L6: a websocket is not opened after the loss', async () => {
  const { clock, client, plain } = setUp();
  clock.stall(10_000);
  await assert.rejects(client.connect('/exec'), LeadershipLost);
  assert.equal(seen.length, 0);
  await plain.close();
});

test('L6: reads need no lease', async () => {
  const { clock, client, plain } = setUp();
  clock.stall(10_000);
  await client.get(configMaps, key);
  await client.request({ method: 'GET', path: '/version' });
  assert.equal(seen.length, 2);
  await plain.close();
});

test('L7: a write that waits for credentials while the lease runs out is not sent', async () => {
  const login = Promise.withResolvers<void>();
  const { clock, client, plain } = setUp(() => login.promise);
  const write = client.update(configMaps, object);
  clock.stall(10_000);
  login.resolve();
  await assert.rejects(write, LeadershipLost);
  assert.deepEqual(seen, []);
  await plain.close();
});

test('L5: a write that waits for its answer is given up with the term', async () => {
  const { term, client, plain } = setUp();
  const write = client.update(configMaps, { metadata: { ...key, name: 'hang' } });
  const outcome = assert.rejects(write, (error) => isKind(error, 'Aborted'));
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  term.lose('as a test');
  await outcome;
  await plain.close();
});
