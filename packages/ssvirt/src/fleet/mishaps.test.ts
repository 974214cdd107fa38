/** Failures around a running fleet, which must neither be lost nor affect anything else. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Cluster } from '@ssvirt/kube/cluster';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { definitions, install, looseDefinition } from '../../../../test/fleet/definition.ts';
import {
  condition,
  configsNamespace,
  getConfig,
  installKubeVirt,
  phase,
  putConfig,
  startFleetHarness,
  type FleetHarness,
} from '../../../../test/fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { Fleet } from './fleet.ts';
import { kubevirtConfigs, type KubevirtConfig } from './kubevirtconfig/kubevirt-config.ts';
import { kubeVirts } from './health/kubevirt-ready.ts';

describe('a fleet in trouble', { timeout: 180_000 }, () => {
  let harness: FleetHarness;
  let east: MemberCluster;
  let fleet: Fleet;
  let end: () => Promise<void>;

  before(async () => {
    [harness, east] = await Promise.all([startFleetHarness(), startMemberCluster('east')]);
    await installKubeVirt(east);
  });
  after(async () => {
    await harness?.stop();
    await east?.stop();
  });
  beforeEach(() => {
    ({ fleet, end } = harness.fleet());
  });
  afterEach(async () => {
    for (const cluster of [harness.supervisor, east]) cluster.faults.clear();
    await end();
    for (const { metadata } of (await harness.supervisor.client.list(kubevirtConfigs)).items)
      await harness.supervisor.client.delete(kubevirtConfigs, {
        namespace: configsNamespace,
        name: metadata.name ?? '',
      });
  });

  /** Returns every state of a KubevirtConfig that a watcher sees from now on. */
  const statesOf = (name: string): readonly KubevirtConfig[] => {
    const seen: KubevirtConfig[] = [];
    const see = (config: KubevirtConfig): void => void (config.metadata.name === name && seen.push(config));
    const informer = harness.local.informers.informer(kubevirtConfigs, { namespaces: [configsNamespace] });
    informer.addHandler({
      name: 'states',
      added: see,
      updated: (_before, next) => see(next),
      deleted: () => undefined,
    });
    return seen;
  };

  test('a Secret that could not be read is read again, without anything else having to happen', async () => {
    const { id } = harness.supervisor.faults.add({
      kind: '500',
      path: `/api/v1/namespaces/${configsNamespace}/secrets/late-kubeconfig`,
      verbs: ['get'],
    });
    await putConfig(harness.supervisor, 'late', east);
    await condition(harness.supervisor, 'late', 'Reachable', 'False', 'SecretUnreadable');
    const struck = (): number => harness.supervisor.faults.list().find((rule) => rule.id === id)?.struck ?? 0;
    // More attempts than the events of its own status writes explain.
    await until('it was tried some more', () => struck() >= 5);
    harness.supervisor.faults.clear();
    await phase(harness.supervisor, 'late', 'Ready');
  });

  test('two names that find the same cluster at the same moment do not both get it', async () => {
    harness.supervisor.faults.add({
      kind: 'latency',
      delayMs: 200,
      verbs: ['patch'],
      path: '/apis/vitistack.io/v1alpha1/namespaces/*/kubevirtconfigs/*/status',
    });
    const engaged: string[] = [];
    fleet.serve({ engage: ({ name }) => void engaged.push(name) });
    await Promise.all(['twin-a', 'twin-b'].map((name) => putConfig(harness.supervisor, name, east)));
    const states = async (): Promise<(string | undefined)[]> =>
      Promise.all(['twin-a', 'twin-b'].map(async (name) => (await getConfig(harness.supervisor, name)).status?.status));
    await until('both are told apart', async () => {
      const found = await states();
      if (found.includes('Connected') && found.includes('Duplicate')) return true;
      throw new Error(`they are ${found.join(' and ')}, engaged ${engaged.join()}`);
    });
    assert.equal(engaged.length, 1);
    assert.equal(fleet.clusters().length, 1);
  });

  test('a probe that fails once changes no reported state', async () => {
    await putConfig(harness.supervisor, 'steady', east);
    await phase(harness.supervisor, 'steady', 'Ready');
    const states = statesOf('steady');
    await until('the state is seen', () => states.length > 0);
    const { id } = east.faults.add({ kind: '500', path: '/api/v1/namespaces/kube-system', times: 1 });
    await until('the probe has failed', () => !east.faults.list().some((rule) => rule.id === id));
    await fleet.validateConnection('steady');
    const again = east.faults.add({ kind: '500', path: '/apis/kubevirt.io/v1/kubevirts', times: 1 });
    await until('the look at KubeVirt has failed', () => !east.faults.list().some(({ id: one }) => one === again.id));
    const probes = east.faults.add({ kind: 'latency', delayMs: 1, path: '/api/v1/namespaces/kube-system', times: 2 });
    await until('it was asked again', () => !east.faults.list().some(({ id: one }) => one === probes.id));
    assert.deepEqual(
      states.map(({ status }) => `${status?.phase} ${findCondition(status?.conditions, 'KubeVirtReady')?.status}`),
      states.map(() => 'Ready True'),
    );
  });

  test('a cluster that stays unreachable is reported as such', async () => {
    await putConfig(harness.supervisor, 'away', east);
    await phase(harness.supervisor, 'away', 'Ready');
    east.faults.add({ kind: 'reset', path: '/**' });
    await condition(harness.supervisor, 'away', 'Reachable', 'False', 'Unreachable');
    east.faults.clear();
    await phase(harness.supervisor, 'away', 'Ready');
  });

  test('C1: a target that throws keeps no cluster from the others', async () => {
    const engaged: Cluster[] = [];
    const left: string[] = [];
    fleet.serve({
      engage: () => {
        throw new Error('a defect in a controller');
      },
    });
    fleet.serve({ engage: (cluster) => void engaged.push(cluster) });
    fleet.onDisengage(() => {
      throw new Error('another one');
    });
    fleet.onDisengage(({ name }) => void left.push(name));
    await putConfig(harness.supervisor, 'shared', east);
    await phase(harness.supervisor, 'shared', 'Ready');
    assert.deepEqual(
      engaged.map(({ name }) => name),
      ['shared'],
    );
    await harness.supervisor.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'shared' });
    await until('it has left', () => left.includes('shared'));
    assert.equal(fleet.cluster('shared'), undefined);
  });

  test('a cluster is compared with those that are there, not with one that has left', async () => {
    const bare = await startMemberCluster('bare');
    try {
      await install(
        bare.client,
        looseDefinition('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines'),
        looseDefinition('kubevirt.io', 'v1', 'VirtualMachineInstance', 'virtualmachineinstances'),
        looseDefinition('kubevirt.io', 'v1', 'KubeVirt', 'kubevirts'),
      );
      const status = { conditions: [{ type: 'Available', status: 'True' }] };
      await bare.client.create(kubeVirts, { metadata: { namespace: 'default', name: 'kubevirt' }, status });
      await putConfig(harness.supervisor, 'a-first', east);
      await phase(harness.supervisor, 'a-first', 'Ready');
      await putConfig(harness.supervisor, 'b-second', bare);
      await condition(harness.supervisor, 'b-second', 'Compatible', 'True', 'VersionsDiffer');
      await harness.supervisor.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'a-first' });
      await condition(harness.supervisor, 'b-second', 'Compatible', 'True', 'Supported');
    } finally {
      await harness.supervisor.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'b-second' });
      await until('it has left', () => fleet.cluster('b-second') === undefined);
      await bare.stop();
    }
  });

  test('a KubevirtConfig called "local" is no member, where an older definition lets it through', async () => {
    const name = 'kubevirtconfigs.vitistack.io';
    const path = '/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations';
    const patch = { type: 'json', operations: [{ op: 'remove', path }] } as const;
    await harness.supervisor.client.patch(definitions, { name }, patch);
    await until('the rule is gone', () =>
      putConfig(harness.supervisor, 'local', east).then(
        () => true,
        () => false,
      ),
    );
    const config = await condition(harness.supervisor, 'local', 'Reachable', 'False', 'NameReserved');
    assert.equal(config.status?.phase, 'Failed');
    assert.equal(fleet.cluster('local'), undefined);
    assert.equal(config.status?.identity, undefined);
  });

  test('the own cluster has one name: a KubevirtConfig that led there first keeps it', async () => {
    await putConfig(harness.supervisor, 'own', harness.supervisor);
    await until('it is a member', () => fleet.cluster('own') !== undefined);
    await installKubeVirt(harness.supervisor);
    await phase(harness.supervisor, 'own', 'Ready');
    const looks = harness.supervisor.faults.add({
      kind: 'latency',
      delayMs: 1,
      path: '/apis/cdi.kubevirt.io/v1beta1',
      times: 4,
    });
    await until('everybody has looked', () => !harness.supervisor.faults.list().some(({ id }) => id === looks.id));
    assert.deepEqual(
      fleet.clusters().map(({ name }) => name),
      ['own'],
    );
    const later = harness.fleet();
    await until('another process has looked', () => later.fleet.clusters().length > 0);
    assert.deepEqual(
      later.fleet.clusters().map(({ name }) => name),
      ['own'],
    );
    await later.end();
  });
});
