/**
 * The process from outside: settings and variables, health, the Lease, the metrics of the reference, and a supervisor
 * that is its own only cluster.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../../../../../test/cluster/cluster.ts';
import { freePorts } from '../../../../../test/cluster/ports.ts';
import { configsNamespace, condition, getConfig, putConfig } from '../../../../../test/fleet/harness.ts';
import { look, OperatorHarness, patient, team } from '../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { schema, type Config } from '@ssvirt/base/config/keys';
import { loadConfig } from '@ssvirt/base/config/load';
import { holders, kubevirtConfigs } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { leases } from '@ssvirt/kube/leader-election/lease';
import { claims, virtualMachines } from '../../fleet/kinds.ts';
import { machines } from '../../controllers/machine/machine-types.ts';
import { runMachineOperator } from './process.ts';

function configOf(env: Readonly<Record<string, string>>): Config {
  return loadConfig(schema, { process: 'machine-operator', env }).config;
}

describe('its settings', () => {
  test('are those of the reference by default', () => {
    const { operator } = configOf({});
    assert.deepEqual([operator.reconcileInterval, operator.maxConcurrentReconciles], [30_000, 5]);
    assert.deepEqual([operator.leaderElection, operator.defaultKubevirtConfig], [true, undefined]);
    assert.deepEqual([operator.metricsAddr.port, operator.healthAddr.port], [8080, 8081]);
  });

  const variables: readonly (readonly [
    variable: string,
    value: string,
    key: keyof Config['operator'],
    read: unknown,
  ])[] = [
    ['KUBECONFIG', '/some/where', 'kubeconfig', '/some/where'],
    ['RECONCILE_INTERVAL', '2m', 'reconcileInterval', 120_000],
    ['MAX_CONCURRENT_RECONCILES', '7', 'maxConcurrentReconciles', 7],
    ['LEADER_ELECTION', 'false', 'leaderElection', false],
    ['NAMESPACE', 'elsewhere', 'namespace', 'elsewhere'],
    ['KUBEVIRT_CONFIGS_NAMESPACE', 'clusters', 'kubevirtConfigsNamespace', 'clusters'],
    ['DEFAULT_KUBEVIRT_CONFIG', 'east', 'defaultKubevirtConfig', 'east'],
  ];
  for (const [variable, value, key, read] of variables)
    test(`${variable} sets operator.${key}`, () => {
      assert.equal(configOf({ [variable]: value }).operator[key], read);
      assert.notEqual(configOf({}).operator[key], read);
    });

  test('METRICS_BIND_ADDRESS and HEALTH_PROBE_BIND_ADDRESS set its addresses', () => {
    const { operator } = configOf({ METRICS_BIND_ADDRESS: ':9090', HEALTH_PROBE_BIND_ADDRESS: '127.0.0.1:9091' });
    assert.deepEqual([operator.metricsAddr.port, operator.healthAddr.port], [9090, 9091]);
  });
});

describe('with a supervisor that serves KubeVirt itself', () => {
  let folder: ThrowAwayFolder;
  let harness: OperatorHarness;
  let ports: readonly number[];
  let end: () => Promise<void>;
  const lines: Record<string, unknown>[] = [];
  const get = (port: number | undefined, path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);

  before(async () => {
    folder = await throwAwayFolder('ssvirt-machine-operator-');
    harness = await OperatorHarness.start();
    ports = await freePorts(2);
    const config = configOf({
      KUBECONFIG: await writeKubeconfig(join(folder.path, 'kubeconfig'), harness.supervisor),
      NAMESPACE: 'default',
      HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${ports[0]}`,
      METRICS_BIND_ADDRESS: `127.0.0.1:${ports[1]}`,
    });
    const stopping = new AbortController();
    const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
    const ended = runMachineOperator(config, log, stopping.signal);
    end = async () => {
      stopping.abort();
      await ended;
    };
  });

  after(async () => {
    await end();
    await harness.stop();
    await folder.remove();
  });

  test('it is ready and holds the Lease', async () => {
    await until('it is ready', async () => (await get(ports[0], '/readyz')).status === 200, patient);
    assert.equal((await get(ports[0], '/healthz')).status, 200);
    const key = { namespace: 'default', name: 'ssvirt-machine-operator' };
    await until(
      'it leads',
      async () => (await harness.supervisor.client.get(leases, key)).spec?.holderIdentity !== undefined,
    );
  });

  test('a Machine is made beside itself, is owned, and goes', async () => {
    const { client } = harness.supervisor;
    await harness.declare('own', { instanceType: 'small' });
    await harness.condition('own', 'Ready', 'True');
    const { metadata } = await client.get(virtualMachines, { namespace: team, name: 'vm-own' });
    assert.equal(metadata.ownerReferences?.[0]?.kind, 'Machine');
    await harness.told('own', ['Placed', 'VMCreated', 'Running']);
  });

  test('its metrics are those of the reference', async () => {
    const text = await (await get(ports[1], '/metrics')).text();
    assert.match(text, /^kubevirt_operator_machines_total\{phase="Running",template="small"\} 1$/m);
    assert.match(text, /^kubevirt_operator_virtual_machines_total\{status="Running"\} 1$/m);
    assert.match(text, /^kubevirt_operator_reconciliation_duration_seconds_count\{controller="Machine"\} \d+$/m);
    assert.match(text, /^kubevirt_operator_storage_provisioning_duration_seconds_count\{storage_class="[^"]+"\} 1$/m);
    await harness.declare('lost', { template: 'small', networks: [{ name: 'eth0', networkName: 'absent' }] });
    await harness.condition('lost', 'Ready', 'False', 'NetworkConfigurationNotFound');
    const after = await (await get(ports[1], '/metrics')).text();
    assert.match(after, /^kubevirt_operator_network_configuration_errors_total\{network_name="absent"\} 1$/m);
    assert.match(
      after,
      /^kubevirt_operator_reconciliation_errors_total\{controller="Machine",error_type="NetworkConfigurationNotFound"\} 1$/m,
    );
  });

  test('a cluster stays in the fleet while Machines are placed on it', async () => {
    const { supervisor } = harness;
    await putConfig(supervisor, 'far');
    const { finalizer } = holders.machines;
    await until(
      'it is held',
      async () => (await getConfig(supervisor, 'far')).metadata.finalizers?.includes(finalizer) === true,
      patient,
    );
    await harness.declare('distant', { template: 'small', kubevirtConfigRef: 'far' });
    await harness.condition('distant', 'Ready', 'False', 'ClusterUnavailable');
    // As if the cluster had been reached once.
    const placed = { type: 'merge', body: { status: { kubevirtConfigRef: 'far' } } } as const;
    await supervisor.client.patch(machines, { namespace: team, name: 'distant' }, placed, { subresource: 'status' });
    await supervisor.client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'far' });
    const { status } = await condition(supervisor, 'far', holders.machines.condition, 'True', 'UsersLeft');
    assert.match(JSON.stringify(status), /Machine .*team-a\/distant/);
    await supervisor.client.delete(machines, { namespace: team, name: 'distant' });
    await until(
      'it is let go',
      async () =>
        (await look(supervisor.client, kubevirtConfigs, { namespace: configsNamespace, name: 'far' })) === undefined,
      patient,
    );
  });

  test('what was made goes in order', async () => {
    const { client } = harness.supervisor;
    await client.delete(machines, { namespace: team, name: 'own' });
    await harness.gone('own');
    assert.equal(await look(client, virtualMachines, { namespace: team, name: 'vm-own' }), undefined);
    assert.equal(await look(client, claims, { namespace: team, name: 'own-root' }), undefined);
  });
});
