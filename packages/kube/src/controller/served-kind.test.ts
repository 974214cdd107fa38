/** A cluster that serves a kind during discovery, but no longer when the kind is listed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { definitions, install, looseDefinition } from '../../../../test/fleet/definition.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { Client } from '../client/client.ts';
import { systemClock } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import { connectCluster } from '../connect-cluster.ts';
import { isNotFound } from '../errors.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { enqueueObject } from './handlers.ts';
import { ServedKind } from './served-kind.ts';
import type { Sink } from './source.ts';

const gadgets: ResourceType<KubeObject> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: true,
};
const definition = { name: 'gadgets.example.com' };
const log = pino({ level: 'silent' });
const stopping = new AbortController();
let member: MemberCluster;
let cluster: Cluster & { close(): Promise<void> };

before(async () => {
  member = await startMemberCluster('east');
  await install(member.client, looseDefinition('example.com', 'v1', 'Gadget', 'gadgets'));
  const metrics = createMetrics(new Registry());
  cluster = connectCluster({ name: 'east', component: 'test', source: fixedSource(member), log, metrics });
});
after(async () => {
  stopping.abort();
  await cluster?.close();
  await member?.stop();
});

/** Removes the CRD right after discovery. */
function takenOutBehind(client: Client): Client {
  const typeOf: Client['typeOf'] = async (...of) => {
    const type = await client.typeOf(...of);
    await client.delete(definitions, definition);
    await until('it is gone', () =>
      client.list(gadgets).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
    );
    return type;
  };
  return Object.assign(Object.create(client) as Client, { typeOf });
}

test('startup does not wait for a kind that is removed before its first list; it is watched when it is back', async () => {
  const seen: (string | undefined)[] = [];
  const sink: Sink = {
    controller: 'test',
    cluster: 'east',
    clock: systemClock,
    log,
    signal: stopping.signal,
    enqueue: ({ name }) => seen.push(name) > 0,
  };
  const open = (): ReturnType<typeof cluster.informers.informer> => cluster.informers.informer(gadgets);
  const kind = new ServedKind({ client: takenOutBehind(cluster.client) }, gadgets, open);
  const source = kind.source(enqueueObject).start(sink);
  await source.synced(AbortSignal.timeout(30_000));
  assert.ok(source.hasSynced);
  await install(member.client, looseDefinition('example.com', 'v1', 'Gadget', 'gadgets'));
  await member.client.create(gadgets as ResourceType, { metadata: { name: 'first', namespace: 'default' } });
  await until('it is seen', () => seen.includes('first'), { deadlineMs: 60_000 });
});
