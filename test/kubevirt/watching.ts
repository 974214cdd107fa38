/** One watch per kind over the entire cluster, distributed by namespace. */
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import * as kinds from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { RecordedEvent } from './transcripts.ts';

export type Observer = (type: RecordedEvent['type'], kind: string, object: JsonObject) => void;

const watched = [
  kinds.virtualMachines,
  kinds.virtualMachineInstances,
  kinds.virtualMachineInstanceMigrations,
  kinds.pods,
  kinds.dataVolumes,
  kinds.persistentVolumeClaims,
  kinds.controllerRevisions,
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true },
  { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
] as readonly ResourceType[];

export class Watching {
  readonly #observers = new Map<string, Observer>();
  readonly #stop = new AbortController();
  readonly #loops: Promise<void>[] = [];

  async start(client: Client): Promise<void> {
    await Promise.all(watched.map((type) => this.#follow(client, type)));
  }

  observe(namespace: string, observer: Observer): () => void {
    this.#observers.set(namespace, observer);
    return () => void this.#observers.delete(namespace);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  /** Resolves when the watch is open. */
  async #follow(client: Client, type: ResourceType): Promise<void> {
    const { resourceVersion } = await client.list(type, { limit: 1 });
    const stream = await client.watch(type, { resourceVersion, signal: this.#stop.signal, timeoutSeconds: 3000 });
    const loop = async (): Promise<void> => {
      try {
        for await (const batch of stream)
          for (const { type: change, object } of batch) {
            if (change === 'ERROR') throw new Error(`the watch of ${type.plural} ended: ${JSON.stringify(object)}`);
            if (change === 'BOOKMARK') continue;
            this.#observers.get(object.metadata.namespace ?? '')?.(change, type.kind, object as unknown as JsonObject);
          }
      } catch (error) {
        if (!this.#stop.signal.aborted) throw error;
      }
    };
    this.#loops.push(loop());
  }
}
