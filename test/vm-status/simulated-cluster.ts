/** A sandbox with KubeVirt simulated, fast, as a process that can be killed and restarted with its state. */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { RestartableCluster } from '../cluster/cluster.ts';
import { startRestartableSandbox } from '../cluster/sandbox.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import type { HarnessCluster } from './harness.ts';
import { namespace } from './tenant.ts';

const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** Everything that a VM needs, without parts that tests would have to wait for. */
const flags = ['--bare=false', '--parts', 'kubevirt,nodes,storage,cdi', '--speed', '60'];

export class SimulatedCluster implements HarnessCluster {
  readonly name: string;
  readonly namespace = namespace;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly client: Client;
  readonly #cluster: RestartableCluster;

  private constructor(name: string, cluster: RestartableCluster) {
    this.name = name;
    this.#cluster = cluster;
    this.url = cluster.url;
    this.ca = cluster.ca;
    this.token = cluster.token;
    this.client = createClient({ cluster: name, source: fixedSource(this), userAgent: 'vm-status-chaos' });
  }

  static async start(name: string, machines: number): Promise<SimulatedCluster> {
    const nodes = ['--nodes', String(Math.max(2, Math.ceil(machines / 40))), '--node-memory', '256Gi'];
    const cluster = new SimulatedCluster(name, await startRestartableSandbox({ args: [...flags, ...nodes] }));
    await cluster.client.create(namespaces, { metadata: { name: namespace } });
    return cluster;
  }

  kill(): Promise<void> {
    return this.#cluster.kill();
  }

  /** Resolves when it answers. */
  async restart(): Promise<void> {
    await this.#cluster.restart();
    const answers = async (): Promise<boolean> => {
      await this.client.get(namespaces, { name: namespace }, { timeoutMs: 10_000 });
      return true;
    };
    await until(`${this.name} answers`, answers, { deadlineMs: 60_000 });
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.#cluster.stop();
  }
}
