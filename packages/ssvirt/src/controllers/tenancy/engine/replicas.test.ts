/**
 * Several replicas and several clusters: nothing is done twice, a lost claim does nothing, and a hanging cluster delays
 * only its own work.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { installKubeVirt, putConfig } from '../../../../../../test/fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { specOf, TenancyHarness, type Asked, type Replica } from '../../../../../../test/tenancy/harness.ts';
import {
  claimDue,
  LostClaim,
  renewClaim,
  requestReconciliation,
  type Claim,
} from '../../../db/work-queue/reconciliations.ts';
import { makeVdc } from '../../../../../../test/database/rows.ts';
import { systemClock } from '@ssvirt/kube/clock';
import { LeasedClient } from './leased-client.ts';
import { vdcTypes } from '../vdcs/vdc-types.ts';
import { Lease } from './lease.ts';
import { VdcClient } from '../vdcs/vdc-client.ts';

const alone = { vdc: 1, vapp: 1, vm: 1 };

suite('replicas of the tenancy', () => {
  let harness: Awaited<ReturnType<typeof TenancyHarness.start>>;
  let east: MemberCluster;
  let replicas: readonly Replica[];
  before(async () => {
    [harness, east] = await Promise.all([TenancyHarness.start(), startMemberCluster('east')]);
    await installKubeVirt(east);
    await putConfig(harness.cluster, 'east', east);
    replicas = [harness.replica({ workers: alone }), harness.replica({ workers: alone })];
    await until('all are reached', () => replicas.every(({ fleet }) => fleet.clusters().length === 2));
  });
  after(async () => {
    await harness?.stop();
    await east?.stop();
  });

  const attempts = async (result: string): Promise<number> => {
    const values = [];
    for (const { registry } of replicas)
      values.push(...((await registry.getSingleMetric('ssvirt_tenancy_attempts_total')?.get())?.values ?? []));
    return values.filter(({ labels }) => labels['result'] === result).reduce((sum, { value }) => sum + value, 0);
  };

  test('share the work, and do nothing twice', async () => {
    const asked = await Promise.all(Array.from({ length: 6 }, () => harness.create()));
    await Promise.all(asked.map(({ task }) => harness.ended(task, 'success')));
    // An attempt is counted after its commit, and the commit ends the task.
    await until('all are counted', async () => (await attempts('applied')) >= 6);
    assert.equal(await attempts('applied'), 6);
  });

  test('write nothing, and ask nothing, where nothing has changed', async () => {
    const vdc = await harness.made();
    const here = [`/api/v1/namespaces/${vdc.namespace}`, `/apis/networking.k8s.io/v1/namespaces/${vdc.namespace}`];
    const rules = here.map((path) => harness.cluster.faults.add({ kind: 'latency', delayMs: 1, path }).id);
    // Either replica may do the work.
    for (let round = 0; round < 4; round++) await harness.ended((await harness.update(vdc, {})).task, 'success');
    const struck = harness.cluster.faults.list().filter(({ id }) => rules.includes(id));
    assert.deepEqual(
      struck.map((rule) => rule.struck),
      [0, 0],
    );
    for (const id of rules) harness.cluster.faults.remove(id);
  });

  test('go on in one cluster while another hangs', async () => {
    east.faults.add({ kind: 'latency', delayMs: 60_000, path: '/api/v1/namespaces' });
    // More than there are workers.
    const stuck: Asked[] = [];
    for (let i = 0; i < 3; i++) stuck.push(await harness.create({ cluster: 'east' }));
    const underWay = async (): Promise<number> => {
      const works = await Promise.all(stuck.map(({ vdc }) => harness.work(vdc.id)));
      return works.filter((work) => work?.owner !== null).length;
    };
    // Each request times out after a while, and between two attempts no worker is busy.
    const allAtWork = async (): Promise<boolean> => (await underWay()) === replicas.length;
    await until('all workers there are at work', allAtWork);
    await harness.made();
    await until('all workers there are still at work', allAtWork);
    for (const one of stuck) assert.equal((await harness.task(one.task)).ended_at, null);
  });

  test('find out after a start what has happened while none was there', async () => {
    const [emptied, edited, left] = await Promise.all([harness.made(), harness.made({ vm_quota: 2 }), harness.made()]);
    for (const replica of replicas) await replica.stop();
    const { client } = harness.cluster;
    const first = await harness.find(emptied, 'Namespace');
    await client.delete(vdcTypes.Namespace, { name: emptied.namespace });
    await until('it is gone', async () => (await harness.find(emptied, 'Namespace')) === undefined);
    await client.patch(
      vdcTypes.ResourceQuota,
      { namespace: edited.namespace, name: 'vdc-quota' },
      { type: 'merge', body: { spec: { hard: { 'count/virtualmachines.kubevirt.io': '7' } } } },
    );
    const { task } = await harness.remove(left);
    harness.replica();
    await harness.ended(task, 'success');
    await until('the one is there again, the other as asked for', async () => {
      const namespace = await harness.find(emptied, 'Namespace');
      const hard = specOf(await harness.find(edited, 'ResourceQuota'))['hard'];
      const isNew = namespace !== undefined && namespace.metadata.uid !== first?.metadata.uid;
      return isNew && isDeepStrictEqual(hard, { 'count/virtualmachines.kubevirt.io': '2' });
    });
  });

  suite('with a claim that was lost', () => {
    interface Paused {
      readonly claim: Claim;
      readonly namespace: string;
      readonly client: VdcClient;
    }
    const leaseMs = 30_000;
    /** A process that took a claim in a cluster where no other process works, with a clock that the test controls. */
    const paused = async (cluster: string, elapsed: () => number): Promise<Paused> => {
      const vdc = await makeVdc(harness.db, { cluster });
      await requestReconciliation(harness.db, 'vdc', vdc.id, cluster);
      const takenAt = systemClock.now();
      const clock = { ...systemClock, now: () => takenAt + elapsed() };
      const claim = await take(cluster, leaseMs);
      const lease = new Lease(claim, { db: harness.db, clock, leaseMs, takenAt });
      const { signal } = new AbortController();
      const client = new VdcClient(
        new LeasedClient({ cluster: harness.fleets.local, lease, signal, requestMs: 10_000 }),
      );
      return { claim, namespace: vdc.namespace, client };
    };
    const take = async (cluster: string, lasts: number): Promise<Claim> => {
      const request = { kind: 'vdc', owner: 'x', clusters: [cluster], limit: 1, leaseMs: lasts } as const;
      const [claim] = await claimDue(harness.db, request);
      assert.ok(claim);
      return claim;
    };
    const namespaceOf = (name: string) => ({ metadata: { name, labels: {} } });

    test('write nothing to a cluster when they wake up', async () => {
      const { claim, namespace, client } = await paused('quiet-1', () => leaseMs);
      await renewClaim(harness.db, claim, 0);
      await take('quiet-1', leaseMs);
      await assert.rejects(client.createNamespace(namespaceOf(namespace)), hasLost);
      assert.equal(await client.get('Namespace', { name: namespace }), undefined);
    });

    test('go on where no other replica has taken it over meanwhile', async () => {
      // The lease has expired at the first check and is renewed.
      let looks = 0;
      const { namespace, client } = await paused('quiet-2', () => (looks++ === 0 ? leaseMs : 0));
      const made = await client.createNamespace(namespaceOf(namespace));
      assert.equal(made.metadata.name, namespace);
    });

    test('send nothing where the pause came between the look at the lease and the request', async () => {
      let looks = 0;
      const { namespace, client } = await paused('quiet-3', () => (looks++ === 0 ? 0 : leaseMs));
      await assert.rejects(client.createNamespace(namespaceOf(namespace)), hasLost);
      assert.equal(await client.get('Namespace', { name: namespace }), undefined);
      assert.ok(looks > 1);
    });
  });
});

function hasLost(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof LostClaim) return true;
  return false;
}
