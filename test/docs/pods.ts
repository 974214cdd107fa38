/**
 * Plays the controllers and the kubelet of a cluster: a Deployment that is scaled up is a process on this host, with a
 * Pod while it runs.
 */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { ProcessGroup, Started } from '../cluster/processes.ts';
import { until } from '../runtime/until.ts';

const namespace = 'ssvirt-system';

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly selector: object; readonly template: object };
}

const deployments: ResourceType<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const pods: ResourceType<KubeObject> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const containers = [{ name: 'ssvirt', image: 'ssvirt' }];

export class Pods {
  readonly #client: Client;
  readonly #group: ProcessGroup;
  readonly #commands: ReadonlyMap<string, Command | undefined>;
  readonly #running = new Map<string, Started | undefined>();
  /** The processes whose Pods are gone. */
  readonly #gone = new Set<string>();
  #isStopping = false;
  #ended: Promise<void> | undefined;

  private constructor(client: Client, group: ProcessGroup, commands: ReadonlyMap<string, Command | undefined>) {
    this.#client = client;
    this.#group = group;
    this.#commands = commands;
  }

  /** Without a command there is a Deployment and a Pod, and no process. */
  static async start(
    client: Client,
    group: ProcessGroup,
    commands: Readonly<Record<string, Command | undefined>>,
  ): Promise<Pods> {
    const started = new Pods(client, group, new Map(Object.entries(commands)));
    for (const name of Object.keys(commands)) {
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await client.create(deployments, { metadata: { namespace, name }, spec });
    }
    started.resume();
    return started;
  }

  /** Nodes and controllers work again, on the present contents of the cluster. */
  resume(): void {
    this.#isStopping = false;
    this.#gone.clear();
    const round = async (): Promise<boolean> => {
      // `until` retries if the cluster does not answer.
      if (!this.#isStopping) await this.#round();
      return this.#isStopping;
    };
    this.#ended = until('the cluster is stopped', round, { deadlineMs: Infinity, everyMs: 200 });
  }

  async #round(): Promise<void> {
    for (const [name, command] of this.#commands) {
      const { spec } = await this.#client.get(deployments, { namespace, name });
      const isWanted = (spec.replicas ?? 1) > 0;
      const pod = { namespace, name: `${name}-0` };
      if (isWanted) this.#gone.delete(name);
      if (isWanted && !this.#running.has(name)) {
        await this.#client
          .create(pods, { metadata: { ...pod, labels: { app: name } }, spec: { containers } } as KubeObject)
          .catch(unlessThere);
        const { command: path, args, env } = command ?? {};
        this.#running.set(name, path === undefined ? undefined : this.#group.start(name, path, args ?? [], env));
      } else if (!isWanted && !this.#gone.has(name)) {
        await this.#end(name);
        const path = `/api/v1/namespaces/${namespace}/pods/${pod.name}`;
        await this.#client.request({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 } }).catch(unlessGone);
        this.#gone.add(name);
      }
    }
  }

  async #end(name: string): Promise<void> {
    const running = this.#running.get(name);
    running?.child.kill('SIGTERM');
    await running?.ended;
    this.#running.delete(name);
  }

  /** The last output of a process, for an error message. */
  tail(name: string): string {
    return this.#running.get(name)?.tail() ?? `${name} does not run`;
  }

  /** Stops reconciling Deployments. */
  async pause(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
  }

  async stop(): Promise<void> {
    await this.pause();
    for (const name of this.#running.keys()) await this.#end(name);
  }
}

function unlessThere(error: unknown): void {
  if ((error as { readonly kind?: string }).kind !== 'AlreadyExists') throw error;
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
