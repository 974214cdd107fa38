/**
 * `ssvirt fleet` by its commands, and the start-up checks, against a supervisor with healthy, unreachable and
 * broken clusters.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { parse } from 'yaml';
import type { ClusterStatus, FleetStatus } from '../../packages/ssvirt/src/fleet/health/fleet-status.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { controllerReference, parentMarks } from '../../packages/kube/src/reconcile/owners.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { FoundOrphans } from '../../packages/ssvirt/src/cli/fleet/find-orphans.ts';
import { claims, dataVolumes, instances, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { labels } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
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
  uidOf,
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

describe('ssvirt fleet', { timeout: 300_000 }, () => {
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

  const say = (...more: readonly string[]): Promise<Said> => run('status', ...more);
  const run = (...words: readonly string[]): Promise<Said> =>
    new Promise((resolve) => {
      const { KUBEVIRT_CONFIGS_NAMESPACE: _, ...env } = process.env;
      const args = ['packages/ssvirt/src/main.ts', 'fleet', ...words];
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

  describe('ssvirt fleet orphans', () => {
    const gone = { metadata: { namespace: 'default', name: 'gone', uid: '7d3f0a52-0000-4000-8000-000000000001' } };
    const [vms, vmis, volumes, pvcs, kept] = [virtualMachines, instances, dataVolumes, claims, secrets];
    const orphans = async (...more: readonly string[]): Promise<FoundOrphans & { readonly code: number }> => {
      const { code, out } = await run('orphans', '-o', 'json', ...more);
      return { ...(JSON.parse(out) as FoundOrphans), code };
    };
    const namesOf = ({ orphans: all }: FoundOrphans): readonly string[] =>
      all.map(({ cluster, kind, name }) => `${cluster} ${kind} ${name}`);
    const sized = (storage: string): object => ({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
    });
    const using = (claimName: string): object => ({
      template: { spec: { domain: {}, volumes: [{ name: 'disk', persistentVolumeClaim: { claimName } }] } },
    });
    const ownedBy = (type: ResourceType, owner: KubeObject): Pick<KubeObject['metadata'], 'ownerReferences'> => ({
      ownerReferences: [controllerReference(type, owner)],
    });

    /** As the operator creates it for a Machine. */
    async function child(
      type: ResourceType,
      name: string,
      machine: KubeObject,
      more: { readonly spec?: object; readonly metadata?: object; readonly supervisor?: string } = {},
    ): Promise<KubeObject> {
      const marks = parentMarks(machines, machine);
      const supervisor = more.supervisor ?? (await uidOf(harness.supervisor));
      const metadata = {
        namespace: 'default',
        name,
        labels: { ...marks.labels, [labels.supervisor]: supervisor },
        annotations: marks.annotations,
        ...more.metadata,
      };
      return east.client.create(type, { metadata, ...(more.spec === undefined ? {} : { spec: more.spec }) });
    }

    test('without any it says so, and the exit code is 0', async () => {
      const web = await harness.supervisor.client.get(machines, { namespace: 'default', name: 'web' });
      await child(vms, 'vm-web', web, { spec: using('web-root') });
      await child(pvcs, 'web-root', web, { spec: sized('1Gi') });
      assert.deepEqual(await run('orphans'), { code: 0, out: 'no orphans\n', err: '' });
    });

    test('a cluster that cannot be read is named, and the exit code is 1 although nothing was found', async () => {
      west.faults.add({ kind: '403', verbs: ['get'], path: '/api/v1/namespaces/kube-system' });
      try {
        const { code, out } = await run('orphans');
        assert.equal(code, 1);
        assert.match(out, /^no orphans\n\nNOT READ, so there may be more\ncluster "west": .*check that the token /);
      } finally {
        west.faults.clear();
      }
    });

    test('what a Machine that is gone has left is listed, and nothing of a Machine that exists or of others', async () => {
      const { client } = harness.supervisor;
      const vm = await child(vms, 'vm-gone', gone, { spec: using('gone-data') });
      await child(vmis, 'vm-gone', gone, { metadata: ownedBy(vms, vm) });
      const volume = await child(volumes, 'gone-root', gone, { spec: { storage: sized('10Gi') } });
      await child(pvcs, 'gone-root', gone, { spec: sized('10Gi'), metadata: ownedBy(volumes, volume) });
      await child(pvcs, 'gone-data', gone, { spec: sized('5Gi') });
      await child(kept, 'vm-gone-cloudinit', gone);
      await child(pvcs, 'gone-by-hand', gone, { spec: sized('5Gi') });
      await east.client.create(vms, { metadata: { namespace: 'default', name: 'mine' }, spec: using('gone-by-hand') });
      await child(pvcs, 'gone-named', gone, { spec: sized('5Gi') });
      const db = { namespace: 'default', name: 'db' };
      const disks = [{ name: 'old', existingClaim: 'gone-named' }];
      await client.patch(machines, db, { type: 'merge', body: { spec: { disks } } });
      const old = { metadata: { namespace: 'default', name: 'web', uid: '7d3f0a52-0000-4000-8000-000000000002' } };
      await child(vms, 'vm-web-before', old, { spec: using('web-root') });
      await child(vms, 'vm-other', gone, { supervisor: 'another', spec: using('other') });

      const found = await orphans();
      assert.equal(found.code, 1);
      assert.deepEqual(found.clusters, [
        { name: 'east', unread: [] },
        { name: 'local', unread: [] },
        { name: 'west', unread: [] },
      ]);
      const marked = `-l ssvirt.io/parent-uid=${gone.metadata.uid} --field-selector`;
      const deletion = (kind: string, name: string): string =>
        `kubectl --context east -n default delete ${kind} ${marked} metadata.name=${name}`;
      assert.deepEqual(
        found.orphans.map(({ kind, name, machine, size, note, deletion: said }) => [
          kind,
          name,
          machine.key,
          size,
          note,
          said,
        ]),
        [
          [
            vms.kind,
            'vm-gone',
            'default/gone',
            undefined,
            undefined,
            deletion('virtualmachines.kubevirt.io', 'vm-gone'),
          ],
          [
            volumes.kind,
            'gone-root',
            'default/gone',
            '10Gi',
            undefined,
            deletion('datavolumes.cdi.kubevirt.io', 'gone-root'),
          ],
          [pvcs.kind, 'gone-by-hand', 'default/gone', '5Gi', 'in use by VirtualMachine "default/mine"', undefined],
          [pvcs.kind, 'gone-data', 'default/gone', '5Gi', undefined, deletion('persistentvolumeclaims', 'gone-data')],
          [pvcs.kind, 'gone-named', 'default/gone', '5Gi', 'in use by Machine "default/db"', undefined],
          [
            kept.kind,
            'vm-gone-cloudinit',
            'default/gone',
            undefined,
            undefined,
            deletion('secrets', 'vm-gone-cloudinit'),
          ],
          [
            vms.kind,
            'vm-web-before',
            'default/web',
            undefined,
            'a Machine "default/web" exists again and could adopt it',
            deletion('virtualmachines.kubevirt.io', 'vm-web-before').replace(gone.metadata.uid, old.metadata.uid),
          ],
        ],
      );
      const { out } = await run('orphans');
      assert.match(out, /^CLUSTER +NAMESPACE +MACHINE +KIND +NAME +SIZE +AGE +NOTE$/m);
      assert.match(out, /^east +default +default\/gone +PersistentVolumeClaim +gone-data +5Gi +\d+ s$/m);
      assert.ok(out.split('\n').includes(deletion('persistentvolumeclaims', 'gone-data')));
      assert.doesNotMatch(out, /delete .*=gone-(named|by-hand)$/m);
    });

    test('Secrets are found by the rights of the operator, which has them in its namespaces alone', async () => {
      const forbid = (path: string): string => east.faults.add({ kind: '403', verbs: ['list'], path }).id;
      const everywhere = forbid('/api/v1/secrets');
      try {
        const found = await orphans();
        assert.ok(namesOf(found).includes('east Secret vm-gone-cloudinit'));
        assert.deepEqual(found.clusters[0], { name: 'east', unread: [] });
        const here = forbid('/api/v1/namespaces/default/secrets');
        const less = await orphans();
        east.faults.remove(here);
        assert.ok(!namesOf(less).includes('east Secret vm-gone-cloudinit'));
        assert.deepEqual(less.clusters[0], { name: 'east', unread: ['secrets in namespace "default"'] });
      } finally {
        east.faults.remove(everywhere);
      }
    });

    test('a supervisor that does not tell its Machines makes no orphan', async () => {
      const { id } = harness.supervisor.faults.add({
        kind: '403',
        verbs: ['list'],
        path: '/apis/vitistack.io/v1alpha1/machines',
      });
      try {
        const { code, out, err } = await run('orphans');
        assert.deepEqual([code, out], [5, '']);
        assert.match(err, /^ssvirt: cannot find out which Machines exist in the supervisor: /);
      } finally {
        harness.supervisor.faults.remove(id);
      }
    });
  });
});
