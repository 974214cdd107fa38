/**
 * "From an operator with one cluster" and "Names of earlier operators" of docs/provider/clusters.md, typed as printed:
 * on a real kube-apiserver, the machine-operator of the chart takes over from the original vitistack operator. No image
 * is pulled: the pod of the Deployment is a process of this host, with the pod's settings, account and rights.
 */
// needs: kubectl, helm, etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { parse } from 'yaml';
import { claims, instances, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, networkConfigurations } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { clusterRoleBindings } from '../../packages/ssvirt/src/fleet/health/upgrade-rights.ts';
import { fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import { findCondition, isConditionTrue, type Condition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { kubeVirts } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { helm } from '../chart/helm.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { startRealCluster } from '../cluster/real.ts';
import { definitions, install } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { look, patient } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';
import { createEarlierMachine, earlier, earlierDefinition, writeEarlierChart } from './earlier-operator.ts';
import { deployments, HostPods } from './host-pods.ts';
import { clone } from './pages.ts';
import { typedBySuites, typeSection } from './typed.ts';

const { page, sections } = typedBySuites['earlier-operator.suite.ts'];
const [takeover, names] = sections;
const plurals = ['machines', 'networkconfigurations', 'kubevirtconfigs'] as const;
/**
 * The names of Machines, by namespace. The page binds the operator in the first one, whose Machine has cloud-init data.
 */
const declared = { 'team-a': 'cloud', 'team-b': 'mig' } as const;
const serviceAccounts: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const clusterRoles: ResourceType<KubeObject> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

describe('the original vitistack operator, replaced by the commands of the page', { timeout: 600_000 }, () => {
  let cluster: Cluster;
  let client: Client;
  let simulators: Simulators;
  let processes: ProcessGroup;
  let pods: HostPods;
  let folder = '';
  let env: NodeJS.ProcessEnv;

  const type = (section: string, ...only: readonly number[]): Promise<string> =>
    typeSection(page, section, { cwd: folder, env, only });
  const installEarlier = async (chart: string, contents: readonly Unstructured[]): Promise<void> => {
    const path = await writeEarlierChart(join(folder, chart), contents);
    const where = ['--namespace', earlier.namespace, '--create-namespace'];
    // As Helm 3, which installed it, writes objects.
    const flags = ['--server-side=false', ...where];
    const { code, stderr } = await helm(['install', earlier.release, path, ...flags], {}, cluster.adminKubeconfig);
    assert.equal(code, 0, stderr);
  };
  /** Uids, and the disks, networks and addresses of virtual machines. */
  const state = async (): Promise<readonly string[]> => {
    const all: readonly (readonly [ResourceType<KubeObject>, namespace?: string])[] = [
      [definitions],
      ...Object.keys(declared).flatMap((namespace) =>
        [machines, networkConfigurations, virtualMachines, instances, claims, secrets].map(
          (kind) => [kind, namespace] as const,
        ),
      ),
    ];
    const found = await Promise.all(
      all.map(async ([kind, namespace]) => {
        const { items } = await client.list(kind, namespace === undefined ? {} : { namespace });
        return items
          .filter(({ metadata }) => kind !== definitions || metadata.name?.endsWith('.vitistack.io') === true)
          .map((one) => {
            const spec =
              kind === virtualMachines ? JSON.stringify(fields(fields(fields(one)['spec'])['template'])['spec']) : '';
            const { name, uid, deletionTimestamp = 'stays' } = one.metadata;
            return `${kind.kind} ${namespace}/${name} ${uid} ${deletionTimestamp} ${spec}`;
          });
      }),
    );
    return found.flat().toSorted();
  };
  /** What is left of the release. */
  const rest = async (): Promise<readonly string[]> => {
    const { account: name, namespace, binding } = earlier;
    const found: readonly (KubeObject | undefined)[] = await Promise.all([
      look(client, deployments, { namespace, name }),
      look(client, serviceAccounts, { namespace, name }),
      look(client, clusterRoleBindings, { name: binding }),
    ]);
    const { items } = await client.list(secrets, { namespace });
    return [...found, ...items].flatMap((one) => one?.metadata.name ?? []);
  };

  before(async () => {
    folder = clone();
    processes = processGroup(folder);
    cluster = await startRealCluster({ controllers: ['persistentvolume-binder-controller'] });
    client = createClient({ cluster: 'supervisor', source: fixedSource(cluster), userAgent: 'docs' });
    simulators = await startSimulators({
      source: fixedSource(cluster),
      name: 'supervisor',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
      dials: { speed: 40 },
      log: pino({ level: 'silent' }),
    });
    pods = await HostPods.start({ cluster, client, processes, folder });
    await writeContexts(join(folder, 'home/.kube/config'), { supervisor: cluster });
    env = ownEnvironment(join(folder, 'home'));
    // That of KubeVirt's own operator.
    await client.create(clusterRoles, { metadata: { name: 'kubevirt-operator' } });
    await installEarlier('earlier-chart', [earlierDefinition('Machine', 'machines')]);
    await install(
      client,
      earlierDefinition('NetworkConfiguration', 'networkconfigurations'),
      earlierDefinition('KubevirtConfig', 'kubevirtconfigs'),
    );
    for (const [namespace, name] of Object.entries(declared))
      await createEarlierMachine(client, { namespace, name, hasCloudInit: name === 'cloud' });
    await until(
      'KubeVirt is available',
      async () => {
        const { status } = fields((await client.list(kubeVirts, { namespace: 'kubevirt' })).items[0]);
        return isConditionTrue(fields(status)['conditions'] as readonly Condition[] | undefined, 'Available');
      },
      patient,
    );
  });
  after(async () => {
    await processes?.stop();
    await pods?.stop();
    await simulators?.stop({ leaveRegistered: true });
    await client?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  test('leaves its definitions, which are upgraded, and its Machines, whose virtual machines stay the same', async () => {
    const before = await state();
    await type(takeover, 0);
    const { spec } = await client.get(deployments, { namespace: earlier.namespace, name: earlier.account });
    assert.equal(fields(spec)['replicas'], 0);
    await type(takeover, 1);
    const [operator] = await Promise.all([pods.run('ssvirt-system', 'ssvirt-machine-operator'), type(takeover, 2)]);
    for (const plural of plurals) {
      const name = `${plural}.vitistack.io`;
      const file = resolve(import.meta.dirname, `../../deploy/crds/${name}.yaml`);
      const found = fields((await client.get(definitions, { name }))['spec']);
      assert.deepEqual(
        found['versions'],
        fields((parse(readFileSync(file, 'utf8')) as Unstructured)['spec'])['versions'],
      );
    }
    for (const [namespace, name] of Object.entries(declared))
      await until(
        `Machine ${name} is ready`,
        async () => {
          const { status } = await client.get(machines, { namespace, name });
          if (findCondition(status?.conditions, 'Ready')?.status === 'True') return true;
          throw new Error(`${JSON.stringify(status)}\n${operator.tail()}`);
        },
        patient,
      );
    const output = await type(takeover, 3);
    assert.match(output, /^local +Ready /m);
    for (const [namespace, name] of Object.entries(declared)) {
      assert.match(output, new RegExp(`^${namespace} +${name} +Running +True +local +vm-${name} `, 'm'));
      const { uid } = (await client.get(machines, { namespace, name })).metadata;
      const { labels } = (await client.get(claims, { namespace, name: `${name}-root` })).metadata;
      assert.equal(labels?.['ssvirt.io/parent-uid'], uid, 'the disk belongs to the Machine');
    }
    assert.deepEqual(await state(), before);
  });

  test('is removed with its release, which contains a definition, and the definition stays', async () => {
    const before = await state();
    assert.match(await type(names, 0), /^ +name: machines\.vitistack\.io$/m);
    await type(names, 2);
    assert.deepEqual(await rest(), []);
    assert.deepEqual(await state(), before);
  });

  test('is uninstalled if its release contains no definition', async () => {
    await installEarlier('chart-without-definitions', []);
    const before = await state();
    assert.notDeepEqual(await rest(), []);
    assert.match(await type(names, 0), /^no definitions$/m);
    await type(names, 1);
    assert.deepEqual(await rest(), []);
    assert.deepEqual(await state(), before);
    assert.ok((await look(client, clusterRoles, { name: 'kubevirt-operator' })) !== undefined);
  });
});
