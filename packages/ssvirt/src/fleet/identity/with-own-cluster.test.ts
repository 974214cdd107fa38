/** What a process serves before its cluster has answered. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { throwAwayFolder, writeKubeconfig } from '../../../../../test/cluster/cluster.ts';
import { freePorts } from '../../../../../test/cluster/ports.ts';
import { startMemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { createMetrics } from '@ssvirt/kube/metrics/metrics';
import { withOwnCluster } from './with-own-cluster.ts';

test('a process is alive and not ready while its own cluster is silent, and leaves the address to its manager', async (t) => {
  const cluster = await startMemberCluster('own');
  t.after(() => cluster.stop());
  const folder = await throwAwayFolder('ssvirt-own-cluster-');
  t.after(() => folder.remove());
  const [port = 0] = await freePorts(1);
  const status = async (path: string): Promise<number | undefined> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.status,
      () => undefined,
    );
  const fault = cluster.faults.add({ kind: 'reset' });
  let worked = false;
  const ended = withOwnCluster(
    {
      kubeconfig: await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster),
      context: undefined,
      component: 'test',
      log: pino({ level: 'silent' }),
      metrics: createMetrics(new Registry()),
      reflector: undefined,
      health: { host: '127.0.0.1', port },
    },
    AbortSignal.timeout(120_000),
    async () => {
      worked = true;
      assert.equal(await status('/healthz'), undefined);
    },
  );
  await until('it is alive', async () => (await status('/healthz')) === 200);
  assert.equal(await status('/readyz'), 500);
  assert.equal(worked, false);
  cluster.faults.remove(fault.id);
  await ended;
  assert.ok(worked);
});
