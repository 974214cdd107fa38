/** `ClusterReader` reads as much as the user may read, and records what was forbidden. It writes nothing. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';

export interface ClusterReaderOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Whether to read the contents of Secrets. */
  readonly withSecrets?: boolean;
}

export class ClusterReader {
  /** Kinds that the user may not read: nothing follows from their absence. */
  readonly unread = new Set<string>();
  readonly #asking: ClusterReaderOptions;

  constructor(asking: ClusterReaderOptions) {
    this.#asking = asking;
  }

  at<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined> {
    const { client, signal, withSecrets } = this.#asking;
    const metadataOnly = type.kind === 'Secret' && withSecrets !== true;
    return this.allowed(type, undefined, () => client.get(type, key, { signal, metadataOnly }));
  }

  /** Returns an empty list if the kind is not served. */
  all<T extends KubeObject>(type: ResourceType<T>, namespace?: string, labelSelector?: string): Promise<readonly T[]> {
    return this.allowed(type, [], async () => {
      const { client, signal } = this.#asking;
      const found: T[] = [];
      const selection = {
        ...defined({ namespace, labelSelector }),
      };
      for await (const { items } of client.pages(type, { signal, ...selection })) found.push(...items);
      return found;
    });
  }

  /** Reads metadata only. */
  labelled(type: ResourceType<KubeObject>, namespace: string, labelSelector: string): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#asking;
    return this.allowed(type, [], async () => {
      const { items } = await client.list(type, { namespace, labelSelector, metadataOnly: true, limit: 100, signal });
      return items;
    });
  }

  async allowed<T, U>(type: ResourceType<KubeObject>, otherwise: U, request: () => Promise<T>): Promise<T | U> {
    try {
      return await request();
    } catch (error) {
      if (isKind(error, 'Forbidden')) this.unread.add(resourceName(type));
      else if (!isNotFound(error)) throw error;
      return otherwise;
    }
  }
}
