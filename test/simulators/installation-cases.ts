/** A cluster in which KubeVirt and CDI are installed and healthy, on the sandbox and on a real kube-apiserver. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { simulatedDefinitions } from '../../packages/sandbox/src/simulators/crds/definitions.ts';
import { commonInstancetypes } from '../../packages/sandbox/src/simulators/kubevirt/installation/common-instancetypes.ts';
import { commonPreferences } from '../../packages/sandbox/src/simulators/kubevirt/installation/common-preferences.ts';
import { daemonSets, deployments } from '../../packages/sandbox/src/simulators/kubevirt/installation/workloads.ts';
import {
  clusterInstancetypes,
  clusterPreferences,
  kubeVirts,
  pods,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

const KUBEVIRT = { namespace: 'kubevirt', name: 'kubevirt' };
const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const cdis: ResourceType = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'CDI',
  plural: 'cdis',
  namespaced: false,
};

interface Installation extends Unstructured {
  readonly status?: {
    readonly phase?: string;
    readonly observedKubeVirtVersion?: string;
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  };
}

interface Conditioned extends Unstructured {
  readonly status?: {
    readonly readyReplicas?: number;
    readonly numberReady?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const saying = ({ status }: Installation, type: string): string | undefined =>
  status?.conditions?.find((condition) => condition.type === type)?.status;

export function installationCases(start: () => Promise<Credentials & { stop(): Promise<void> }>): void {
  let cluster: Credentials & { stop(): Promise<void> };
  let client: Client;
  let simulators: Simulators;
  const kubevirt = (): Promise<Installation> => client.get<Installation>(kubeVirts, KUBEVIRT);
  const isAvailable = async (): Promise<boolean> => saying(await kubevirt(), 'Available') === 'True';

  before(async () => {
    cluster = await start();
    const source = fixedSource(cluster);
    client = createClient({ cluster: 'installation', source, userAgent: 'installation-test' });
    simulators = await startSimulators({
      source,
      name: 'installation',
      parts: ['kubevirt', 'nodes', 'cdi'],
      dials: { speed: 50 },
      log: pino({ level: 'silent' }),
    });
  });
  after(async () => {
    await simulators?.stop();
    await client?.close();
    await cluster?.stop();
  });

  test('every definition is established, and nothing is said against its schema', async () => {
    const { items } = await client.list<Conditioned>(definitions);
    for (const { metadata } of simulatedDefinitions) {
      const found = items.find((one) => one.metadata.name === metadata.name);
      const conditions = Object.fromEntries(
        (found?.status?.conditions ?? []).map(({ type, status }) => [type, status]),
      );
      assert.equal(conditions['Established'], 'True', metadata.name);
      assert.notEqual(conditions['NonStructuralSchema'], 'True', metadata.name);
    }
  });

  test('KubeVirt is there in its version, and healthy; so is CDI', async () => {
    // KubeVirt rolls out again with each node that joins.
    await until('KubeVirt is available', async () => {
      const { status } = await kubevirt();
      assert.deepEqual(
        status?.conditions?.map(({ type, status: state, reason }) => [type, state, reason]),
        [
          ['Available', 'True', 'AllComponentsReady'],
          ['Progressing', 'False', 'AllComponentsReady'],
          ['Degraded', 'False', 'AllComponentsReady'],
          ['Created', 'True', 'AllResourcesCreated'],
        ],
      );
      assert.equal(status.phase, 'Deployed');
      assert.equal(status.observedKubeVirtVersion, 'v1.9.0');
      return true;
    });
    const cdi = (): Promise<Installation> => client.get<Installation>(cdis, { name: 'cdi' });
    await until('CDI is available', async () => saying(await cdi(), 'Available') === 'True');
    assert.equal((await cdi()).status?.phase, 'Deployed');
  });

  test('its workloads have pods that run, one virt-handler on each node', async () => {
    const { items } = await client.list<Conditioned>(deployments, { namespace: 'kubevirt' });
    assert.deepEqual(items.map(({ metadata, status }) => `${metadata.name} ${status?.readyReplicas}`).toSorted(), [
      'virt-api 2',
      'virt-controller 2',
      'virt-operator 2',
    ]);
    const handler = { namespace: 'kubevirt', name: 'virt-handler' };
    await until(
      'all nodes have one',
      async () => (await client.get<Conditioned>(daemonSets, handler)).status?.numberReady === 3,
    );
    const owners = async (): Promise<readonly (string | undefined)[]> => {
      const handlers = await client.list(pods, { namespace: 'kubevirt', labelSelector: 'kubevirt.io=virt-handler' });
      return handlers.items.map(({ metadata }) => metadata.ownerReferences?.find(({ controller }) => controller)?.kind);
    };
    await until('a drain of a node may leave them', async () => (await owners()).every((kind) => kind === 'DaemonSet'));
    const running = await client.list(pods, { namespace: 'kubevirt', labelSelector: 'kubevirt.io=virt-api' });
    assert.deepEqual(
      running.items.map(({ status }) => status?.phase),
      ['Running', 'Running'],
    );
  });

  test('a change of its configuration is seen', async () => {
    await client.patch(kubeVirts, KUBEVIRT, {
      type: 'merge',
      body: { spec: { configuration: { evictionStrategy: 'LiveMigrate' } } },
    });
    await until('the new generation is observed', async () => (await kubevirt()).status?.observedGeneration === 2);
  });

  test('without virt-api it is not available, until virt-api is back', async () => {
    const virtApi = { namespace: 'kubevirt', name: 'virt-api' };
    const scale = (replicas: number): Promise<unknown> =>
      client.patch(deployments, virtApi, { type: 'merge', body: { spec: { replicas } } });
    await scale(0);
    await until('KubeVirt is not available', async () => !(await isAvailable()));
    await scale(2);
    await until('KubeVirt is available again', isAvailable);
  });

  test('instance types and preferences are there', async () => {
    const count = async (type: ResourceType): Promise<number> => (await client.list(type)).items.length;
    await until('all are', async () => (await count(clusterInstancetypes)) === commonInstancetypes().length);
    await until('all are', async () => (await count(clusterPreferences)) === commonPreferences().length);
  });
}
