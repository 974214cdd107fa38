/**
 * `withOwnWrites` wraps a client so that its writes are in the caches before the call returns: a caller that reads the
 * cache after a write sees that state or a newer one. partition.ts explains why this is sound without waiting for the
 * watch.
 */
import type { Client, Deleted, WriteOptions } from '../client/client.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Informers } from './informers.ts';

export function withOwnWrites(client: Client, informers: Pick<Informers, 'written' | 'deleted'>): Client {
  const shown = <T extends KubeObject>(type: ResourceType<T>, answer: T, options?: WriteOptions): T => {
    if (options?.dryRun !== true && isWhole(type, answer)) informers.written(type, answer);
    return answer;
  };
  const hidden = <T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    answer: Deleted<T>,
    uid?: string,
  ): void => {
    if (!answer.gone) {
      if (isWhole(type, answer.object)) informers.written(type, answer.object);
      return;
    }
    const which = answer.uid ?? uid;
    if (which !== undefined) informers.deleted(type, key, which);
  };
  return {
    cluster: client.cluster,
    get: (type, key, options) => client.get(type, key, options),
    list: (type, options) => client.list(type, options),
    pages: (type, options) => client.pages(type, options),
    watch: (type, options) => client.watch(type, options),
    create: async (type, object, options) => shown(type, await client.create(type, object, options), options),
    createSubresource: (type, key, subresource, body, options) =>
      client.createSubresource(type, key, subresource, body, options),
    update: async (type, object, options) => shown(type, await client.update(type, object, options), options),
    patch: async (type, key, patch, options) => shown(type, await client.patch(type, key, patch, options), options),
    apply: async (type, object, options) => shown(type, await client.apply(type, object, options), options),
    delete: async (type, key, options) => {
      const answer = await client.delete(type, key, options);
      if (options?.dryRun !== true) hidden(type, key, answer, options?.uid);
      return answer;
    },
    // The answer does not say which objects were deleted: the watch brings the deletions.
    deleteCollection: (type, options) => client.deleteCollection(type, options),
    request: (request) => client.request(request),
    connect: (path, options) => client.connect(path, options),
    typeOf: (apiVersion, kind, options) => client.typeOf(apiVersion, kind, options),
    close: () => client.close(),
  };
}

/** Some subresources answer with another kind: a Scale is not the Deployment. */
function isWhole(type: ResourceType<KubeObject>, { kind, metadata }: KubeObject): boolean {
  return (
    (kind === undefined || kind === type.kind) && metadata?.uid !== undefined && metadata.resourceVersion !== undefined
  );
}
