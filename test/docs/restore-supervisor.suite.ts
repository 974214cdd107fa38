/**
 * "Restore the supervisor" of docs/provider/backup-and-restore.md, typed as printed, on a supervisor whose data is
 * replaced by an earlier copy.
 */
// needs: kubectl
import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { claims, instances, namespaces, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { machines } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { throwAwayFolder, type RestartableCluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { startRestartableSandbox } from '../cluster/sandbox.ts';
import { install } from '../fleet/definition.ts';
import { configsNamespace, putConfig } from '../fleet/harness.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { look, OperatorHarness, patient, team } from '../machine-operator/harness.ts';
import { command } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';
import { Pods } from './pods.ts';
import { typedBySuites, typeSection } from './typed.ts';

const { page, sections } = typedBySuites['restore-supervisor.suite.ts'];
const [section] = sections;
const crds = resolve(import.meta.dirname, '../../deploy/crds');

describe('a supervisor that goes back to a backup, by the commands of the page', { timeout: 600_000 }, () => {
  /** The supervisor itself is a cluster of the fleet here. */
  let east: OperatorHarness;
  let supervisor: RestartableCluster;
  let client: Client;
  let folder: ThrowAwayFolder;
  let processes: ProcessGroup;
  let pods: Pods;
  let env: NodeJS.ProcessEnv;

  const type = (...only: readonly number[]): Promise<string> =>
    typeSection(page, section, { cwd: folder.path, env, only });
  const declare = (name: string): Promise<unknown> =>
    client.create(machines, {
      metadata: { namespace: team, name },
      spec: { template: 'small', kubevirtConfigRef: 'east', disks: [{ name: 'data', size: '1Gi' }] },
    });
  const ready = (name: string): Promise<void> =>
    until(
      `Machine ${name} is ready`,
      async () => {
        const { status } = await client.get(machines, { namespace: team, name });
        if (findCondition(status?.conditions, 'Ready')?.status === 'True') return true;
        throw new Error(`${JSON.stringify(status)}\n${pods.tail('ssvirt-machine-operator')}`);
      },
      patient,
    );
  const state = async (): Promise<readonly string[]> => {
    const all = await Promise.all(
      [virtualMachines, instances, claims].map(async (type) => {
        const { items } = await east.supervisor.client.list(type, { namespace: team });
        return items.map((one) => {
          const { template } = fields(fields(one)['spec']);
          const spec = type === virtualMachines ? JSON.stringify(fields(template)['spec']) : '';
          return `${type.kind} ${one.metadata.name} ${one.metadata.uid} ${spec}`;
        });
      }),
    );
    return all.flat().toSorted();
  };

  before(async () => {
    folder = await throwAwayFolder('restore-supervisor-');
    processes = processGroup(folder.path);
    [east, supervisor] = await Promise.all([OperatorHarness.start(), startRestartableSandbox()]);
    client = createClient({ cluster: 'supervisor', source: fixedSource(supervisor), userAgent: 'docs' });
    const definitions = globSync('*.yaml', { cwd: crds }).map(
      (file) => parse(readFileSync(join(crds, file), 'utf8')) as Unstructured,
    );
    await install(client, ...definitions);
    for (const name of ['ssvirt-system', configsNamespace, team])
      await client.create(namespaces, { metadata: { name } });
    const opened = { metadata: { annotations: { 'vitistack.io/allow-machines': 'true' } } };
    await east.supervisor.client.patch(namespaces, { name: team }, { type: 'merge', body: opened });
    await putConfig({ client }, 'east', east.supervisor);
    const file = join(folder.path, 'clusters.kubeconfig');
    env = ownEnvironment(folder.path, { KUBECONFIG: await writeContexts(file, { supervisor, east: east.supervisor }) });
    const [health = 0, metrics = 0] = await freePorts(2);
    const flags = ['--health-addr', `127.0.0.1:${health}`, '--metrics-addr', `127.0.0.1:${metrics}`];
    const args = ['machine-operator', '--kubeconfig', file, '--context', 'supervisor', ...flags];
    pods = await Pods.start(client, processes, {
      'ssvirt-machine-operator': { command, args, env },
      'ssvirt-cloudkit-operator': undefined,
    });
  });
  after(async () => {
    await pods?.stop();
    await processes?.stop();
    await client?.close();
    await supervisor?.stop();
    await east?.stop();
    await folder?.remove();
  });

  test('every virtual machine keeps its uid, disks and addresses, and none that was deleted comes back', async () => {
    for (const name of ['kept', 'deleted']) await declare(name);
    for (const name of ['kept', 'deleted']) await ready(name);
    const data = join(dirname(supervisor.adminKubeconfig), 'data');
    const backup = join(folder.path, 'backup');
    await supervisor.kill();
    cpSync(data, backup, { recursive: true });
    await supervisor.restart();

    await declare('declared-since');
    await ready('declared-since');
    await client.delete(machines, { namespace: team, name: 'deleted' });
    await until(
      'it is gone',
      async () => (await look(client, machines, { namespace: team, name: 'deleted' })) === undefined,
      patient,
    );
    const before = await state();
    assert.ok(!before.some((one) => one.includes('deleted')));
    const { apiVersion, kind, spec } = {
      ...(await client.get(machines, { namespace: team, name: 'declared-since' })),
      apiVersion: 'vitistack.io/v1alpha1',
      kind: 'Machine',
    };
    const manifest = { apiVersion, kind, metadata: { namespace: team, name: 'declared-since' }, spec };
    writeFileSync(join(folder.path, 'declared-since.yaml'), JSON.stringify(manifest));

    await type(0);
    await pods.pause();
    await supervisor.kill();
    rmSync(data, { recursive: true });
    cpSync(backup, data, { recursive: true });
    await supervisor.restart();
    await type(1);
    pods.resume();
    await until(
      'it is there again',
      async () => (await look(client, machines, { namespace: team, name: 'deleted' })) !== undefined,
      patient,
    );
    const output = await type(2, 3, 4);
    assert.match(output, /vm-declared-since/);
    assert.deepEqual(await state(), before);
    assert.equal(await look(client, machines, { namespace: team, name: 'deleted' }), undefined);
  });
});
