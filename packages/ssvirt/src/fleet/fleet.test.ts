/** A fleet over a supervisor and real clusters: how members join, change and leave. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import type { Cluster } from '@ssvirt/kube/cluster';
import { eventType } from '@ssvirt/kube/events/event';
import { createMetrics } from '@ssvirt/kube/metrics/metrics';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { kubeconfigText } from '../../../../test/cluster/cluster.ts';
import {
  condition,
  configsNamespace,
  createMachines,
  getConfig,
  installKubeVirt,
  phase,
  putConfig,
  putSecret,
  secretNameOf,
  startFleetHarness,
  uidOf,
  virtualMachines,
  type FleetHarness,
} from '../../../../test/fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../test/runtime/until.ts';
import { isNotFound } from '@ssvirt/kube/errors';
import { FleetError, type Fleet } from './fleet.ts';
import {
  acceptIdentityAnnotation,
  inUseFinalizer,
  kubevirtConfigs,
  type KubevirtConfig,
} from './kubevirtconfig/kubevirt-config.ts';
import { secrets } from './kinds.ts';

describe('a fleet', { timeout: 180_000 }, () => {
  let harness: FleetHarness;
  let east: MemberCluster;
  let west: MemberCluster;
  let fleet: Fleet;
  let end: () => Promise<void>;
  const engaged: Cluster[] = [];
  const left: string[] = [];
  const users: string[] = [];
  const metrics = createMetrics(new Registry());
  /** Returns the members and the phases that the metrics show. */
  const shown = async ({ registry } = metrics): Promise<readonly string[]> => {
    const text = await registry.getSingleMetricAsString('ssvirt_fleet_cluster_phase');
    return [...text.matchAll(/cluster="(.+?)",phase="(.+?)"\} 1$/gm)].map(([, name, now]) => `${name} ${now}`);
  };

  before(async () => {
    [harness, east, west] = await Promise.all([
      startFleetHarness(),
      startMemberCluster('east'),
      startMemberCluster('west'),
    ]);
    await installKubeVirt(east);
    ({ fleet, end } = harness.fleet({ metrics, inUse: () => Promise.resolve(users), inUseAgainMs: 50 }));
    fleet.serve({ engage: (cluster) => void engaged.push(cluster) });
    fleet.onDisengage(({ name }) => void left.push(name));
  });
  after(async () => {
    await harness?.stop();
    await Promise.all([east?.stop(), west?.stop()]);
  });

  const key = (name: string): { namespace: string; name: string } => ({ namespace: configsNamespace, name });
  const annotate = (name: string, annotations: Record<string, string | null>): Promise<unknown> =>
    harness.supervisor.client.patch(kubevirtConfigs, key(name), { type: 'merge', body: { metadata: { annotations } } });
  const gone = (name: string): Promise<void> =>
    until(`KubevirtConfig ${name} is gone`, () =>
      getConfig(harness.supervisor, name).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
    );

  test('C2: an unknown cluster is an error of its own kind, so that its work is dropped and not tried again', async () => {
    assert.equal(fleet.cluster('nowhere'), undefined);
    const notFound = (error: unknown): boolean => error instanceof FleetError && error.kind === 'ClusterNotFound';
    assert.throws(() => fleet.getClientForConfig('nowhere'), notFound);
    assert.throws(() => fleet.getClientForConfig('local'), notFound);
    await assert.rejects(fleet.validateConnection('nowhere'), notFound);
    assert.throws(
      () => fleet.getClientForConfig('nowhere'),
      /KubevirtConfig "nowhere" not found in namespace "kubevirt-configs"/,
    );
  });

  test('C4: a KubevirtConfig and its Secret make a member, whichever comes first', async () => {
    await putConfig(harness.supervisor, 'east');
    const waiting = await condition(harness.supervisor, 'east', 'Reachable', 'False', 'SecretNotFound');
    assert.deepEqual([waiting.status?.phase, waiting.status?.status], ['Failed', 'InvalidKubeconfig']);
    assert.throws(() => fleet.getClientForConfig('east'), /there is no Secret "kubevirt-configs\/east-kubeconfig"/);
    assert.deepEqual(await shown(), ['east Failed']);

    await putSecret(harness.supervisor, 'east', kubeconfigText(east));
    const ready = await phase(harness.supervisor, 'east', 'Ready');
    assert.equal(ready.status?.status, 'Connected');
    assert.equal(ready.status?.identity, await uidOf(east));
    assert.match(ready.status?.kubernetesVersion ?? '', /^v1\./);
    assert.deepEqual(ready.metadata.finalizers, [inUseFinalizer]);
    assert.deepEqual(
      fleet.listConfigs().map(({ metadata }) => metadata.name),
      ['east'],
    );
    assert.equal(await fleet.validateConnection('east'), await uidOf(east));
    assert.equal((await fleet.healthCheck()).size, 0);
    assert.deepEqual(await shown(), ['east Ready']);
  });

  test('C1: who begins to serve late gets the clusters that are there, once each', () => {
    assert.deepEqual(
      engaged.map(({ name }) => name),
      ['east'],
    );
    const late: Cluster[] = [];
    const stop = fleet.serve({ engage: (cluster) => void late.push(cluster) });
    assert.deepEqual(late, engaged);
    stop();
  });

  test('a cluster without KubeVirt is a member that says so, and sees when it is installed', async () => {
    await putConfig(harness.supervisor, 'west', west);
    const bare = await condition(harness.supervisor, 'west', 'KubeVirtReady', 'False', 'NotInstalled');
    assert.deepEqual([bare.status?.phase, bare.status?.status], ['Degraded', 'Connected']);
    await condition(harness.supervisor, 'west', 'Compatible', 'False', 'Unsupported');
    assert.ok(fleet.cluster('west') !== undefined);
    await installKubeVirt(west);
    const ready = await phase(harness.supervisor, 'west', 'Ready');
    assert.equal(findCondition(ready.status?.conditions, 'Compatible')?.reason, 'Supported');
    const events = async (): Promise<readonly string[]> => {
      const fieldSelector = 'involvedObject.name=west';
      const { items } = await harness.supervisor.client.list(eventType, { namespace: configsNamespace, fieldSelector });
      return items.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
    };
    // The connection existed all the time; it is the phase that has changed.
    await until('it was told', async () => (await events()).includes('Normal Connected the cluster can be used'));
    assert.match((await events()).join('\n'), /^Warning Degraded KubeVirt is not installed/m);
  });

  test('C3: while a new Secret does not work the connection from before stays in use, and the condition says so', async () => {
    const cluster = fleet.cluster('east');
    await putSecret(harness.supervisor, 'east', 'users: [{ name: u, user: { tokenFile: /etc/passwd } }]');
    const kept = await condition(harness.supervisor, 'east', 'Reachable', 'True', 'PreviousCredentials');
    assert.equal(kept.status?.phase, 'Degraded');
    assert.match(kept.status?.message ?? '', /tokenFile/);

    await putSecret(harness.supervisor, 'east', kubeconfigText({ ...east, token: 'wrong' }));
    await until('the refusal is in the condition', async () => {
      const { status } = await getConfig(harness.supervisor, 'east');
      return /token or certificate in the Secret/.test(status?.message ?? '');
    });
    await cluster?.client.list(virtualMachines, { namespace: 'default' });

    await putSecret(harness.supervisor, 'east', kubeconfigText(east));
    await phase(harness.supervisor, 'east', 'Ready');
    assert.equal(fleet.cluster('east'), cluster);
    assert.equal(cluster?.signal.aborted, false);
  });

  test('a Secret that is gone for a while disconnects the cluster, until it is back', async () => {
    const cluster = fleet.cluster('east');
    assert.equal(cluster?.signal.aborted, false);
    const secret = { namespace: configsNamespace, name: 'east-kubeconfig' };
    await harness.supervisor.client.delete(secrets, secret);
    const gone = await condition(harness.supervisor, 'east', 'Reachable', 'False', 'SecretNotFound');
    assert.equal(gone.status?.phase, 'Failed');
    assert.equal(cluster.signal.aborted, true);
    assert.equal(fleet.cluster('east'), undefined);
    await putSecret(harness.supervisor, 'east', kubeconfigText(east));
    await phase(harness.supervisor, 'east', 'Ready');
    assert.notEqual(fleet.cluster('east'), undefined);
    left.length = 0;
  });

  test('a Secret that leads to another cluster freezes the member until the right one is back', async () => {
    await createMachines(east, 'vm', 3);
    const cluster = fleet.cluster('east');
    const informer = cluster?.informers.informer(virtualMachines);
    await informer?.synced(AbortSignal.timeout(5000));
    const deleted: string[] = [];
    informer?.addHandler({
      name: 'deletions',
      added: () => undefined,
      updated: () => undefined,
      deleted: ({ metadata }) => void deleted.push(metadata.name ?? ''),
    });
    await putSecret(harness.supervisor, 'east', kubeconfigText(west));
    const frozen = await condition(harness.supervisor, 'east', 'IdentityChanged', 'True', 'AnotherCluster');
    assert.equal(frozen.status?.identity, await uidOf(east));
    await assert.rejects(
      fleet.getClientForConfig('east').delete(virtualMachines, { namespace: 'default', name: 'vm-0' }),
      /leads to/,
    );
    await createMachines(east, 'unseen', 1);
    assert.equal(informer?.size, 3);

    await putSecret(harness.supervisor, 'east', kubeconfigText(east));
    await phase(harness.supervisor, 'east', 'Ready');
    await until('the caches go on where they were', () => informer?.size === 4);
    assert.equal(fleet.cluster('east'), cluster);
    assert.deepEqual(deleted, []);
  });

  test('what may not be looked at is said, and the cluster stays a member', async () => {
    west.faults.add({ kind: '403', path: '/apis/kubevirt.io/v1/kubevirts' });
    await condition(harness.supervisor, 'west', 'KubeVirtReady', 'Unknown', 'Forbidden');
    west.faults.clear();
    await phase(harness.supervisor, 'west', 'Ready');
  });

  test('the Secret may stand in another namespace, and is followed there', async () => {
    const there = { namespace: 'default', name: 'elsewhere' };
    const metadata = { namespace: configsNamespace, name: 'far' };
    const spec = { name: 'far', kubeconfigSecretRef: there.name, secretNamespace: there.namespace };
    await harness.supervisor.client.create(kubevirtConfigs, { metadata, spec });
    await condition(harness.supervisor, 'far', 'Reachable', 'False', 'SecretNotFound');
    await harness.supervisor.client.create(secrets, { metadata: there, data: { other: 'eA==' } });
    const missing = await condition(harness.supervisor, 'far', 'Reachable', 'False', 'KubeconfigMissing');
    assert.match(missing.status?.message ?? '', /Secret "default\/elsewhere"/);
    await harness.supervisor.client.delete(kubevirtConfigs, key('far'));
    await gone('far');
  });

  test('a second name for a member is refused while the first is there', async () => {
    await putConfig(harness.supervisor, 'west-again', west);
    const refused = await condition(harness.supervisor, 'west-again', 'Duplicate', 'True', 'AlreadyMember');
    assert.match(refused.status?.message ?? '', /"west"/);
    assert.equal(fleet.cluster('west-again'), undefined);
    await harness.supervisor.client.delete(kubevirtConfigs, key('west'));
    await gone('west');
    const ready = await phase(harness.supervisor, 'west-again', 'Ready');
    assert.equal(findCondition(ready.status?.conditions, 'Duplicate'), undefined);
    assert.deepEqual(left, ['west']);
    assert.equal(engaged.find(({ name }) => name === 'west')?.signal.aborted, true);
  });

  test('a KubevirtConfig in use is not removed, and says who uses it', async () => {
    users.push(...Array.from({ length: 7 }, (_, i) => `Machine "team/m${i}"`));
    await harness.supervisor.client.delete(kubevirtConfigs, key('west-again'));
    const held = await condition(harness.supervisor, 'west-again', 'InUse', 'True', 'UsersLeft');
    const message = findCondition(held.status?.conditions, 'InUse')?.message ?? '';
    assert.match(message, /Machine "team\/m0".*Machine "team\/m4" and 2 more/);
    assert.ok(fleet.cluster('west-again') !== undefined);
    await fleet.validateConnection('west-again');
    users.length = 0;
    await gone('west-again');
    await until('the cluster has left', () => fleet.cluster('west-again') === undefined);
  });

  test('a restart is no news: what was Ready stays so while the new process connects', async () => {
    await phase(harness.supervisor, 'east', 'Ready');
    await end();
    const seen = new Set<string>();
    const configs = harness.local.informers.informer(kubevirtConfigs, { namespaces: [configsNamespace] });
    const see = ({ metadata, status }: KubevirtConfig): void =>
      void (metadata.name === 'east' && seen.add(`${status?.phase} ${metadata.annotations?.['test'] ?? ''}`));
    const watch = configs.addHandler({ name: 'test', added: see, updated: (_, now) => see(now), deleted: see });
    const next = harness.fleet();
    await until('it is Ready by the word of the new process', () => next.fleet.stateOf('east')?.phase === 'Ready');
    await annotate('east', { test: 'end' });
    await until('all was seen', () => [...seen].some((one) => one.endsWith(' end')));
    assert.deepEqual([...seen], ['Ready ', 'Ready end']);
    watch.remove();
    configs.release();
    await next.end();
  });

  test('the identity survives the process: another one does not take another cluster for the first', async () => {
    assert.equal(fleet.cluster('east'), undefined);
    await putSecret(harness.supervisor, 'east', kubeconfigText(west));
    const other = harness.fleet();
    await condition(harness.supervisor, 'east', 'IdentityChanged', 'True', 'AnotherCluster');
    assert.equal(other.fleet.cluster('east'), undefined);
    await annotate('east', { [acceptIdentityAnnotation]: await uidOf(west) });
    const accepted = await phase(harness.supervisor, 'east', 'Ready');
    assert.equal(accepted.status?.identity, await uidOf(west));
    await other.end();
  });

  test('C4: the own cluster is the member "local" from the moment that it serves KubeVirt', async () => {
    const own = harness.fleet();
    const members: Cluster[] = [];
    own.fleet.serve({ engage: (cluster) => void members.push(cluster) });
    await until('the KubevirtConfig is a member', () => own.fleet.cluster('east') !== undefined);
    assert.equal(own.fleet.cluster('local'), undefined);
    await installKubeVirt(harness.supervisor);
    await until('local is a member', () => own.fleet.cluster('local') !== undefined);
    assert.ok(members.includes(harness.local));
    assert.equal(own.fleet.identityOf('local'), await uidOf(harness.supervisor));
    await own.end();
  });

  test('the own cluster is Degraded while its watches are silent, and Failed while it does not answer', async () => {
    const registry = createMetrics(new Registry());
    const own = harness.fleet({ metrics: registry });
    const { faults } = harness.supervisor;
    const becomes = (wanted: string): Promise<void> =>
      until(`local is ${wanted}`, async () => (await shown(registry)).includes(`local ${wanted}`));
    try {
      await becomes('Ready');
      for (const [verb, wanted] of [
        ['watch', 'Degraded'],
        ['get', 'Failed'],
      ] as const) {
        const { id } = faults.add({ kind: 'silence', verbs: [verb], path: '/api/v1/namespaces' });
        await becomes(wanted);
        faults.remove(id);
        await becomes('Ready');
      }
      // As reported by the watches of another component.
      own.fleet.noteWatches('local', 'a test');
      await becomes('Degraded');
      own.fleet.noteWatches('local', undefined);
      await becomes('Ready');
    } finally {
      faults.clear();
      await own.end();
    }
  });

  test('a process that does not lead connects and writes no status', async () => {
    await putConfig(harness.supervisor, 'quiet', east);
    let leads = false;
    const standby = harness.fleet({ reports: () => leads });
    await until('it is connected', () => standby.fleet.cluster('quiet') !== undefined);
    await until('it knows how the cluster is', () => standby.fleet.stateOf('quiet')?.phase === 'Ready');
    const { status } = await getConfig(harness.supervisor, 'quiet');
    // The first process to reach the cluster must record its identity: before that, no process may write to it.
    assert.deepEqual(status, { identity: await uidOf(east) });
    leads = true;
    standby.fleet.refresh();
    await phase(harness.supervisor, 'quiet', 'Ready');
    await standby.end();
  });

  test('a KubevirtConfig that is deleted and created again may lead to another cluster', async () => {
    const anew = harness.fleet({ localMembership: 'never' });
    await phase(harness.supervisor, 'quiet', 'Ready');
    const north = await startMemberCluster('north');
    await installKubeVirt(north);
    try {
      await putSecret(harness.supervisor, 'quiet', kubeconfigText(north));
      await condition(harness.supervisor, 'quiet', 'IdentityChanged', 'True');
      await harness.supervisor.client.delete(kubevirtConfigs, key('quiet'));
      await putConfig(harness.supervisor, 'quiet');
      const { status } = await phase(harness.supervisor, 'quiet', 'Ready');
      assert.equal(status?.identity, await uidOf(north));
      assert.equal(anew.fleet.identityOf('quiet'), await uidOf(north));
    } finally {
      await anew.end();
      await north.stop();
    }
  });

  test('nothing of a Secret is in the status, in the events or in the cache', async () => {
    const secret = await harness.supervisor.client.get(secrets, key(secretNameOf('quiet')));
    assert.ok(secret.data?.['kubeconfig'] !== undefined);
    const cached = harness.local.informers.informer(secrets, { namespaces: [configsNamespace], metadataOnly: true });
    await cached.synced(AbortSignal.timeout(5000));
    assert.equal(JSON.stringify(cached.list()).includes(secret.data['kubeconfig']), false);
    const { body } = await harness.supervisor.client.request({ method: 'GET', path: '/api/v1/events' });
    const all = JSON.stringify([
      body,
      await getConfig(harness.supervisor, 'east'),
      await getConfig(harness.supervisor, 'quiet'),
    ]);
    for (const { token } of [east, west]) assert.equal(all.includes(token), false);
    cached.release();
  });
});
