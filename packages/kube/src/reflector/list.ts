/** Reads a complete list: in pages when the server must read etcd anyway, at once when its watch cache can answer. */
import type { Client, ListOptions, ObjectList, Selection } from '../client/client.ts';
import { isKind } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { sliceMs, yieldToEventLoop } from '@ssvirt/base/async/yield';
import type { Collection, ReflectorSink } from './sink.ts';

export interface Listed<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly selection: Selection;
  readonly metadataOnly: boolean;
  /** See WatchOptions. */
  readonly withoutManagedFields?: boolean;
}

export interface ListRequest {
  /** Empty for a consistent read, `0` for any cached version, otherwise a minimum version. */
  readonly resourceVersion: string;
  readonly pageSize: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** `readList` puts the items into a collection of the sink; resolves to the collection and the version of the list. */
export async function readList<T extends KubeObject>(
  { client, type, selection, metadataOnly }: Listed<T>,
  request: ListRequest,
  sink: Pick<ReflectorSink<T>, 'begin' | 'room'>,
): Promise<{ readonly collection: Collection<T>; readonly resourceVersion: string }> {
  const base: ListOptions = { ...selection, metadataOnly, timeoutMs: request.timeoutMs, signal: request.signal };
  let collection = sink.begin();
  let page = await client.list(type, { ...base, ...firstPage(request) });
  await collect(page, collection);
  await sink.room(request.signal);
  while (page.continue !== undefined && page.continue !== '') {
    try {
      page = await client.list(type, { ...base, limit: request.pageSize, continue: page.continue });
    } catch (error) {
      if (!isKind(error, 'Gone')) throw error;
      // The snapshot behind the pages has expired. It cannot be continued, and another paged attempt might be as slow:
      // the list is read at once.
      collection = sink.begin();
      page = await client.list(type, base);
    }
    await collect(page, collection);
    await sink.room(request.signal);
  }
  return { collection, resourceVersion: page.resourceVersion };
}

/**
 * A version with a limit would bypass the server's cache; a version without a match has no meaning to older servers.
 */
function firstPage({ resourceVersion, pageSize }: ListRequest): ListOptions {
  if (resourceVersion === '') return { limit: pageSize };
  if (resourceVersion === '0') return { resourceVersion, limit: pageSize };
  return { resourceVersion, resourceVersionMatch: 'NotOlderThan' };
}

async function collect<T extends KubeObject>(page: ObjectList<T>, collection: Collection<T>): Promise<void> {
  let startedAt = performance.now();
  for (const item of page.items) {
    collection.add(item);
    if (performance.now() - startedAt < sliceMs) continue;
    await yieldToEventLoop();
    startedAt = performance.now();
  }
}
