/**
 * Five clusters, one hung, one with a rotated Secret, one replaced by another cluster under the same name, one with an
 * exec plugin in its Secret, and one healthy: each has the right condition, nothing counts as deleted, and the healthy
 * ones finish all their keys meanwhile.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isKind } from '../../packages/kube/src/errors.ts';
import type { Cluster } from '../../packages/kube/src/cluster.ts';
import { createController, type Controller } from '../../packages/kube/src/controller/controller.ts';
import { enqueueObject } from '../../packages/kube/src/controller/handlers.ts';
import { watches } from '../../packages/kube/src/controller/sources.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import {
  acceptIdentityAnnotation,
  kubevirtConfigs,
} from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { kubeconfigText } from '../cluster/cluster.ts';
import { until } from '../runtime/until.ts';
import {
  condition,
  configsNamespace,
  createMachines,
  installKubeVirt,
  phase,
  putConfig,
  putSecret,
  startFleetHarness,
  uidOf,
  virtualMachines,
  type FleetHarness,
} from './harness.ts';
import { startMemberCluster, type MemberCluster } from './sandboxes.ts';
import { issueToken, revokeTokens } from './service-account.ts';

const perCluster = 20;
const names = ['healthy', 'rotated', 'hung', 'swapped', 'plugin'] as const;
type Name = (typeof names)[number];

const execKubeconfig = (url: string): string => `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "${url}" } }]
users: [{ name: u, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: touch, args: [/tmp/ran], interactiveMode: Never } } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`;

/** What a controller over VirtualMachines has seen, by cluster. */
class Witness {
  readonly reconciled = new Map<string, Set<string>>();
  readonly deleted: string[] = [];
  readonly engaged: Cluster[] = [];
  readonly controller: Controller;

  constructor(harness: FleetHarness, fleet: () => Fleet) {
    this.controller = createController({
      name: 'witness',
      log: harness.log,
      onSyncTimeout: 'wait',
      sources: (cluster) => {
        this.engaged.push(cluster);
        const informer = cluster.informers.informer(virtualMachines);
        informer.addHandler({
          name: 'witness of deletions',
          added: () => undefined,
          updated: () => undefined,
          deleted: ({ metadata }) => void this.deleted.push(`${cluster.name}: ${metadata.name}`),
        });
        return [watches(informer, enqueueObject)];
      },
      reconcile: async ({ cluster: name, namespace = '', name: machine }) => {
        const cluster = fleet().cluster(name);
        const key = { namespace, name: machine };
        if (cluster?.informers.informer(virtualMachines).get(key) === undefined)
          this.deleted.push(`${name}: ${machine} is gone for a reconciler`);
        // A round trip to the cluster, like real work: it must be able to hang.
        await cluster?.client.get(virtualMachines, key);
        const keys = this.reconciled.get(name) ?? new Set();
        this.reconciled.set(name, keys.add(machine));
      },
    });
  }

  async finished(name: string, count: number): Promise<void> {
    await until(`all ${count} keys of ${name} are done`, () => (this.reconciled.get(name)?.size ?? 0) === count);
  }
}

describe('five clusters on a bad day', { timeout: 90_000 }, () => {
  let harness: FleetHarness;
  let fleet: Fleet;
  let endFleet: () => Promise<void>;
  let witness: Witness;
  let members: Record<Name, MemberCluster>;
  const stopping = new AbortController();
  let working: Promise<void>;
  const before_ = new Map<string, Cluster>();

  before(async () => {
    harness = await startFleetHarness();
    const started = await Promise.all(names.map((name) => startMemberCluster(name)));
    members = Object.fromEntries(started.map((member) => [member.name, member])) as Record<Name, MemberCluster>;
    await Promise.all(
      started.map(async (member) => {
        await installKubeVirt(member);
        await createMachines(member, 'vm', perCluster);
      }),
    );
    ({ fleet, end: endFleet } = harness.fleet());
    witness = new Witness(harness, () => fleet);
    working = witness.controller.run({ signal: stopping.signal });
    fleet.serve(witness.controller);
  });
  after(async () => {
    stopping.abort();
    await working;
    await harness?.stop();
    await Promise.all(Object.values(members ?? {}).map((member) => member.stop()));
  });

  test('C1: each cluster is engaged as its KubevirtConfig comes, and a kubeconfig with an exec plugin is refused by name', async () => {
    const token = await issueToken(members.rotated, 'operator-1');
    await putConfig(harness.supervisor, 'rotated', { ...members.rotated, token });
    for (const name of ['healthy', 'hung', 'swapped'] as const)
      await putConfig(harness.supervisor, name, members[name]);
    await putSecret(harness.supervisor, 'plugin', execKubeconfig(members.plugin.url));
    await putConfig(harness.supervisor, 'plugin');

    for (const name of ['healthy', 'rotated', 'hung', 'swapped'] as const) {
      const { status } = await phase(harness.supervisor, name, 'Ready');
      assert.equal(status?.status, 'Connected');
      assert.equal(status?.identity, await uidOf(members[name]));
      assert.equal(status?.kubevirtVersion, 'v1.6.0');
      await witness.finished(name, perCluster);
      const cluster = fleet.cluster(name);
      assert.ok(cluster !== undefined);
      before_.set(name, cluster);
    }
    const refused = await condition(harness.supervisor, 'plugin', 'Reachable', 'False', 'KubeconfigRefused');
    assert.equal(refused.status?.phase, 'Failed');
    assert.match(refused.status?.message ?? '', /user\.exec/);
    assert.equal(fleet.cluster('plugin'), undefined);
  });

  test('C3: a hung, a swapped and a broken cluster cost those that are well nothing', async () => {
    const swappedTo = members.swapped;
    members.hung.faults.add({ kind: 'silence' });
    await swappedTo.swap();
    const token = await issueToken(members.rotated, 'operator-2');
    await putSecret(harness.supervisor, 'rotated', kubeconfigText({ ...members.rotated, token }));
    await createMachines(members.healthy, 'more', perCluster);
    await createMachines(members.rotated, 'more', perCluster);

    const hung = await condition(harness.supervisor, 'hung', 'Reachable', 'False', 'TimedOut');
    assert.deepEqual([hung.status?.phase, hung.status?.status], ['Failed', 'Disconnected']);
    const swapped = await condition(harness.supervisor, 'swapped', 'IdentityChanged', 'True', 'AnotherCluster');
    assert.deepEqual([swapped.status?.phase, swapped.status?.status], ['Failed', 'IdentityChanged']);
    assert.match(swapped.status?.message ?? '', new RegExp(await uidOf(swappedTo)));
    await witness.finished('healthy', 2 * perCluster);
    await witness.finished('rotated', 2 * perCluster);

    // With the account of the first token gone, only the new one can have been used below.
    await revokeTokens(members.rotated, 'operator-1');
    await createMachines(members.rotated, 'last', perCluster);
    await witness.finished('rotated', 3 * perCluster);
    await phase(harness.supervisor, 'rotated', 'Ready');
    assert.equal(fleet.cluster('rotated'), before_.get('rotated'), 'the rotated cluster was not engaged again');
    await phase(harness.supervisor, 'healthy', 'Ready');
  });

  test('C3: nothing counts as deleted, and nothing is written to the cluster that took the place of another', async () => {
    assert.deepEqual(witness.deleted, []);
    for (const name of ['hung', 'swapped'] as const) {
      const cluster = fleet.cluster(name);
      assert.equal(cluster, before_.get(name));
      assert.equal(cluster?.informers.informer(virtualMachines).size, perCluster);
    }
    const client = fleet.getClientForConfig('swapped');
    const create = client.create(virtualMachines, { metadata: { namespace: 'default', name: 'stray' } });
    await assert.rejects(create, (error) => isKind(error, 'Credentials'));
    const health = await fleet.healthCheck();
    assert.deepEqual([...health.keys()].sort(), ['hung', 'plugin', 'swapped']);
  });

  test('C1: a person accepts the other cluster, the plugin is taken out of the Secret, the hung cluster comes back', async () => {
    const uid = await uidOf(members.swapped);
    await installKubeVirt(members.swapped);
    const annotations = { [acceptIdentityAnnotation]: uid };
    await harness.supervisor.client.patch(
      kubevirtConfigs,
      { namespace: configsNamespace, name: 'swapped' },
      { type: 'merge', body: { metadata: { annotations } } },
    );
    members.hung.faults.clear();
    await putSecret(harness.supervisor, 'plugin', kubeconfigText(members.plugin));
    for (const name of names) await phase(harness.supervisor, name, 'Ready');
    assert.notEqual(fleet.cluster('swapped'), before_.get('swapped'));
    assert.equal(before_.get('swapped')?.signal.aborted, true);
    assert.equal(fleet.identityOf('swapped'), uid);
    await witness.finished('plugin', perCluster);
    await createMachines(members.hung, 'after', perCluster);
    await witness.finished('hung', 2 * perCluster);
    assert.equal(fleet.cluster('hung'), before_.get('hung'));
    assert.deepEqual(witness.deleted, []);
    assert.deepEqual([...(await fleet.healthCheck()).keys()], []);
  });

  test('C1: the fleet can be stopped while a cluster hangs', async () => {
    members.hung.faults.add({ kind: 'silence' });
    await condition(harness.supervisor, 'hung', 'Reachable', 'False', 'TimedOut');
    await endFleet();
    assert.deepEqual(fleet.clusters(), []);
    for (const cluster of witness.engaged) assert.equal(cluster.signal.aborted, true);
  });
});
