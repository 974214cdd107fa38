/** The metrics of caches. Informers of one kind share its labels; the last to leave takes them away. */
import type { Metrics } from '../metrics/metrics.ts';

export class CacheMeasures {
  readonly #cluster: string;
  readonly #metrics: Metrics | undefined;
  readonly #users = new Map<string, number>();

  constructor(cluster: string, metrics?: Metrics) {
    this.#cluster = cluster;
    this.#metrics = metrics;
  }

  objects(resource: string, difference: number): void {
    this.#metrics?.informer.objects.inc({ cluster: this.#cluster, resource }, difference);
  }

  pending(resource: string, handler: string, difference: number): void {
    this.#metrics?.informer.pending.inc({ cluster: this.#cluster, resource, handler }, difference);
  }

  enter(resource: string, handler?: string): void {
    const user = JSON.stringify([resource, handler]);
    this.#users.set(user, (this.#users.get(user) ?? 0) + 1);
    if (handler === undefined) this.objects(resource, 0);
    else this.pending(resource, handler, 0);
  }

  leave(resource: string, handler?: string): void {
    const user = JSON.stringify([resource, handler]);
    const left = (this.#users.get(user) ?? 1) - 1;
    if (left > 0) {
      this.#users.set(user, left);
      return;
    }
    this.#users.delete(user);
    if (handler === undefined) this.#metrics?.informer.objects.remove({ cluster: this.#cluster, resource });
    else this.#metrics?.informer.pending.remove({ cluster: this.#cluster, resource, handler });
  }
}
