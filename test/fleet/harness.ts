/** A supervisor cluster with a fleet on it, and ways to give it members. */
import { Registry } from 'prom-client';
import { pino, type Logger } from 'pino';
import type { Cluster } from '../../packages/kube/src/cluster.ts';
import { connectCluster } from '../../packages/kube/src/connect-cluster.ts';
import { createMetrics, type Metrics } from '../../packages/kube/src/metrics/metrics.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { createFleet, type FleetOptions } from '../../packages/ssvirt/src/fleet/create-fleet.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import {
  kubevirtConfigs,
  type KubevirtConfig,
} from '../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import { secrets, type SecretObject } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { kubeVirts } from '../../packages/ssvirt/src/fleet/health/kubevirt-ready.ts';
import { kubeconfigText, type Credentials } from '../cluster/cluster.ts';
import { until } from '../runtime/until.ts';
import { install, kubevirtConfigDefinition, looseDefinition } from './definition.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from './sandboxes.ts';

export const configsNamespace = 'kubevirt-configs';

export const virtualMachines: ResourceType = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};

const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** Short enough for a test, long enough for a busy host. */
export const testTimes = {
  intervalMs: 300,
  deadlineMs: 2000,
  probeMs: 1000,
  retryMs: 50,
  secretGraceMs: 1000,
} as const;
export const testReflector = { backoff: { initialMs: 50, factor: 2, maxMs: 400, jitter: 0.5 } } as const;

export interface FleetHarness {
  readonly supervisor: MemberCluster;
  readonly local: Cluster;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Starts a fleet; it ends with the harness, or by its `end`. */
  fleet(options?: Partial<FleetOptions>): { readonly fleet: Fleet; readonly end: () => Promise<void> };
  stop(): Promise<void>;
}

export async function startFleetHarness(): Promise<FleetHarness> {
  const log = pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent' });
  const metrics = createMetrics(new Registry());
  const supervisor = await startMemberCluster('supervisor');
  await install(supervisor.client, kubevirtConfigDefinition());
  await supervisor.client.create(namespaces, { metadata: { name: configsNamespace } });
  const source = fixedSource(supervisor);
  const reflector = testReflector;
  const local = connectCluster({
    name: 'local',
    component: 'fleet-test',
    source,
    log,
    metrics,
    reflector,
    flushMs: 500,
  });
  const running: (() => Promise<void>)[] = [];
  return {
    supervisor,
    local,
    metrics,
    log,
    fleet(options = {}) {
      const fleet = createFleet({
        local,
        namespace: configsNamespace,
        component: 'fleet-test',
        userAgent: 'fleet-test',
        log,
        metrics: createMetrics(new Registry()),
        times: testTimes,
        reflector: testReflector,
        ...options,
      });
      const stopping = new AbortController();
      const ended = fleet.run({ signal: stopping.signal });
      const end = async (): Promise<void> => {
        stopping.abort();
        await ended;
      };
      running.push(end);
      return { fleet, end };
    },
    async stop() {
      for (const end of running) await end();
      await local.close();
      await supervisor.stop();
    },
  };
}

/** The kinds of KubeVirt, and an object that says it is available, unless `available` is false. */
export async function installKubeVirt({ client }: Pick<MemberCluster, 'client'>, available = true): Promise<void> {
  await install(
    client,
    looseDefinition('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines'),
    looseDefinition('kubevirt.io', 'v1', 'VirtualMachineInstance', 'virtualmachineinstances'),
    looseDefinition('kubevirt.io', 'v1', 'KubeVirt', 'kubevirts'),
    looseDefinition('cdi.kubevirt.io', 'v1beta1', 'DataVolume', 'datavolumes'),
  );
  const conditions = [{ type: 'Available', status: available ? 'True' : 'False', message: 'virt-api is not ready' }];
  const kubeVirt = {
    metadata: { namespace: 'default', name: 'kubevirt' },
    status: { observedKubeVirtVersion: 'v1.6.0', conditions },
  };
  await client.create(kubeVirts, kubeVirt);
}

export async function createMachines({ client }: MemberCluster, prefix: string, count: number): Promise<void> {
  const create = (i: number): Promise<Unstructured> =>
    client.create(virtualMachines, { metadata: { namespace: 'default', name: `${prefix}-${i}` } });
  await Promise.all(Array.from({ length: count }, (_, i) => create(i)));
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const secretNameOf = (name: string): string => `${name}-kubeconfig`;

/** Creates the Secret, or changes it. */
export async function putSecret(
  { client }: Pick<MemberCluster, 'client'>,
  name: string,
  kubeconfig: string,
): Promise<void> {
  const metadata = { namespace: configsNamespace, name: secretNameOf(name) };
  const secret: SecretObject = { metadata, data: { kubeconfig: base64(kubeconfig) } };
  await client.apply(secrets, secret, { force: true });
}

export async function putConfig(
  supervisor: Pick<MemberCluster, 'client'>,
  name: string,
  credentials?: Credentials,
): Promise<KubevirtConfig> {
  if (credentials !== undefined) await putSecret(supervisor, name, kubeconfigText(credentials));
  const metadata = { namespace: configsNamespace, name };
  return supervisor.client.create(kubevirtConfigs, {
    metadata,
    spec: { name, kubeconfigSecretRef: secretNameOf(name) },
  });
}

export function getConfig({ client }: MemberCluster, name: string): Promise<KubevirtConfig> {
  return client.get(kubevirtConfigs, { namespace: configsNamespace, name });
}

/** Waits for a condition such as `Reachable=False TimedOut`; resolves to the object. */
export async function condition(
  supervisor: MemberCluster,
  name: string,
  type: string,
  status: string,
  reason?: string,
): Promise<KubevirtConfig> {
  let config: KubevirtConfig | undefined;
  await until(`${name} has ${type}=${status} ${reason ?? ''}`, async () => {
    config = await getConfig(supervisor, name);
    const found = findCondition(config.status?.conditions, type);
    if (found?.status === status && (reason === undefined || found.reason === reason)) return true;
    throw new Error(`it has ${JSON.stringify(config.status)}`);
  });
  if (config === undefined) throw new Error('until has not waited');
  return config;
}

export async function phase(supervisor: MemberCluster, name: string, wanted: string): Promise<KubevirtConfig> {
  let config: KubevirtConfig | undefined;
  await until(`${name} is ${wanted}`, async () => {
    config = await getConfig(supervisor, name);
    if (config.status?.phase === wanted) return true;
    throw new Error(`it has ${JSON.stringify(config.status)}`);
  });
  if (config === undefined) throw new Error('until has not waited');
  return config;
}

export async function uidOf({ client }: MemberCluster): Promise<string> {
  const { metadata } = await client.get(namespaces, { name: 'kube-system' });
  return metadata.uid ?? '';
}
