/** The own cluster is the first one that answers, and no later one. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { createMetrics } from '@ssvirt/kube/metrics/metrics';
import { namespaces } from '../kinds.ts';
import { connectOwnCluster, contactOwnCluster, type OwnClusterOptions, type OwnClusterChanged } from './own-cluster.ts';

suite('the own cluster', () => {
  let cluster: MemberCluster;
  before(async () => {
    cluster = await startMemberCluster('own');
  });
  after(() => cluster.stop());

  function options(changed: (error: OwnClusterChanged) => void): OwnClusterOptions {
    const metrics = createMetrics(new Registry());
    return { source: fixedSource(cluster), component: 'test', log: pino({ level: 'silent' }), metrics, changed };
  }

  test('is there at once, though it does not answer', async () => {
    const fault = cluster.faults.add({ kind: 'reset' });
    const own = connectOwnCluster(options(() => undefined));
    const get = (): Promise<unknown> =>
      own.client.get(namespaces, { name: 'default' }, { signal: AbortSignal.timeout(200) });
    await assert.rejects(get(), /gave up asking cluster "local" for its identity/);
    cluster.faults.remove(fault.id);
    await until('it answers', async () => (await get()) !== undefined);
    await own.close();
  });

  test('is not believed any more when another one answers in its place', async () => {
    let told: Error | undefined;
    const own = connectOwnCluster(options((error) => (told = error)));
    const list = (): Promise<unknown> => own.client.list(namespaces);
    await list();
    await cluster.swap();
    await assert.rejects(list(), /it was the one with kube-system uid/);
    assert.match(
      told?.message ?? '',
      /^cannot go on: the own cluster was the one with kube-system uid .+, and is .+ now$/,
    );
    await own.close();
  });

  test('is waited for where nothing can be done without it, until the signal', async () => {
    const fault = cluster.faults.add({ kind: 'reset' });
    const stop = new AbortController();
    const contacted = contactOwnCluster(
      options(() => undefined),
      stop.signal,
    );
    stop.abort();
    assert.equal(await contacted, undefined);
    cluster.faults.remove(fault.id);
    const own = await contactOwnCluster(
      options(() => undefined),
      new AbortController().signal,
    );
    assert.equal(own?.name, 'local');
    await own?.close();
  });
});
