/**
 * The procedure of docs/provider/clusters.md, typed as printed: a real kube-apiserver with the rights and policies of
 * deploy/rbac becomes a cluster of the fleet, gets a new token, and is removed; the machine-operator runs by its
 * command.
 */
// needs: kubectl, etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  secrets,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { clusterRoleBindings } from '../../packages/ssvirt/src/fleet/health/upgrade-rights.ts';
import { roleBindings } from '../../packages/ssvirt/src/fleet/identity/account.ts';
import { kubevirtConfigs } from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { isKind } from '../../packages/kube/src/errors.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { fields, text } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { freePorts } from '../cluster/ports.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { startRealCluster } from '../cluster/real.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { configsNamespace, condition } from '../fleet/harness.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { look, OperatorHarness, patient, team } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';
import { clone } from './pages.ts';
import { typedBySuites, typeSection } from './typed.ts';

const { page, sections } = typedBySuites['clusters.suite.ts'];
const [secondOne, newToken, takeOut] = sections;
const home = 'ssvirt-system';

describe('a cluster of the fleet, by the commands of the page', { timeout: 600_000 }, () => {
  let harness: OperatorHarness;
  let east: Cluster;
  let client: Client;
  let simulators: Simulators;
  let folder = '';
  let processes: ProcessGroup;
  let env: NodeJS.ProcessEnv;
  let boundAtFirst: readonly string[] = [];

  const type = (section: string, ...only: readonly number[]): Promise<string> =>
    typeSection(page, section, { cwd: folder, env, ...(only.length === 0 ? {} : { only }) });
  const bindings = async (): Promise<readonly string[]> => {
    const { items } = await client.list(clusterRoleBindings, {});
    return items.map(({ metadata }) => metadata.name ?? '').toSorted();
  };
  /** The uid, the disks and the addresses of the VM. */
  const state = async (): Promise<readonly string[]> => {
    const all = await Promise.all(
      [virtualMachines, instances, claims, dataVolumes, secrets].map(async (type) => {
        const { items } = await client.list(type, { namespace: team });
        return items.map((one) => {
          const { template } = fields(fields(one)['spec']);
          const spec = type === virtualMachines ? JSON.stringify(fields(template)['spec']) : '';
          return `${type.kind} ${one.metadata.name} ${one.metadata.uid} ${spec}`;
        });
      }),
    );
    return all.flat().toSorted();
  };
  const tokenInUse = async (): Promise<string> => {
    const key = { namespace: configsNamespace, name: 'east-kubeconfig' };
    const { data } = await harness.supervisor.client.get(secrets, key);
    const kubeconfig = Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString();
    const [, token = ''] = /token: (\S+)/.exec(kubeconfig) ?? [];
    return token;
  };
  const isBelieved = async (token: string): Promise<boolean> => {
    const asked = createClient({ cluster: 'east', source: fixedSource({ ...east, token }), userAgent: 'docs' });
    try {
      await asked.get(namespaces, { name: 'kube-system' });
      return true;
    } catch (error) {
      if (isKind(error, 'Unauthorized', 'Credentials')) return false;
      throw error;
    } finally {
      await asked.close();
    }
  };

  before(async () => {
    folder = clone();
    processes = processGroup(folder);
    [harness, east] = await Promise.all([
      OperatorHarness.start(),
      startRealCluster({ controllers: ['persistentvolume-binder-controller'] }),
    ]);
    client = createClient({ cluster: 'east', source: fixedSource(east), userAgent: 'docs' });
    simulators = await startSimulators({
      source: fixedSource(east),
      name: 'east',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
      dials: { speed: 40 },
      log: pino({ level: 'silent' }),
    });
    await harness.supervisor.client.create(namespaces, { metadata: { name: home } });
    const own = { supervisor: harness.supervisor, east };
    const kubeconfig = await writeContexts(join(folder, 'home/.kube/config'), own);
    env = ownEnvironment(join(folder, 'home'));
    const [health = 0, metrics = 0] = await freePorts(2);
    const flags = ['--kubeconfig', kubeconfig, '--context', 'supervisor', '--health-addr', `127.0.0.1:${health}`];
    const operator = processes.start(
      'machine-operator',
      join(folder, 'bin/ssvirt'),
      ['machine-operator', ...flags, '--metrics-addr', `127.0.0.1:${metrics}`],
      env,
    );
    await until(
      'the machine-operator is ready',
      async () => {
        assert.equal(operator.child.exitCode, null, operator.tail());
        return (await fetch(`http://127.0.0.1:${health}/readyz`)).ok;
      },
      { deadlineMs: 120_000 },
    );
  });
  after(async () => {
    await processes?.stop();
    await simulators?.stop({ leaveRegistered: true });
    await client?.close();
    await east?.stop();
    await harness?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  test('is added, and a Machine runs there by the rights that the page gives', async () => {
    boundAtFirst = await bindings();
    const output = await type(secondOne);
    assert.match(output, /^east +Ready /m);
    const userData = `#cloud-config\n# ${'x'.repeat(3000)}\n`;
    await harness.declare('web', {
      template: 'small',
      kubevirtConfigRef: 'east',
      disks: [{ name: 'data', size: '1Gi' }],
      cloudInit: { userData },
    });
    await harness.condition('web', 'Ready', 'True');
    const { items } = await client.list(roleBindings, { namespace: team });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['ssvirt-machine-operator-secrets'],
    );
  });

  test('gets a new token, and the old one is void, while its machines stay as they are', async () => {
    const before = await state();
    const old = await tokenInUse();
    assert.ok(await isBelieved(old));
    const output = await type(newToken);
    const [, seconds = ''] = /^(\d{10})$/m.exec(output) ?? [];
    const days = (Number(seconds) * 1000 - Date.now()) / 86_400_000;
    assert.ok(days > 1 && days <= 90, `the page says that the token ends in ${days} days`);
    assert.match(output, /Connected/);
    assert.notEqual(await tokenInUse(), old);
    await until('the old token is void', async () => !(await isBelieved(old)), patient);
    assert.ok(await isBelieved(await tokenInUse()));
    await condition(harness.supervisor, 'east', 'Reachable', 'True', 'Connected');
    await harness.condition('web', 'Ready', 'True');
    assert.deepEqual(await state(), before);
    // With the new token.
    await harness.change('web', { spec: { disks: [{ name: 'data', size: '2Gi' }] } });
    await until(
      'the disk has grown',
      async () => {
        const claim = await client.get(claims, { namespace: team, name: 'web-data' });
        return text(fields(fields(fields(fields(claim)['spec'])['resources'])['requests'])['storage'], 16) === '2Gi';
      },
      patient,
    );
  });

  test('is taken out, and nothing of ours is left but the namespace', async () => {
    await type(takeOut, 0);
    await condition(harness.supervisor, 'east', 'InUseByMachines', 'True', 'UsersLeft');
    await type(takeOut, 1, 2);
    await until('its virtual machine is gone', async () => (await state()).length === 0, patient);
    const config = { namespace: configsNamespace, name: 'east' };
    assert.equal(await look(harness.supervisor.client, kubevirtConfigs, config), undefined);
    const kubeconfig = { namespace: configsNamespace, name: 'east-kubeconfig' };
    assert.equal(await look(harness.supervisor.client, secrets, kubeconfig), undefined);
    assert.deepEqual(await bindings(), boundAtFirst);
  });
});
