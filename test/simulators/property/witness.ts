/**
 * Watches every change in the cluster from its start, keeps the current objects, and records what KubeVirt would not
 * do.
 */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { isKind } from '../../../packages/kube/src/errors.ts';
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import * as kinds from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { checks } from './invariants.ts';
import type { Seen } from './seen.ts';

const resourceQuotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

const watched = [
  kinds.virtualMachines,
  kinds.virtualMachineInstances,
  kinds.virtualMachineInstanceMigrations,
  kinds.pods,
  kinds.dataVolumes,
  kinds.persistentVolumeClaims,
  kinds.persistentVolumes,
  kinds.controllerRevisions,
  kinds.nodes,
  resourceQuotas,
] as readonly ResourceType[];

export class Witness {
  /** The violations that were seen, in order. */
  readonly violations: string[] = [];
  /** The last events, for the analysis of a failure. */
  readonly story: string[] = [];
  readonly steps = new Map<string, number>();
  #objects = new Map<string, Map<string, Unstructured>>();
  #lastChange = performance.now();
  readonly #stop = new AbortController();
  readonly #loops: Promise<void>[] = [];

  async start(client: Client): Promise<void> {
    await Promise.all(watched.map((type) => this.#follow(client, type)));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  all(kind: string, namespace?: string): readonly Unstructured[] {
    const found = [...(this.#objects.get(kind)?.values() ?? [])];
    return namespace === undefined ? found : found.filter(({ metadata }) => metadata.namespace === namespace);
  }

  get(kind: string, namespace: string, name: string): Unstructured | undefined {
    return this.#objects.get(kind)?.get(`${namespace}/${name}`);
  }

  note(text: string): void {
    this.story.push(text);
  }

  /** The time since the last change. */
  get quietMs(): number {
    return performance.now() - this.#lastChange;
  }

  async #follow(client: Client, type: ResourceType): Promise<void> {
    const { items, resourceVersion } = await client.list(type);
    this.#objects.set(type.kind, new Map(items.map((object) => [keyOf(object), object])));
    const stream = await client.watch(type, { resourceVersion, signal: this.#stop.signal, timeoutSeconds: 3600 });
    const loop = async (): Promise<void> => {
      try {
        for await (const batch of stream)
          for (const { type: change, object } of batch) {
            if (change === 'ERROR') throw new Error(`the watch of ${type.plural} ended: ${JSON.stringify(object)}`);
            if (change !== 'BOOKMARK') this.#see(type.kind, change, object);
          }
        if (!this.#stop.signal.aborted) throw new Error(`the watch of ${type.plural} ended`);
      } catch (error) {
        if (!this.#stop.signal.aborted && !isKind(error, 'Aborted')) this.violations.push(String(error));
      }
    };
    this.#loops.push(loop());
  }

  #see(kind: string, change: Seen['change'], object: Unstructured): void {
    const known = this.#objects.get(kind);
    const key = keyOf(object);
    const before = known?.get(key);
    if (change === 'DELETED') known?.delete(key);
    else known?.set(key, object);
    // Heartbeats of nodes do not count as changes.
    if (kind !== 'Node') this.#lastChange = performance.now();
    const seen: Seen = { kind, change, before, object, all: (its, namespace) => this.all(its, namespace) };
    for (const check of checks) {
      const { line, violation } = check(seen);
      if (line !== undefined) {
        this.story.push(line);
        const step = line.replace(/^\S+ \S+: /, `${kind} `);
        this.steps.set(step, (this.steps.get(step) ?? 0) + 1);
      }
      if (violation !== undefined) {
        this.violations.push(violation);
        this.story.push(`!!! ${violation}`);
      }
    }
  }
}

function keyOf({ metadata }: Unstructured): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
