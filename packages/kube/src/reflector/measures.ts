/**
 * The metrics of reflectors. Several reflectors may read one kind (namespaces, selections): they share its labels, so
 * that there is at most one series per kind, and a gauge shows the worst of them.
 */
import type { Metrics } from '../metrics/metrics.ts';

export interface Measured {
  readonly synced: boolean;
  readonly consecutiveFailures: number;
  /** Unix time in seconds. */
  readonly activeAt: number | undefined;
  readonly items: number;
}

export class ReflectorMeasures {
  readonly #metrics: Metrics | undefined;
  readonly #cluster: string;
  readonly #members = new Map<string, Map<object, Measured>>();
  /** The counted kinds, with their counted errors. */
  readonly #counted = new Map<string, Set<string>>();

  constructor(cluster: string, metrics?: Metrics) {
    this.#cluster = cluster;
    this.#metrics = metrics;
  }

  listed(resource: string, seconds: number): void {
    this.#count(resource);
    this.#metrics?.reflector.lists.inc(this.#labels(resource));
    this.#metrics?.reflector.listSeconds.observe(this.#labels(resource), seconds);
  }

  watched(resource: string): void {
    this.#count(resource);
    this.#metrics?.reflector.watches.inc(this.#labels(resource));
  }

  short(resource: string): void {
    this.#count(resource);
    this.#metrics?.reflector.shortWatches.inc(this.#labels(resource));
  }

  failed(resource: string, error: string): void {
    this.#count(resource).add(error);
    this.#metrics?.reflector.failures.inc({ ...this.#labels(resource), error });
  }

  set(resource: string, member: object, measured: Measured): void {
    const members = this.#members.get(resource) ?? new Map<object, Measured>();
    this.#members.set(resource, members);
    members.set(member, measured);
    this.#show(resource, members);
  }

  forget(resource: string, member: object): void {
    const members = this.#members.get(resource);
    members?.delete(member);
    if (members === undefined || members.size > 0) {
      if (members !== undefined) this.#show(resource, members);
      return;
    }
    this.#members.delete(resource);
    const labels = this.#labels(resource);
    this.#metrics?.reflector.synced.remove(labels);
    this.#metrics?.reflector.consecutiveFailures.remove(labels);
    this.#metrics?.reflector.lastActivitySeconds.remove(labels);
    this.#metrics?.reflector.items.remove(labels);
  }

  /** Removes the cluster's series when it leaves, or series of former clusters would accumulate. */
  close(): void {
    for (const [resource, errors] of this.#counted) {
      const labels = this.#labels(resource);
      const { lists, listSeconds, watches, shortWatches, failures } = this.#metrics?.reflector ?? {};
      for (const series of [lists, listSeconds, watches, shortWatches]) series?.remove(labels);
      for (const error of errors) failures?.remove({ ...labels, error });
    }
    this.#counted.clear();
  }

  #count(resource: string): Set<string> {
    const errors = this.#counted.get(resource) ?? new Set<string>();
    this.#counted.set(resource, errors);
    return errors;
  }

  #show(resource: string, members: ReadonlyMap<object, Measured>): void {
    if (this.#metrics === undefined) return;
    const { synced, consecutiveFailures, lastActivitySeconds, items } = this.#metrics.reflector;
    const labels = this.#labels(resource);
    const all = [...members.values()];
    synced.set(labels, all.every((one) => one.synced) ? 1 : 0);
    consecutiveFailures.set(labels, Math.max(...all.map((one) => one.consecutiveFailures)));
    lastActivitySeconds.set(labels, Math.min(...all.map((one) => one.activeAt ?? 0)));
    items.set(
      labels,
      all.reduce((sum, one) => sum + one.items, 0),
    );
  }

  #labels(resource: string): { cluster: string; resource: string } {
    return { cluster: this.#cluster, resource };
  }
}
