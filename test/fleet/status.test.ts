/**
 * `ssvirt fleet status` by its command, and the start-up checks, against a supervisor with healthy, unreachable and
 * broken clusters.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { parse } from 'yaml';
import type { ClusterStatus, FleetStatus } from '../../packages/ssvirt/src/fleet/health/fleet-status.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import { startUpChecks } from '../../packages/ssvirt/src/fleet/health/start-up-checks.ts';
import { kubeconfigText, throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { definitionOf, machines } from '../machine-operator/definitions.ts';
import { definitions, install, looseDefinition } from './definition.ts';
import {
  configsNamespace,
  installKubeVirt,
  phase,
  condition,
  putConfig,
  putSecret,
  startFleetHarness,
  type FleetHarness,
} from './harness.ts';
import { kubevirtConfigs } from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { FleetReporter } from '../../packages/ssvirt/src/fleet/kubevirtconfig/reporter.ts';
import { startMemberCluster, type MemberCluster } from './sandboxes.ts';
import { until } from '../runtime/until.ts';

const root = join(import.meta.dirname, '../..');

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('ssvirt fleet status', { timeout: 180_000 }, () => {
  let harness: FleetHarness;
  let folder: ThrowAwayFolder;
  let kubeconfig: string;
  let east: MemberCluster;
  let west: MemberCluster;
  let fleet: Fleet;
  const stopping = new AbortController();
  let reporting: Promise<void> | undefined;

  before(async () => {
    [harness, east, west, folder] = await Promise.all([
      startFleetHarness(),
      startMemberCluster('east'),
      startMemberCluster('west'),
      throwAwayFolder('fleet-status-'),
    ]);
    await Promise.all([installKubeVirt(east), installKubeVirt(west)]);
    kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), harness.supervisor);
  });
  after(async () => {
    stopping.abort();
    await reporting;
    await harness?.stop();
    await Promise.all([east?.stop(), west?.stop(), folder?.remove()]);
  });

  const say = (...more: readonly string[]): Promise<Said> =>
    new Promise((resolve) => {
      const { KUBEVIRT_CONFIGS_NAMESPACE: _, ...env } = process.env;
      const args = ['packages/ssvirt/src/main.ts', 'fleet', 'status', ...more];
      const options = { cwd: root, env: { ...env, KUBECONFIG: kubeconfig }, timeout: 60_000 };
      execFile(process.execPath, args, options, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
      );
    });
  const ask = async (...more: readonly string[]): Promise<FleetStatus & { readonly code: number }> => {
    const { code, out } = await say('-o', 'json', ...more);
    return { ...(JSON.parse(out) as FleetStatus), code };
  };
  const named = ({ clusters }: FleetStatus, name: string): ClusterStatus | undefined =>
    clusters.find((one) => one.name === name);
  const found = ({ checks }: FleetStatus): Record<string, string> =>
    Object.fromEntries(checks.map(({ subject, ok, message }) => [subject, `${ok ? 'ok' : 'WARNING'} ${message}`]));

  test('a bare supervisor: what is missing is named with the way out, and the exit code says so', async () => {
    const status = await ask();
    assert.equal(status.code, 1);
    assert.deepEqual(status.clusters, []);
    assert.deepEqual(found(status), {
      'machines.vitistack.io': 'WARNING the definition is not installed: apply deploy/crds/machines.vitistack.io.yaml',
      'networkconfigurations.vitistack.io':
        'WARNING the definition is not installed: apply deploy/crds/networkconfigurations.vitistack.io.yaml',
      'kubevirtconfigs.vitistack.io': 'ok version v1alpha1 has kubeconfigSecretRef, phase',
      KubevirtConfigs:
        'WARNING there is none in namespace "kubevirt-configs", and the supervisor serves no KubeVirt: create at least one, or Machines cannot be placed',
      'other namespaces': 'ok no KubevirtConfig is in another namespace',
    });
  });

  test('the missing fields of a definition are named', async () => {
    const partial = looseDefinition('vitistack.io', 'v1alpha1', 'Machine', 'machines');
    const properties = { spec: { type: 'object', properties: { instanceType: { type: 'string' } } } };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    const spec = {
      ...(partial['spec'] as object),
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema }],
    };
    await install(harness.supervisor.client, { ...partial, spec });
    assert.equal(
      found(await ask())['machines.vitistack.io'],
      'WARNING version v1alpha1 lacks the fields kubevirtConfigRef, phase, conditions, so they would be lost: apply deploy/crds/machines.vitistack.io.yaml',
    );
    await harness.supervisor.client.delete(definitions, { name: 'machines.vitistack.io' });
  });

  test('a fleet that is well: versions, machines, and exit code 0', async () => {
    await install(harness.supervisor.client, definitionOf('machines'), definitionOf('networkconfigurations'));
    ({ fleet } = harness.fleet());
    const { client } = harness.supervisor;
    const reporter = new FleetReporter({ client, namespace: configsNamespace, log: harness.log, everyMs: 20 });
    reporting = reporter.for(fleet).run({ signal: stopping.signal });
    await putConfig(harness.supervisor, 'east', east);
    await phase(harness.supervisor, 'east', 'Ready');
    await until('a process reports', () => reporter.reports());
    for (const [name, config] of [
      ['web', 'east'],
      ['db', 'east'],
      ['lost', ''],
    ] as const) {
      await client.create(machines, { metadata: { namespace: 'default', name }, spec: { instanceType: 'small' } });
      if (config === '') continue;
      const patch = { type: 'merge', body: { status: { kubevirtConfigRef: config } } } as const;
      await client.patch(machines, { namespace: 'default', name }, patch, { subresource: 'status' });
    }
    const status = await ask();
    const { conditions = [], ...row } = named(status, 'east') ?? {};
    const { kubernetesVersion, ...rest } = row as ClusterStatus;
    assert.match(kubernetesVersion ?? '', /^v1\./);
    assert.deepEqual(rest, {
      name: 'east',
      phase: 'Ready',
      status: 'Connected',
      kubevirtVersion: 'v1.6.0',
      machines: 2,
      message: '',
    });
    assert.ok(conditions.some(({ type, reason }) => type === 'Compatible' && reason === 'Supported'));
    assert.deepEqual([status.code, status.ok, status.unplacedMachines], [0, true, 1]);
    assert.deepEqual(
      status.checks.filter(({ ok }) => !ok),
      [],
    );
  });

  test('a table for people, with the message of what is not well', async () => {
    await putConfig(harness.supervisor, 'west');
    await phase(harness.supervisor, 'west', 'Failed');
    const { code, out } = await say();
    assert.equal(code, 1);
    const lines = out.split('\n');
    assert.match(lines[0] ?? '', /^NAME +PHASE +STATUS +KUBERNETES +KUBEVIRT +MACHINES +MESSAGE$/);
    assert.match(lines[1] ?? '', /^east +Ready +Connected +v1\.\S+ +v1\.6\.0 +2$/);
    assert.match(
      lines[2] ?? '',
      /^west +Failed +InvalidKubeconfig +- +- +0 +there is no Secret "kubevirt-configs\/west-kubeconfig"/,
    );
    const [name, yaml, wide] = await Promise.all([say('-o', 'name'), say('-o', 'yaml'), say('-o', 'wide')]);
    assert.deepEqual([name.code, name.out], [1, 'east\nwest\n']);
    assert.deepEqual(
      (parse(yaml.out) as FleetStatus).clusters.map((one) => one.phase),
      ['Ready', 'Failed'],
    );
    assert.match(wide.out, /^west .*[ ,]Reachable=False:SecretNotFound/m);
    assert.match(wide.out, /^east .* 2 +-$/m);
    assert.ok(lines.includes('1 Machine is not placed on a cluster'));
    assert.ok(lines.some((line) => /^KubevirtConfigs +ok +2 in namespace "kubevirt-configs"$/.test(line)));
    assert.ok(lines.some((line) => /^reports +ok +the state of clusters is reported by /.test(line)));
  });

  test('--check asks now: a cluster that has just gone silent is known within its deadline, and nothing is written', async () => {
    east.faults.add({ kind: 'silence' });
    try {
      const status = await ask('--check', '--timeout', '1');
      assert.equal(status.code, 1);
      assert.deepEqual([named(status, 'east')?.phase, named(status, 'east')?.status], ['Failed', 'Disconnected']);
      assert.equal(named(status, 'west')?.status, 'InvalidKubeconfig');
    } finally {
      east.faults.clear();
    }
    const again = await ask('--check');
    assert.deepEqual([named(again, 'east')?.phase, named(again, 'east')?.kubevirtVersion], ['Ready', 'v1.6.0']);
  });

  test('--check watches: a cluster that answers while its watches are silent is Degraded, and so is the own cluster', async () => {
    await installKubeVirt(harness.supervisor);
    for (const [name, cluster] of [
      ['east', east],
      ['local', harness.supervisor],
    ] as const) {
      const { id } = cluster.faults.add({ kind: 'silence', verbs: ['watch'], path: '/api/v1/namespaces' });
      try {
        const status = await ask('--check', '--timeout', '6');
        const { phase: is, status: connection, message = '', conditions = [] } = named(status, name) ?? {};
        assert.deepEqual([status.code, is, connection], [1, 'Degraded', 'Connected']);
        assert.match(message, /its watches deliver no events/);
        assert.ok(conditions.some(({ type, reason }) => type === 'Reachable' && reason === 'WatchesSilent'));
      } finally {
        cluster.faults.remove(id);
      }
      assert.equal(named(await ask('--check'), name)?.phase, 'Ready');
    }
  });

  test('a supervisor that cannot be asked is exit code 5 and a sentence', async () => {
    const { code, out, err } = await say('--kubeconfig', join(folder.path, 'nowhere'));
    assert.deepEqual([code, out], [5, '']);
    assert.match(err, /^ssvirt: cannot read the state of the fleet from the supervisor: .*nowhere/);
  });

  test('the log of a start says what matches, and warns by name of what does not', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino(
      { level: 'info' },
      { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    await startUpChecks({ fleet, namespace: configsNamespace, log }).run({ signal: stopping.signal });
    const told = lines.map(
      ({ level, cluster, check }) => `${level === 30 ? 'info' : 'warn'} ${[cluster, check].filter(Boolean).join(' ')}`,
    );
    assert.deepEqual(told, [
      'info machines.vitistack.io',
      'info networkconfigurations.vitistack.io',
      'info kubevirtconfigs.vitistack.io',
      'info KubevirtConfigs',
      'info east Reachable',
      'info east KubeVirtReady',
      'info east Compatible',
      'warn west Reachable',
      'warn west KubeVirtReady',
      'warn west Compatible',
    ]);
  });

  test('a KubevirtConfig in a namespace that no process reads is reported, with the namespace to use', async () => {
    const { client } = harness.supervisor;
    const metadata = { namespace: 'default', name: 'north' };
    await client.create(kubevirtConfigs, { metadata, spec: { name: 'north', kubeconfigSecretRef: 'north' } });
    const status = await ask();
    assert.equal(
      found(status)['other namespaces'],
      'WARNING no process reads KubevirtConfig "default/north": create it in namespace "kubevirt-configs" instead, with the Secret',
    );
    assert.equal(named(status, 'north'), undefined);
    await client.delete(kubevirtConfigs, metadata);
    // A person who may only read the namespace of the fleet still gets its status.
    const path = '/apis/vitistack.io/v1alpha1/kubevirtconfigs';
    const { id } = harness.supervisor.faults.add({ kind: '403', verbs: ['list'], path });
    try {
      assert.match(
        found(await ask())['other namespaces'] ?? '',
        /^ok not checked, because .* cannot be listed there: /,
      );
    } finally {
      harness.supervisor.faults.remove(id);
    }
  });

  test('a cluster that serves other versions than the others is Ready, and the difference is shown', async () => {
    await west.client.delete(definitions, { name: 'datavolumes.cdi.kubevirt.io' });
    await putSecret(harness.supervisor, 'west', kubeconfigText(west));
    await condition(harness.supervisor, 'west', 'Compatible', 'True', 'VersionsDiffer');
    const shown = /Cluster 'west': KubeVirt CRD 'datavolumes\.cdi\.kubevirt\.io' not found \(exists in 'east'/;
    for (const options of [[], ['--check']]) {
      const status = await ask(...options);
      assert.deepEqual([status.code, named(status, 'west')?.phase], [0, 'Ready']);
      assert.match(named(status, 'west')?.message ?? '', shown);
    }
    assert.match((await say('-o', 'wide')).out, /^west .*[ ,]Compatible=True:VersionsDiffer/m);
  });
});
