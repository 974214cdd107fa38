/** The server's history of the object that the leaders write, and what must never be in it. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject, ObjectKey } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';

export interface State extends KubeObject {
  readonly data?: { readonly epoch?: string; readonly counter?: string; readonly writer?: string };
}

export const states: ResourceType<State> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export interface Written {
  readonly writer: string;
  readonly epoch: number;
  /** Each writer adds one to what it read. */
  readonly counter: number;
}

/** A sentence for each place where a newer state was overwritten by an older writer. */
export function violations(history: readonly Written[]): readonly string[] {
  return history.slice(1).flatMap((now, index) => {
    const before = history[index] ?? now;
    const at = `write ${index + 2} by ${now.writer}`;
    if (now.epoch < before.epoch) return [`${at}: epoch ${now.epoch} after ${before.epoch} of ${before.writer}`];
    if (now.epoch === before.epoch && now.writer !== before.writer)
      return [`${at}: shares its epoch with ${before.writer}`];
    if (now.counter !== before.counter + 1) return [`${at}: counter ${now.counter} after ${before.counter}`];
    return [];
  });
}

export class History {
  readonly writes: Written[] = [];
  readonly #stop = new AbortController();
  #following: Promise<void> = Promise.resolve();

  /** Creates the object, and follows it from there. */
  static async begin(client: Client, key: ObjectKey): Promise<History> {
    const history = new History();
    const made = await client.create(states, { metadata: key, data: { counter: '0' } });
    const { resourceVersion = '' } = made.metadata;
    history.#following = history.#follow(client, key, resourceVersion);
    return history;
  }

  by(writer: string): readonly Written[] {
    return this.writes.filter((written) => written.writer === writer);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(client: Client, { namespace, name }: ObjectKey, resourceVersion: string): Promise<void> {
    const stream = await client.watch(states, {
      ...defined({ namespace }),
      fieldSelector: `metadata.name=${name}`,
      resourceVersion,
      signal: this.#stop.signal,
    });
    try {
      for await (const events of stream)
        for (const event of events) if (event.type === 'MODIFIED') this.#note(event.object);
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  #note({ data }: State): void {
    this.writes.push({ writer: data?.writer ?? '', epoch: Number(data?.epoch), counter: Number(data?.counter) });
  }
}
