/** The work queue's metrics. What changes with every key is computed only when metrics are read. */
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface QueueState {
  /** Ready keys by priority; a priority that was in use once stays, with 0. */
  readonly waiting: ReadonlyMap<number, number>;
  /** When each work in progress began. */
  readonly began: Iterable<number>;
}

export class QueueMetrics {
  readonly #metrics: Metrics | undefined;
  readonly #clock: Clock;
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #observe: () => void;

  constructor(metrics: Metrics | undefined, name: string, clock: Clock, state: () => QueueState) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#labels = { name, controller: name };
    this.#observe = () => this.#report(state());
    metrics?.queue.adds.inc(this.#labels, 0);
    metrics?.queue.retries.inc(this.#labels, 0);
    metrics?.queue.waitSeconds.zero(this.#labels);
    metrics?.queue.workSeconds.zero(this.#labels);
    metrics?.observers.add(this.#observe);
  }

  added(): void {
    this.#metrics?.queue.adds.inc(this.#labels);
  }

  retried(): void {
    this.#metrics?.queue.retries.inc(this.#labels);
  }

  taken(readySince: number): void {
    this.#metrics?.queue.waitSeconds.observe(this.#labels, (this.#clock.now() - readySince) / 1000);
  }

  worked(began: number): void {
    this.#metrics?.queue.workSeconds.observe(this.#labels, (this.#clock.now() - began) / 1000);
  }

  close(): void {
    this.#observe();
    this.#metrics?.observers.delete(this.#observe);
  }

  #report({ waiting, began }: QueueState): void {
    if (this.#metrics === undefined) return;
    const { depth, unfinishedSeconds, longestSeconds } = this.#metrics.queue;
    for (const [priority, count] of waiting) depth.set({ ...this.#labels, priority: String(priority) }, count);
    let total = 0;
    let longest = 0;
    for (const start of began) {
      const seconds = (this.#clock.now() - start) / 1000;
      total += seconds;
      longest = Math.max(longest, seconds);
    }
    unfinishedSeconds.set(this.#labels, total);
    longestSeconds.set(this.#labels, longest);
  }
}
