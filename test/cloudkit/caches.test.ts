/**
 * The operator's first list: a server may answer it from an old cache, and the operator must not work on a deleted
 * order.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { orderCaches } from '../../packages/ssvirt/src/controllers/cloudkit/operator/caches.ts';
import { fieldManager } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { connectCluster } from '../../packages/kube/src/connect-cluster.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource, startMemberCluster } from '../fleet/sandboxes.ts';
import { FaultProxy } from '../runtime/fault-proxy.ts';
import { definitionOf } from './definitions.ts';

test('orders are listed as they are now, also where a server knows no list by a watch', async (t) => {
  const sandbox = await startMemberCluster('cloudkit');
  t.after(() => sandbox.stop());
  await install(sandbox.client, definitionOf('virtualmachines'), definitionOf('ordertemplates'));
  const proxy = await FaultProxy.start(sandbox);
  t.after(() => proxy.stop());
  const cluster = connectCluster({
    name: 'local',
    component: fieldManager,
    source: fixedSource({ url: proxy.url, ca: proxy.ca, token: proxy.issueToken() }),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(new Registry()),
    reflector: { watchList: false },
  });
  t.after(() => cluster.close());
  await orderCaches({})(cluster).orders.synced();
  const lists = proxy.requests(({ verb, resource }) => verb === 'list' && resource === 'virtualmachines');
  assert.ok(lists.length > 0);
  assert.deepEqual(
    lists.map(({ request }) => request.query.get('resourceVersion')),
    lists.map(() => null),
  );
});
