/**
 * A client whose every request passes the identity guard. A list is returned only after the cluster has confirmed its
 * identity again.
 */
import type {
  Client,
  GetOptions,
  ListOptions,
  ObjectList,
  WatchEvent,
  WatchOptions,
  WatchStream,
} from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { IdentityGuard } from './identity-guard.ts';

/**
 * With `beforeMaking`, a caller that finds nothing only creates the object, and the create passes the guard again. So
 * one recent proof is enough for many creates at once: no cluster replaces another that fast.
 */
const lately = 1000;

const initialEventsEnd = 'k8s.io/initial-events-end';

export function guardedClient(client: Client, guard: IdentityGuard): Client {
  const pass = async <R>(call: () => Promise<R>, options?: Pick<GetOptions, 'signal' | 'beforeMaking'>): Promise<R> => {
    await guard.settle(options?.signal);
    try {
      return await call();
    } catch (error) {
      if (lostConnection(error)) guard.doubt();
      // Another cluster would not have the object either.
      if (isNotFound(error)) await guard.confirm(options?.signal, options?.beforeMaking === true ? lately : 0);
      throw error;
    }
  };

  const list = async <T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>> => {
    const answer = await pass(() => client.list(type, options), options);
    await guard.confirm(options?.signal);
    return answer;
  };

  async function* pages<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListOptions,
  ): AsyncGenerator<ObjectList<T>> {
    await guard.settle(options?.signal);
    try {
      for await (const page of client.pages(type, options)) {
        if (page.continue === undefined || page.continue === '') await guard.confirm(options?.signal);
        guard.assertOpen();
        yield page;
      }
    } catch (error) {
      if (lostConnection(error)) guard.doubt();
      throw error;
    }
  }

  return {
    cluster: client.cluster,
    get: (type, key, options) => pass(() => client.get(type, key, options), options),
    list,
    pages,
    watch: async (type, options) => {
      const { freezes } = guard;
      const stream = await pass(() => client.watch(type, options), options);
      return guardedStream(stream, guard, freezes, options);
    },
    create: (type, object, options) => pass(() => client.create(type, object, options), options),
    createSubresource: (type, key, subresource, body, options) =>
      pass(() => client.createSubresource(type, key, subresource, body, options), options),
    update: (type, object, options) => pass(() => client.update(type, object, options), options),
    patch: (type, key, patch, options) => pass(() => client.patch(type, key, patch, options), options),
    apply: (type, object, options) => pass(() => client.apply(type, object, options), options),
    delete: (type, key, options) => pass(() => client.delete(type, key, options), options),
    deleteCollection: (type, options) => pass(() => client.deleteCollection(type, options), options),
    request: (request) => pass(() => client.request(request), request),
    connect: (path, options) => pass(() => client.connect(path, options), options),
    typeOf: (apiVersion, kind, options) => pass(() => client.typeOf(apiVersion, kind, options), options),
    close: () => client.close(),
  };
}

function guardedStream<T extends KubeObject>(
  stream: WatchStream<T>,
  guard: IdentityGuard,
  freezes: number,
  { signal }: WatchOptions,
): WatchStream<T> {
  const release = guard.track(stream);
  const close = (): void => {
    release();
    stream.close();
  };
  assertOpenOr(close, guard, freezes);
  async function* batches(): AsyncGenerator<readonly WatchEvent<T>[]> {
    try {
      for await (const batch of stream) {
        if (batch.some(endsInitialEvents)) await guard.confirm(signal);
        guard.assertOpenSince(freezes);
        yield batch;
      }
      // A stream that was cut because the guard froze must not look like one that the server ended.
      guard.assertOpenSince(freezes);
    } finally {
      release();
      guard.doubt();
    }
  }
  return { [Symbol.asyncIterator]: batches, close };
}

function assertOpenOr(close: () => void, guard: IdentityGuard, freezes: number): void {
  try {
    guard.assertOpenSince(freezes);
  } catch (error) {
    close();
    throw error;
  }
}

function endsInitialEvents({ type, object }: WatchEvent<KubeObject>): boolean {
  return type === 'BOOKMARK' && object.metadata?.annotations?.[initialEventsEnd] === 'true';
}

function lostConnection(error: unknown): boolean {
  return isKind(error, 'Unreachable', 'DeadlineExceeded', 'Malformed', 'Unauthorized', 'ServiceUnavailable');
}
