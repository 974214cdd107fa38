/** The process from outside: settings and variables, health, the Lease, and no work at all when it is disabled. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../../../../../test/cluster/cluster.ts';
import { freePorts } from '../../../../../test/cluster/ports.ts';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeVdc } from '../../../../../test/database/rows.ts';
import { install, kubevirtConfigDefinition } from '../../../../../test/fleet/definition.ts';
import {
  condition,
  configsNamespace,
  getConfig,
  installKubeVirt,
  putConfig,
} from '../../../../../test/fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { schema, type Config } from '@ssvirt/base/config/keys';
import { loadConfig } from '@ssvirt/base/config/load';
import { kubeVirts } from '../../fleet/health/kubevirt-ready.ts';
import { storageClasses } from '../../fleet/kinds.ts';
import { kubevirtConfigs } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { leases } from '@ssvirt/kube/leader-election/lease';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { runVmController } from './process.ts';

const namespaces: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
const nodes: ResourceType = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

/** Nodes, storage classes, and KubeVirt with feature gates. */
async function furnish({ client }: MemberCluster): Promise<void> {
  for (const [name, ready, unschedulable, cpu] of [
    ['one', 'True', false, '7500m'],
    ['cordoned', 'True', true, '100'],
    ['broken', 'False', false, '100'],
  ] as const) {
    const status = { allocatable: { cpu, memory: '16Gi' }, conditions: [{ type: 'Ready', status: ready }] };
    await client.create(nodes, { metadata: { name }, spec: { unschedulable }, status });
  }
  for (const name of ['slow', 'fast']) {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': String(name === 'fast') };
    await client.create(storageClasses, { metadata: { name, annotations }, provisioner: 'csi.example.com' });
  }
  const featureGates = ['Snapshot', 'LiveMigration'];
  const body = { spec: { configuration: { developerConfiguration: { featureGates } } } };
  await client.patch(kubeVirts, { namespace: 'default', name: 'kubevirt' }, { type: 'merge', body });
}

const nowhere = 'postgres://nobody@127.0.0.1:1/none';

function configOf(env: Readonly<Record<string, string>>): Config {
  return loadConfig(schema, { process: 'vm-controller', env: { SSVIRT_DATABASE_URL: nowhere, ...env } }).config;
}

describe('its settings', () => {
  test('are those of the original by default', () => {
    const { controller } = configOf({});
    assert.deepEqual(
      [controller.enabled, controller.enableLeaderElection, controller.maxConcurrentReconciles, controller.maxRetries],
      [true, true, 5, 10],
    );
    assert.deepEqual([controller.baseDelay, controller.maxDelay, controller.resyncPeriod], [1000, 300_000, 600_000]);
    assert.deepEqual([controller.namespace, controller.metricsAddr.port], ['ssvirt-system', 8080]);
  });

  const variables: readonly (readonly [
    variable: string,
    value: string,
    key: keyof Config['controller'],
    read: unknown,
  ])[] = [
    ['CONTROLLER_ENABLED', 'false', 'enabled', false],
    ['CONTROLLER_NAMESPACE', 'elsewhere', 'namespace', 'elsewhere'],
    ['CONTROLLER_LEADER_ELECTION', 'false', 'enableLeaderElection', false],
    ['CONTROLLER_MAX_CONCURRENT', '7', 'maxConcurrentReconciles', 7],
    ['CONTROLLER_BASE_DELAY', '2s', 'baseDelay', 2000],
    ['CONTROLLER_MAX_DELAY', '10m', 'maxDelay', 600_000],
    ['CONTROLLER_MAX_RETRIES', '3', 'maxRetries', 3],
    ['CONTROLLER_RESYNC_PERIOD', '1h', 'resyncPeriod', 3_600_000],
  ];
  for (const [variable, value, key, read] of variables)
    test(`${variable} sets controller.${key}`, () => {
      assert.equal(configOf({ [variable]: value }).controller[key], read);
      assert.notEqual(configOf({}).controller[key], read);
    });

  test('CONTROLLER_METRICS_ADDR sets controller.metricsAddr', () => {
    assert.equal(configOf({ CONTROLLER_METRICS_ADDR: ':9090' }).controller.metricsAddr.port, 9090);
  });
});

interface Started {
  readonly health: (path: string) => Promise<number>;
  readonly end: () => Promise<void>;
}

async function start(env: Readonly<Record<string, string>>): Promise<Started> {
  const [health, metrics] = await freePorts(2);
  const config = configOf({
    ...env,
    SSVIRT_CONTROLLER_HEALTH_ADDR: `127.0.0.1:${health}`,
    SSVIRT_CONTROLLER_METRICS_ADDR: `127.0.0.1:${metrics}`,
  });
  const stopping = new AbortController();
  const ended = runVmController(config, pino({ level: 'silent' }), stopping.signal);
  return {
    health: async (path) => (await fetch(`http://127.0.0.1:${health}${path}`)).status,
    end: async () => {
      stopping.abort();
      await ended;
    },
  };
}

test('switched off it is alive, ends at a signal, and reaches for no database and no cluster', async () => {
  const { health, end } = await start({ SSVIRT_CONTROLLER_ENABLED: 'false', KUBECONFIG: '/there/is/none' });
  await until('it is alive', async () => (await health('/healthz')) === 200);
  assert.equal(await health('/readyz'), 200);
  await end();
});

describe('with a cluster and a database', () => {
  let folder: ThrowAwayFolder;
  let cluster: MemberCluster;
  let database: TestDatabase;
  let started: Started | undefined;
  before(async () => {
    [folder, cluster, database] = await Promise.all([
      throwAwayFolder('ssvirt-vm-controller-'),
      startMemberCluster('supervisor'),
      startTestDatabase(),
    ]);
    await installKubeVirt(cluster);
    await install(cluster.client, kubevirtConfigDefinition());
    await cluster.client.create(namespaces, { metadata: { name: configsNamespace } });
    await furnish(cluster);
    const kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    started = await start({
      KUBECONFIG: kubeconfig,
      SSVIRT_DATABASE_URL: database.url,
      CONTROLLER_NAMESPACE: 'default',
    });
  });
  after(async () => {
    await started?.end();
    await cluster?.stop();
    await folder?.remove();
  });

  test('it is ready, holds the Lease, and its heartbeat names it', async () => {
    await until('it is ready', async () => (await started?.health('/readyz')) === 200);
    const key = { namespace: 'default', name: 'ssvirt-vm-controller' };
    let holder: unknown;
    await until('it leads', async () => {
      holder = (await cluster.client.get(leases, key)).spec?.holderIdentity;
      return typeof holder === 'string' && holder !== '';
    });
    const { pool } = database.database;
    await until('it has a heartbeat', async () => {
      const { rows } = await pool.query<{ holder: string }>(
        `SELECT h.holder FROM heartbeats h JOIN leaders l USING (name, epoch) WHERE name = 'ssvirt-vm-controller'`,
      );
      return rows[0]?.holder === holder;
    });
  });

  test('it records what its cluster consists of: only nodes that are ready and not cordoned are capacity', async () => {
    const rows = database.database.db.selectFrom('cluster_details').selectAll();
    await until('it is recorded', async () => (await rows.execute()).length > 0);
    const { kubernetesVersion, ...rest } = (await rows.where('cluster', '=', 'local').executeTakeFirstOrThrow())
      .details;
    assert.match(String(kubernetesVersion), /^v1\.\d+/);
    assert.deepEqual(rest, {
      kubevirtVersion: 'v1.6.0',
      cdiVersion: null,
      nodes: { total: 3, ready: 2 },
      capacity: { cpus: 7.5, memoryMb: 16_384 },
      storageClasses: [
        { name: 'fast', provisioner: 'csi.example.com', isDefault: true },
        { name: 'slow', provisioner: 'csi.example.com', isDefault: false },
      ],
      features: ['LiveMigration', 'Snapshot'],
      unread: [],
    });
  });

  test('a cluster stays in the fleet while virtual data centers are in it', async () => {
    await makeVdc(database.database.db, { cluster: 'far', name: 'web' });
    await putConfig(cluster, 'far');
    const far = { namespace: configsNamespace, name: 'far' };
    await until('it is held', async () => (await getConfig(cluster, 'far')).metadata.finalizers?.length === 1);
    await cluster.client.delete(kubevirtConfigs, far);
    const { status } = await condition(cluster, 'far', 'InUse', 'True', 'UsersLeft');
    assert.match(JSON.stringify(status), /virtual data center .*web/);
  });

  test('without the database it is alive and not ready', async () => {
    // Stopping it drops the database together with its connections.
    await database.stop();
    await until('it is not ready', async () => (await started?.health('/readyz')) !== 200);
    assert.equal(await started?.health('/healthz'), 200);
  });
});
