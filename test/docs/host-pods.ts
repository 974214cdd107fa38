/**
 * Plays the controllers of a Deployment, and gives it a pod on a simulated node. Its process runs on this host, with
 * the arguments, the settings and the account of the pod, and the API server gets its log from here.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { isConditionTrue, type Condition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import type { ProcessGroup, Started } from '../cluster/processes.ts';
import { look } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly [
    { readonly name: string; readonly command: readonly string[]; readonly args: readonly string[] },
  ];
  readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
}
interface Deployment extends KubeObject {
  readonly spec: { readonly template: { readonly metadata: KubeObject['metadata']; readonly spec: PodSpec } };
}
interface Node extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}
interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const core = <T extends KubeObject>(kind: string, namespaced = true): ResourceType<T> => ({
  group: '',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced,
});
const nodes = core<Node>('Node', false);
const pods = core<KubeObject>('Pod');
const serviceAccounts = core<KubeObject>('ServiceAccount');
const configMaps = core<ConfigMap>('ConfigMap');
export const deployments: ResourceType<Deployment> = { ...core('Deployment'), group: 'apps' };

/** For a busy host. */
const patient = { deadlineMs: 120_000, everyMs: 100 } as const;

export interface HostPodsOptions {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly processes: ProcessGroup;
  /** A clone, with `bin/ssvirt`; the logs of `processes` are there too. */
  readonly folder: string;
}

export class HostPods {
  readonly #options: HostPodsOptions;
  readonly #kubelet: Server;
  #isStopped = false;

  private constructor(options: HostPodsOptions, kubelet: Server) {
    this.#options = options;
    this.#kubelet = kubelet;
  }

  static async start(options: HostPodsOptions): Promise<HostPods> {
    return new HostPods(options, await serveLogs(options.folder));
  }

  /** Waits for the Deployment, starts its process, and reports it as available when the process is ready. */
  async run(namespace: string, name: string): Promise<Started> {
    const { client, folder, processes } = this.#options;
    const key = { namespace, name };
    const isThere = async (): Promise<boolean> =>
      this.#isStopped || (await look(client, deployments, key)) !== undefined;
    await until(`there is a Deployment ${name}`, isThere, patient);
    if (this.#isStopped) throw new Error(`stopped before there was a Deployment ${name}`);
    const { metadata, spec } = await client.get(deployments, key);
    const { metadata: podMetadata, spec: podSpec } = spec.template;
    const pod = { namespace, name: `${name}-0` };
    await client.create(pods, {
      metadata: { ...pod, labels: podMetadata.labels ?? {} },
      spec: { ...podSpec, nodeName: await this.#node() },
    } as KubeObject);
    const [container] = podSpec.containers;
    const [path = '', ...command] = container.command;
    const [health = 0, metrics = 0] = await freePorts(2);
    const started = processes.start(
      pod.name,
      join(folder, 'bin', basename(path)),
      [
        ...command,
        ...(await this.#withFiles(namespace, podSpec)),
        '--kubeconfig',
        await this.#kubeconfigOf(namespace, podSpec.serviceAccountName),
        '--health-addr',
        `127.0.0.1:${health}`,
        '--metrics-addr',
        `127.0.0.1:${metrics}`,
      ],
      ownEnvironment(join(folder, 'pod-home')),
    );
    await until(
      `${name} is ready`,
      async () => {
        assert.equal(started.child.exitCode, null, started.tail());
        return (await fetch(`http://127.0.0.1:${health}/readyz`)).ok;
      },
      patient,
    );
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const available = { observedGeneration: metadata.generation, ...counts };
    await client.patch(deployments, key, { type: 'merge', body: { status: available } }, { subresource: 'status' });
    return started;
  }

  /** The name of a node whose kubelet is ours. The node simulator writes the addresses of a node until it is ready. */
  async #node(): Promise<string> {
    const { client } = this.#options;
    const { port: Port } = this.#kubelet.address() as AddressInfo;
    const { items } = await client.list(nodes);
    const name = items.find(({ status }) => isConditionTrue(status?.conditions, 'Ready'))?.metadata.name;
    assert.ok(name !== undefined, 'no simulated node is ready');
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port } } };
    await client.patch(nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
    return name;
  }

  /** The arguments, with files of this host for those of the ConfigMap. */
  async #withFiles(namespace: string, { containers: [{ args }], volumes }: PodSpec): Promise<readonly string[]> {
    const { client, folder } = this.#options;
    const name = volumes.flatMap(({ configMap }) => configMap?.name ?? [])[0] ?? '';
    const { data } = await client.get(configMaps, { namespace, name });
    mkdirSync(join(folder, 'pod-files'), { recursive: true });
    for (const [file, text] of Object.entries(data ?? {})) writeFileSync(join(folder, 'pod-files', file), text);
    return args.map((arg) => arg.replace('/etc/ssvirt/', `${folder}/pod-files/`));
  }

  async #kubeconfigOf(namespace: string, account: string): Promise<string> {
    const { client, cluster, folder } = this.#options;
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
    const key = { namespace, name: account };
    const { status } = (await client.createSubresource(serviceAccounts, key, 'token', request)) as {
      status: { token: string };
    };
    return writeContexts(join(folder, 'pod-files/kubeconfig'), { own: { ...cluster, token: status.token } });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#kubelet.closeAllConnections();
    await new Promise((done) => this.#kubelet.close(done));
  }
}

/** The kubelet's `/containerLogs/NAMESPACE/POD/CONTAINER`, from the logs of the process group. */
async function serveLogs(folder: string): Promise<Server> {
  const authority = await createAuthority('kubelet');
  const { certificate: cert, key } = await authority.issue({
    commonName: 'kubelet',
    addresses: ['127.0.0.1'],
    server: true,
  });
  const server = createServer({ cert, key }, (request, answer) => {
    const [, pod] = /^\/containerLogs\/[^/]+\/([^/]+)\//.exec(request.url ?? '') ?? [];
    answer.writeHead(pod === undefined ? 404 : 200, { 'content-type': 'text/plain' });
    answer.end(pod === undefined ? '' : readFileSync(join(folder, `${pod}.log`)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
