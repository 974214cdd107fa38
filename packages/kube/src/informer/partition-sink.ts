/**
 * `PartitionSink` connects a reflector with a partition of a cache. Objects are projected as they arrive; a list
 * replaces the content once complete.
 */
import { keyOf } from '../object.ts';
import type { KubeObject } from '../object.ts';
import type { Collection, ListVersion, ReflectorSink } from '../reflector/sink.ts';
import type { DeletionCheck } from './deletion-check.ts';
import type { Projected } from './informer.ts';
import type { Ingest } from './ingest.ts';
import type { Partition } from './partition.ts';

export class PartitionSink<T extends KubeObject, P extends Projected> implements ReflectorSink<T> {
  readonly #partition: Partition<P>;
  readonly #ingest: Ingest<T, P>;
  readonly #check: DeletionCheck<P>;
  readonly #replaced: () => void;

  constructor(partition: Partition<P>, ingest: Ingest<T, P>, check: DeletionCheck<P>, replaced: () => void) {
    this.#partition = partition;
    this.#ingest = ingest;
    this.#check = check;
    this.#replaced = replaced;
  }

  begin(): Collection<T> {
    const listed = new Map<string, P>();
    /** Keys of objects that exist but could not be projected: they are not gone. */
    const unreadable = new Set<string>();
    const ingest = this.#ingest;
    return {
      get size() {
        return listed.size;
      },
      add: (object) => {
        const key = keyOf(object.metadata);
        const projected = ingest(object);
        if (projected === undefined) unreadable.add(key);
        else listed.set(key, projected);
      },
      remove: ({ metadata }) => {
        listed.delete(keyOf(metadata));
        unreadable.delete(keyOf(metadata));
      },
      commit: (version, signal) => this.#commit(listed, unreadable, version, signal),
    };
  }

  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    const projected = this.#ingest(object);
    if (projected !== undefined) this.#partition.apply(type, projected);
    else if (type === 'DELETED') this.#partition.gone(object.metadata);
  }

  advance(resourceVersion: string): void {
    this.#partition.advance(resourceVersion);
  }

  /** Buffers of handlers are unbounded: a slow handler must not delay the others. */
  room(): Promise<void> {
    return Promise.resolve();
  }

  async #commit(
    listed: ReadonlyMap<string, P>,
    unreadable: ReadonlySet<string>,
    version: ListVersion,
    signal: AbortSignal,
  ): Promise<void> {
    const missing = this.#partition.missing(listed, version).filter(({ metadata }) => !unreadable.has(keyOf(metadata)));
    const stay = await this.#check.confirm(missing, this.#partition.size, signal);
    if (signal.aborted) return;
    await this.#partition.replaceInTurns(listed, version, new Set([...unreadable, ...stay]), signal);
    if (signal.aborted) return;
    this.#replaced();
  }
}
