/**
 * The requests of a sweep. There is no claim, because no work is done on what it deletes; the row was read right
 * before.
 */
import type { RequestOptions } from '@ssvirt/kube/client/client';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Seen } from '../engine/leased-client.ts';
import { fieldManager } from '../vdcs/vdc-types.ts';
import type { ReleaseClient } from '../vapps/release-instance.ts';

export class SweepClient implements ReleaseClient {
  readonly #cluster: Cluster;
  readonly #options: RequestOptions;

  constructor(cluster: Cluster, options: RequestOptions) {
    this.#cluster = cluster;
    this.#options = options;
  }

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.#cluster.client.get(type, key, this.#options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  patch<T extends KubeObject>(type: ResourceType<T>, seen: Seen, change: object): Promise<T> {
    const { metadata } = change as { readonly metadata?: object };
    const { uid, resourceVersion } = seen.metadata;
    const body = { ...change, metadata: { ...metadata, uid, resourceVersion } };
    const options = { ...this.#options, fieldManager };
    return this.#cluster.client.patch(type, keyOfObject(seen), { type: 'merge', body }, options);
  }

  async delete(type: ResourceType<KubeObject>, seen: Seen): Promise<void> {
    const { uid = '' } = seen.metadata;
    try {
      await this.#cluster.client.delete(type, keyOfObject(seen), { ...this.#options, uid });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Deletes whatever has that name: for objects that may not be read and whose name is unique. */
  async deleteNamed(type: ResourceType<KubeObject>, key: ObjectKey): Promise<void> {
    try {
      await this.#cluster.client.delete(type, key, this.#options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
