/**
 * `KindWatch` follows one kind in one cluster, in the namespaces that entries are offered from. It looks again later
 * for a kind that is not served. It reports a namespace that it may not read, and still reads the others. If the
 * cluster stops answering, what was read last is kept.
 */
import type { Informer, ReflectorHealth } from '@ssvirt/kube/informer/informer';
import type { Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isNotFound } from '@ssvirt/kube/errors';
import { keyOf } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { CatalogProjection, SoughtKind } from './sought-kinds.ts';

export interface KindWatchParts<E, K extends string> {
  readonly cluster: Cluster;
  readonly sought: SoughtKind<E, K>;
  /** If empty, entries of this kind are not offered. For a cluster-scoped kind use `wholeCluster`. */
  readonly namespaces: readonly string[];
  readonly changed: () => void;
  readonly clock: Clock;
  /** The interval between two attempts to find a kind that is not served. */
  readonly lookAgainMs: number;
}

export interface KindReading {
  /** Whether every readable namespace has been read at least once. */
  readonly settled: boolean;
  /** Whether `entries` is what the cluster has now, in all namespaces. */
  readonly current: boolean;
  /** Since when the cluster has not answered, by the monotonic clock. */
  readonly failingSince: number | undefined;
  readonly lastError: Error | undefined;
  /** Namespaces that may not be read. */
  readonly forbidden: readonly string[];
}

const discoveryMs = 10_000;

/** `wholeCluster` is the value of `namespaces` for a cluster-scoped kind. */
export const wholeCluster: readonly string[] = [''];

export class KindWatch<E, K extends string = string> {
  readonly #parts: KindWatchParts<E, K>;
  readonly #entries = new Map<string, E>();
  readonly #informers = new Map<string, Informer<CatalogProjection<E>>>();
  #served: 'unknown' | 'yes' | 'no' = 'unknown';
  #askAgainAt = 0;
  #failure: { readonly since: number; readonly error: Error } | undefined;

  constructor(parts: KindWatchParts<E, K>) {
    this.#parts = parts;
  }

  get kind(): K {
    return this.#parts.sought.kind;
  }

  get resource(): string {
    return this.#parts.sought.resource;
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<E> {
    return this.#entries.values();
  }

  entry(name: string, namespace = ''): E | undefined {
    return this.#entries.get(keyOf({ namespace, name }));
  }

  /** Looks for the kind if it is time to. Callers call it periodically. */
  async look(signal: AbortSignal): Promise<void> {
    const { clock, lookAgainMs } = this.#parts;
    if (this.#informers.size > 0) {
      if ([...this.#informers.values()].every((informer) => informer.health().trouble === 'absent')) this.#vanished();
      return;
    }
    if (this.#parts.namespaces.length === 0 || clock.now() < this.#askAgainAt) return;
    try {
      const type = await this.#find(signal);
      this.#failure = undefined;
      this.#served = type === undefined ? 'no' : 'yes';
      this.#askAgainAt = clock.now() + lookAgainMs;
      if (type !== undefined && !signal.aborted) this.#open(type);
    } catch (error) {
      if (signal.aborted) return;
      const since = this.#failure?.since ?? clock.now();
      this.#failure = { since, error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  reading(): KindReading {
    const healths = [...this.#informers].map(([namespace, informer]) => ({ namespace, health: informer.health() }));
    const failing = healths
      .filter(({ health: { trouble } }) => trouble === 'failing' || trouble === 'silent')
      .map(({ health }) => ({ since: health.failingSince, error: health.lastError }))
      .toSorted((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity))[0];
    const failingSince = failing?.since ?? this.#failure?.since;
    const forbidden = healths.filter(({ health }) => health.trouble === 'forbidden').map(({ namespace }) => namespace);
    return {
      settled:
        this.#parts.namespaces.length === 0 ||
        this.#served === 'no' ||
        (healths.length > 0 && healths.every(({ health }) => health.synced || health.trouble === 'forbidden')),
      current: failingSince === undefined && healths.length > 0 && healths.every(({ health }) => isCurrent(health)),
      failingSince,
      lastError: failing?.error ?? this.#failure?.error,
      forbidden,
    };
  }

  /** Ends the watches; what was read is kept. */
  close(): void {
    for (const informer of this.#informers.values()) informer.release();
    this.#informers.clear();
  }

  async #find(signal: AbortSignal): Promise<ResourceType | undefined> {
    const { cluster, sought } = this.#parts;
    for (const apiVersion of sought.apiVersions) {
      try {
        return await cluster.client.typeOf(apiVersion, sought.kind, { signal, timeoutMs: discoveryMs });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return undefined;
  }

  #open(type: ResourceType): void {
    const { cluster, sought, namespaces } = this.#parts;
    for (const namespace of namespaces) {
      const informer = cluster.informers.informer(type, {
        ...(namespace === '' ? {} : { namespaces: [namespace] }),
        projection: sought.projection,
      });
      this.#informers.set(namespace, informer);
      informer.addHandler({
        name: 'catalog',
        added: (object) => this.#put(object),
        updated: (_, object) => this.#put(object),
        deleted: (object) => this.#drop(keyOf(object.metadata)),
      });
    }
  }

  #put({ metadata, entry }: CatalogProjection<E>): void {
    const key = keyOf(metadata);
    if (entry === undefined) return this.#drop(key);
    this.#entries.set(key, entry);
    this.#parts.changed();
  }

  #drop(key: string): void {
    if (this.#entries.delete(key)) this.#parts.changed();
  }

  /** The kind was removed from the cluster together with all of its objects. */
  #vanished(): void {
    this.close();
    this.#served = 'no';
    this.#askAgainAt = this.#parts.clock.now() + this.#parts.lookAgainMs;
    if (this.#entries.size === 0) return;
    this.#entries.clear();
    this.#parts.changed();
  }
}

function isCurrent({ synced, trouble }: ReflectorHealth): boolean {
  return synced && trouble === 'none';
}
