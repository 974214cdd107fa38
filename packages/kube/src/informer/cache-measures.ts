/**
 * The metrics of caches. Informers of one kind share its labels; releasing the last one removes them. A first list
 * changes the numbers thousands of times in one turn of the event loop, so they are written once per turn.
 */
import type { Metrics } from '../metrics/metrics.ts';

interface Series {
  readonly resource: string;
  readonly handler: string | undefined;
  users: number;
  due: number;
}

export class CacheMeasures {
  readonly #cluster: string;
  readonly #metrics: Metrics | undefined;
  readonly #series = new Map<string, Series>();
  readonly #failed = new Map<string, { readonly resource: string; readonly handler: string }>();
  #writing = false;

  constructor(cluster: string, metrics?: Metrics) {
    this.#cluster = cluster;
    this.#metrics = metrics;
  }

  objects(resource: string, difference: number): void {
    this.#add(resource, undefined, difference);
  }

  pending(resource: string, handler: string, difference: number): void {
    this.#add(resource, handler, difference);
  }

  failed(resource: string, handler: string): void {
    this.#failed.set(nameOf(resource, handler), { resource, handler });
    this.#metrics?.informer.errors.inc({ cluster: this.#cluster, resource, handler });
  }

  enter(resource: string, handler?: string): void {
    const name = nameOf(resource, handler);
    const series = this.#series.get(name) ?? { resource, handler, users: 0, due: 0 };
    series.users++;
    this.#series.set(name, series);
    this.#write(series);
  }

  leave(resource: string, handler?: string): void {
    const series = this.#series.get(nameOf(resource, handler));
    if (series === undefined || --series.users > 0) return;
    this.#series.delete(nameOf(resource, handler));
    const cluster = this.#cluster;
    if (handler === undefined) this.#metrics?.informer.objects.remove({ cluster, resource });
    else this.#metrics?.informer.pending.remove({ cluster, resource, handler });
  }

  /** Removes the cluster's series when the cluster leaves. */
  close(): void {
    for (const labels of this.#failed.values())
      this.#metrics?.informer.errors.remove({ cluster: this.#cluster, ...labels });
    this.#failed.clear();
  }

  #add(resource: string, handler: string | undefined, difference: number): void {
    const series = this.#series.get(nameOf(resource, handler));
    if (series === undefined) return;
    series.due += difference;
    if (this.#writing) return;
    this.#writing = true;
    setImmediate(() => {
      this.#writing = false;
      for (const one of this.#series.values()) if (one.due !== 0) this.#write(one);
    });
  }

  #write(series: Series): void {
    const { resource, handler, due } = series;
    const cluster = this.#cluster;
    series.due = 0;
    if (handler === undefined) this.#metrics?.informer.objects.inc({ cluster, resource }, due);
    else this.#metrics?.informer.pending.inc({ cluster, resource, handler }, due);
  }
}

function nameOf(resource: string, handler: string | undefined): string {
  return handler === undefined ? resource : `${resource} ${handler}`;
}
