import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../../../test/cluster/sandbox.ts';
import { configMaps } from '../../../../test/runtime/scripted-scene.ts';
import { until } from '../../../../test/runtime/until.ts';
import { createClient } from '../client/create.ts';
import { createInformers } from './informers.ts';

test('F1: a server that was restored from a backup is followed again', async (context) => {
  const cluster = await startSandbox();
  context.after(() => cluster.stop());
  const connection = {
    server: cluster.url,
    tls: { ca: cluster.ca },
    headers: { authorization: `Bearer ${cluster.token}` },
  };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const client = createClient({ cluster: 'restored', source, userAgent: 'test' });
  context.after(() => client.close());
  // A server may accept a watch at a future version: silence is then the only symptom. The limits are short for this
  // test.
  const reflector = {
    backoff: { initialMs: 20, factor: 2, maxMs: 100, jitter: 1 },
    silenceMs: 500,
    initialSilenceMs: 5_000,
  };
  const informers = createInformers({ client, reflector });
  context.after(() => informers.stop());
  const informer = informers.informer(configMaps, { namespaces: ['default'] });
  await informer.synced(AbortSignal.timeout(10_000));
  const make = (name: string): Promise<unknown> =>
    client.create(configMaps, { metadata: { namespace: 'default', name } });
  for (let count = 0; count < 20; count++) await make(`before-${count}`);
  await until('they are there', () => informer.get({ namespace: 'default', name: 'before-19' }) !== undefined);
  const seen = informer.health().lastSyncResourceVersion;

  await client.request({ method: 'POST', path: '/sandbox/revision', body: { revision: 5 } });
  await make('after');
  await until('it is there', () => informer.get({ namespace: 'default', name: 'after' }) !== undefined);
  await client.delete(configMaps, { namespace: 'default', name: 'before-0' });
  await until('it goes on', () => informer.get({ namespace: 'default', name: 'before-0' }) === undefined);
  assert.ok(Number(informer.health().lastSyncResourceVersion) < Number(seen));
});
