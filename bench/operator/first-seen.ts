/** `FirstSeen` records when a watcher first sees objects, so that both ends of a duration are measured the same way. */
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';

export class FirstSeen {
  /** By name, in milliseconds of `performance.now`. */
  readonly first = new Map<string, number>();
  /** How often each object changed since then. */
  readonly changes = new Map<string, number>();
  readonly #ending = new AbortController();
  readonly #streams: Promise<void>[] = [];
  readonly #look: (object: KubeObject) => void;

  /** `look` receives the new state of an object after each change. */
  constructor(look: (object: KubeObject) => void = () => undefined) {
    this.#look = look;
  }

  /** Watches the objects that are created from now on. */
  async follow(client: Client, type: ResourceType<KubeObject>, namespace: string): Promise<void> {
    const { signal } = this.#ending;
    const { resourceVersion } = await client.list(type, { namespace, limit: 1 });
    const stream = await client.watch(type, { namespace, resourceVersion, signal, withoutManagedFields: true });
    this.#streams.push(this.#read(stream));
  }

  async #read(stream: AsyncIterable<readonly { type: string; object: KubeObject }[]>): Promise<void> {
    try {
      for await (const batch of stream) for (const event of batch) this.#see(event);
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
    }
  }

  #see({ type, object }: { type: string; object: KubeObject }): void {
    const { name = '' } = object.metadata;
    if (type === 'ADDED') this.first.set(name, performance.now());
    else if (type === 'MODIFIED') this.changes.set(name, (this.changes.get(name) ?? 0) + 1);
    if (type !== 'DELETED') this.#look(object);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#streams);
  }
}
