/** A cluster with only KubeVirt simulated: the recordings play nodes, storage and CDI. */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { ConnectionSource } from '../../packages/kube/src/connection.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { startSimulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Cluster, Credentials } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { furnish } from './environment.ts';
import { recordingHandler, type RecordingHandler } from './recording-handler.ts';
import { sender as createSender, type Sender } from './sender.ts';
import { upstreamCrdsFolder } from './transcripts.ts';
import { Watching } from './watching.ts';

export interface Harness {
  readonly sender: Sender;
  readonly watching: Watching;
  readonly handler: RecordingHandler;
  /** A second of a real cluster takes a second divided by this. */
  readonly speed: number;
  /** Makes a namespace for a scenario and returns its name. */
  enter(scenario: string): Promise<string>;
  leave(namespace: string): Promise<void>;
  /** Stops virt-api without notice, or restarts it. */
  virtApi(up: boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface HarnessOptions {
  readonly speed?: number;
  readonly log?: string;
  readonly start?: () => Promise<Cluster>;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { speed = 20, start = startSandbox } = options;
  const cluster = await start();
  try {
    return await build(cluster, speed, options.log ?? 'error');
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function build(cluster: Cluster, speed: number, level: string): Promise<Harness> {
  const log = createLogger({ level, format: 'text' });
  const metrics = createMetrics(new Registry());
  const source = sourceOf(cluster);
  const handler = recordingHandler();
  const simulators = await startSimulators({
    source,
    name: 'replay',
    parts: ['kubevirt'],
    dials: { speed },
    crds: upstreamCrdsFolder,
    virtHandler: handler,
    log,
    metrics,
  });
  const sender = createSender(cluster);
  const client = createClient({ cluster: 'replay', source, userAgent: 'replay', fieldManager: 'replay', metrics, log });
  const watching = new Watching();
  await furnish(sender);
  await watching.start(client);
  let entered = 0;
  return {
    sender,
    watching,
    handler,
    speed,
    async enter(scenario) {
      const name = `replay-${++entered}`;
      const labels = namespaceLabels[scenario];
      const object = {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, ...defined({ labels }) },
      };
      const made = await sender.send({ user: 'admin', method: 'POST', path: '/api/v1/namespaces', body: object });
      if (made.status !== 201) throw new Error(`cannot make namespace ${name}: ${made.status}`);
      return name;
    },
    leave: () => Promise.resolve(),
    async virtApi(up) {
      await (up ? simulators.serving?.resume() : simulators.serving?.pause());
      await availability(sender, up);
    },
    async stop() {
      await watching.stop();
      await simulators.stop({ leaveRegistered: true });
      sender.close();
      await client.close();
      await cluster.stop();
    },
  };
}

/**
 * Waits until the API server has noticed, as the recording's had. It polls, and reacts to changes of the APIService.
 */
async function availability(sender: Sender, up: boolean): Promise<void> {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.subresources.kubevirt.io';
  const contentType = 'application/merge-patch+json';
  for (let asked = 1; asked <= 600; asked++) {
    const body = { metadata: { annotations: { 'replay.example/asked': `${up} ${asked}` } } };
    if (asked % 5 === 1) await sender.send({ user: 'admin', method: 'PATCH', path, contentType, body });
    const { body: service } = await sender.send({ user: 'admin', method: 'GET', path });
    const { conditions = [] } =
      (service as { status?: { conditions?: { type: string; status: string }[] } }).status ?? {};
    if (conditions.some(({ type, status }) => type === 'Available' && (status === 'True') === up)) return;
    await pause(100);
  }
  throw new Error(`the API server did not notice that virt-api is ${up ? 'back' : 'gone'}`);
}

/** A scenario about PodSecurity begins with a namespace that enforces it. */
const namespaceLabels: Readonly<Record<string, Record<string, string>>> = {
  'vm/podsecurity-restricted': { 'pod-security.kubernetes.io/enforce': 'restricted' },
};

function sourceOf({ url, ca, token }: Credentials): ConnectionSource {
  const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
  return { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
}

/** A real control plane, with the binder that the storage scenarios need. */
export async function startRealHarness(options: Omit<HarnessOptions, 'start'> = {}): Promise<Harness> {
  const start = (): Promise<Cluster> => startRealCluster({ controllers: ['persistentvolume-binder-controller'] });
  const harness = await startHarness({ ...options, start });
  try {
    await collected(harness.sender);
    return harness;
  } catch (error) {
    await harness.stop();
    throw error;
  }
}

/**
 * The garbage collector learns of new kinds twice a minute: waits until it collects the children of a VM that does not
 * exist.
 */
async function collected(sender: Sender): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'gone', uid: randomUUID() };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left', ownerReferences: [owner] } };
  const made = await sender.send({ user: 'admin', method: 'POST', path, body: object });
  if (made.status !== 201) throw new Error(`cannot leave something for the garbage collector: ${made.status}`);
  for (let left = 600; left > 0; left--) {
    const { status } = await sender.send({ user: 'admin', method: 'GET', path: `${path}/left` });
    if (status === 404) return;
    await pause(100);
  }
  throw new Error('the garbage collector did not learn of KubeVirt in a minute');
}
