/**
 * Two processes on one supervisor, as the vm-controller and the machine-operator are: each protects what its users need
 * with its own finalizer, and one of them writes what it sees. They must not overwrite each other forever because they
 * see different things.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import { createFleet } from '../../packages/ssvirt/src/fleet/create-fleet.ts';
import {
  holders,
  kubevirtConfigs,
  type Holder,
  type KubevirtConfig,
} from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { FleetReporter, reporterLease } from '../../packages/ssvirt/src/fleet/kubevirtconfig/reporter.ts';
import type { ConnectedCluster } from '../../packages/kube/src/connect-cluster.ts';
import { connectCluster } from '../../packages/kube/src/connect-cluster.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import { leases } from '../../packages/kube/src/leader-election/lease.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { until } from '../runtime/until.ts';
import {
  condition,
  configsNamespace,
  getConfig,
  installKubeVirt,
  phase,
  putConfig,
  startFleetHarness,
  testReflector,
  testTimes,
  type FleetHarness,
} from './harness.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from './sandboxes.ts';

const election = { leaseDurationMs: 8000, renewDeadlineMs: 6000, retryPeriodMs: 200 } as const;

interface Process {
  readonly fleet: Fleet;
  readonly reporter: FleetReporter;
  readonly users: string[];
  end(): Promise<void>;
}

describe('two processes on one supervisor', { timeout: 180_000 }, () => {
  let harness: FleetHarness;
  let east: MemberCluster;
  let tenants: Process;
  let machines: Process;
  /** Every state of the KubevirtConfig so far. */
  const versions = new Set<string>();
  let stopWatching: () => void;

  before(async () => {
    [harness, east] = await Promise.all([startFleetHarness(), startMemberCluster('east')]);
    await installKubeVirt(east);
    const configs = harness.local.informers.informer(kubevirtConfigs, { namespaces: [configsNamespace] });
    const see = ({ metadata }: KubevirtConfig): void => void versions.add(metadata.resourceVersion ?? '');
    const watch = configs.addHandler({ name: 'test', added: see, updated: (_, now) => see(now), deleted: see });
    stopWatching = () => {
      watch.remove();
      configs.release();
    };
  });
  after(async () => {
    stopWatching?.();
    await tenants?.end();
    await machines?.end();
    await harness?.stop();
    await east?.stop();
  });

  const start = (name: string, holder: Holder, deadlineMs: number, reports?: () => boolean): Process => {
    const metrics = createMetrics(new Registry());
    const { log } = harness;
    const local: ConnectedCluster = connectCluster({
      name: 'local',
      component: name,
      source: fixedSource(harness.supervisor),
      log,
      metrics,
      reflector: testReflector,
      flushMs: 500,
    });
    const namespace = configsNamespace;
    const reporter = new FleetReporter({ client: local.bare, namespace, log, election, everyMs: 20 });
    const users: string[] = [];
    const fleet = createFleet({
      local,
      namespace,
      component: name,
      userAgent: name,
      log,
      metrics,
      times: { ...testTimes, deadlineMs },
      reflector: testReflector,
      reports: reports ?? reporter.reports,
      holds: reporter.holds,
      holder,
      inUse: () => Promise.resolve(users),
      inUseAgainMs: 50,
    });
    const stopping = new AbortController();
    const ended = Promise.all([
      fleet.run({ signal: stopping.signal }),
      reporter.for(fleet).run({ signal: stopping.signal }),
    ]);
    const end = async (): Promise<void> => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await ended;
      await local.close();
    };
    return { fleet, reporter, users, end };
  };

  /** Too slow for one of them, not for the other. */
  const slowDown = (): { readonly asked: () => number } => {
    const { id } = east.faults.add({ kind: 'latency', delayMs: 1600, path: '/api/v1/namespaces/kube-system' });
    return { asked: () => east.faults.list().find((fault) => fault.id === id)?.struck ?? 0 };
  };
  const impatientMs = 800;
  const patientMs = 10_000;

  /** The number of writes of the KubevirtConfig during this many probes by both. */
  const writesWhile = async (asked: () => number, questions: number): Promise<number> => {
    await caughtUp();
    const [begun, seen] = [asked(), versions.size];
    await until(`the cluster was asked ${questions} times`, () => asked() >= begun + questions, { deadlineMs: 30_000 });
    await caughtUp();
    return versions.size - seen;
  };
  /** Earlier writes may still be on their way to the watcher that counts. */
  const caughtUp = async (): Promise<void> => {
    const { resourceVersion = '' } = (await getConfig(harness.supervisor, 'east')).metadata;
    await until('the watch has seen it', () => versions.has(resourceVersion));
  };

  test('without the Lease two that see different things write again and again, and that would be seen here', async () => {
    await putConfig(harness.supervisor, 'east', east);
    const always = (): boolean => true;
    const one = start('one', holders.tenants, impatientMs, always);
    const two = start('two', holders.machines, patientMs, always);
    try {
      await phase(harness.supervisor, 'east', 'Ready');
      slowDown();
      await until('they see different things', () => one.fleet.stateOf('east')?.phase === 'Failed');
      assert.equal(two.fleet.stateOf('east')?.phase, 'Ready');
      const seen = versions.size;
      await until('they have undone each other often', () => versions.size > seen + 10);
    } finally {
      east.faults.clear();
      await one.end();
      await two.end();
    }
  });

  test('each holds it by its own finalizer, and one has the Lease', async () => {
    tenants = start('tenants', holders.tenants, impatientMs);
    await until('the first reports', () => tenants.reporter.reports());
    machines = start('machines', holders.machines, patientMs);
    await until('both are connected', () =>
      [tenants, machines].every(({ fleet }) => fleet.stateOf('east')?.phase === 'Ready'),
    );
    await until('both hold it', async () => {
      const { finalizers = [] } = (await getConfig(harness.supervisor, 'east')).metadata;
      return Object.values(holders).every(({ finalizer }) => finalizers.includes(finalizer));
    });
    await phase(harness.supervisor, 'east', 'Ready');
    assert.deepEqual([tenants.reporter.reports(), machines.reporter.reports()], [true, false]);
    const lease = await harness.supervisor.client.get(leases, { namespace: configsNamespace, name: reporterLease });
    assert.notEqual(lease.spec?.holderIdentity ?? '', '');
  });

  test('the status shows what the holder of the Lease sees, and there are no writes while nothing changes', async () => {
    const { asked } = slowDown();
    await phase(harness.supervisor, 'east', 'Failed');
    assert.equal(machines.fleet.stateOf('east')?.phase, 'Ready');
    assert.equal(await writesWhile(asked, 8), 0);
    assert.equal((await getConfig(harness.supervisor, 'east')).status?.phase, 'Failed');
  });

  test('when the holder ends the other reports what it sees, and then there are no writes', async () => {
    await tenants.end();
    await until('the other reports', () => machines.reporter.reports());
    await phase(harness.supervisor, 'east', 'Ready');
    tenants = start('tenants', holders.tenants, impatientMs);
    const { asked } = slowDown();
    await until('the one that came back sees it down', () => tenants.fleet.stateOf('east')?.phase === 'Failed');
    assert.equal(await writesWhile(asked, 6), 0);
    assert.deepEqual([tenants.reporter.reports(), machines.reporter.reports()], [false, true]);
    east.faults.clear();
  });

  test('a KubevirtConfig to be deleted waits for the users of both, and each speaks and lets go for its own', async () => {
    tenants.users.push('virtual data center "acme"');
    machines.users.push('Machine "team-a/web"');
    await harness.supervisor.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'east' });
    await condition(harness.supervisor, 'east', 'InUse', 'True', 'UsersLeft');
    const held = await condition(harness.supervisor, 'east', 'InUseByMachines', 'True', 'UsersLeft');
    assert.match(findCondition(held.status?.conditions, 'InUse')?.message ?? '', /"acme"/);
    assert.match(findCondition(held.status?.conditions, 'InUseByMachines')?.message ?? '', /"team-a\/web"/);

    tenants.users.length = 0;
    await until('the first has let go', async () => {
      const { metadata, status } = await getConfig(harness.supervisor, 'east');
      const left = metadata.finalizers?.join() === holders.machines.finalizer;
      return left && findCondition(status?.conditions, 'InUse') === undefined;
    });
    const { status } = await getConfig(harness.supervisor, 'east');
    assert.equal(findCondition(status?.conditions, 'InUseByMachines')?.status, 'True');
    assert.notEqual(machines.fleet.cluster('east'), undefined);

    machines.users.length = 0;
    await until('it is gone', () =>
      getConfig(harness.supervisor, 'east').then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
    );
  });

  test('the machine-operator alone reports a cluster that answers while its watches are silent', async () => {
    await tenants?.end();
    await machines?.end();
    await putConfig(harness.supervisor, 'east', east);
    const operator = start('operator', holders.machines, impatientMs);
    try {
      await until('it reports', () => operator.reporter.reports());
      await phase(harness.supervisor, 'east', 'Ready');
      const { id } = east.faults.add({ kind: 'silence', verbs: ['watch'] });
      const { status } = await condition(harness.supervisor, 'east', 'Reachable', 'False', 'WatchesSilent');
      assert.deepEqual([status?.phase, status?.status], ['Degraded', 'Connected']);
      assert.match(status?.message ?? '', /its watches deliver no events.*namespace kube-system/);
      east.faults.remove(id);
      await condition(harness.supervisor, 'east', 'Reachable', 'True', 'Connected');
      await phase(harness.supervisor, 'east', 'Ready');
    } finally {
      east.faults.clear();
      await operator.end();
    }
  });
});
