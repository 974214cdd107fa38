/** Follows the objects of a kind by a watch that never ends by itself: first the existing objects, then each change. */
import type { Client, Selection } from '@ssvirt/kube/client/client';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { Reflector } from '@ssvirt/kube/reflector/reflector';
import type { Collection, ReflectorSink } from '@ssvirt/kube/reflector/sink';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { note } from '../output/streams.ts';

export interface Follower<T extends KubeObject> {
  /** Called once, sorted by name. */
  begin(all: readonly T[]): void;
  changed(one: T): void;
  /** Called with the last known state. */
  gone(one: T): void;
}

export interface Followed<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly selection: Selection;
}

/** `follow` ends when the signal is aborted. Rejects if the first list fails; later failures are printed and retried. */
export async function follow<T extends KubeObject>(
  followed: Followed<T>,
  follower: Follower<T>,
  signal: AbortSignal,
): Promise<void> {
  const sink = new FollowSink(follower);
  const failing = new AbortController();
  let failure: Error | undefined;
  let reported: string | undefined;
  const onFailure = (error: Error): void => {
    if (!sink.hasStarted) {
      failure = error;
      failing.abort();
    } else if (error.message !== reported) {
      reported = error.message;
      note(`ssvirt: the watch was interrupted, retrying: ${error.message}`);
    }
  };
  const what = { ...followed, metadataOnly: false, withoutManagedFields: true };
  const reflector = new Reflector(what, sink, { options: { onFailure } });
  await reflector.run(AbortSignal.any([signal, failing.signal]));
  if (failure !== undefined) throw failure;
}

class FollowSink<T extends KubeObject> implements ReflectorSink<T> {
  readonly #follower: Follower<T>;
  #known: Map<string, T> | undefined;

  constructor(follower: Follower<T>) {
    this.#follower = follower;
  }

  get hasStarted(): boolean {
    return this.#known !== undefined;
  }

  begin(): Collection<T> {
    const listed = new Map<string, T>();
    const commit = (): Promise<void> => {
      this.#replace(listed);
      return Promise.resolve();
    };
    return {
      get size() {
        return listed.size;
      },
      add: (one) => void listed.set(keyOf(one.metadata), one),
      remove: (one) => void listed.delete(keyOf(one.metadata)),
      commit,
    };
  }

  /** After a relist only the differences are reported. */
  #replace(listed: Map<string, T>): void {
    const before = this.#known;
    this.#known = listed;
    const sorted = [...listed].toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (before === undefined) return this.#follower.begin(sorted.map(([, one]) => one));
    for (const [key, one] of before) if (!listed.has(key)) this.#follower.gone(one);
    for (const [key, one] of sorted)
      if (before.get(key)?.metadata.resourceVersion !== one.metadata.resourceVersion) this.#follower.changed(one);
    return undefined;
  }

  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', one: T): void {
    const key = keyOf(one.metadata);
    if (type === 'DELETED') {
      this.#known?.delete(key);
      this.#follower.gone(one);
    } else {
      this.#known?.set(key, one);
      this.#follower.changed(one);
    }
  }

  advance(): void {
    // A command has no use for the position after it ends.
  }

  room(): Promise<void> {
    return Promise.resolve();
  }
}
