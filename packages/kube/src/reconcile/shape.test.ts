import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { createClient } from '../client/create.ts';
import { isKind } from '../errors.ts';
import type { ResourceType } from '../resource-type.ts';
import { reconcileObject, type Shaped } from './shape.ts';

const things: ResourceType<Shaped> = {
  group: 'test.ssvirt.io',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
};
const key = { namespace: 'default', name: 'one' };
const thing: Shaped = { metadata: { ...key, uid: 'u-1', resourceVersion: '1', generation: 1 } };

/** An address without a listener. */
async function deserted(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

for (const { reason, failure, logged } of [
  { reason: 'says nothing more where it failed of the same', failure: undefined, logged: [] },
  {
    reason: 'says where it failed of something else',
    failure: new Error('the disk is too small'),
    logged: ['cannot write failure status'],
  },
])
  test(`shape of reconcilers: a status that cannot be written after a failure ${reason}`, async (t) => {
    const connection = { server: await deserted(), tls: {}, headers: {} };
    const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
    const client = createClient({ cluster: 'away', source, userAgent: 'test' });
    t.after(() => client.close());
    const lines: string[] = [];
    const write = (line: string): void => void lines.push((JSON.parse(line) as { readonly msg: string }).msg);
    const run = async (): Promise<void> => {
      if (failure !== undefined) throw failure;
      await client.get(things, key);
    };
    const reconciled = reconcileObject(
      { client, type: things, get: () => thing, steps: [{ name: 'work', run }] },
      { signal: AbortSignal.timeout(10_000), log: pino({ level: 'info' }, { write }), reconcileId: 'r-1' },
    );
    await assert.rejects(reconciled, (error) => error === failure || isKind(error, 'Unreachable'));
    assert.deepEqual(lines, logged);
  });
