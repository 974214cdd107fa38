/**
 * controller-runtime's metrics of a controller. All series exist from the start: an alert on a rate needs the initial
 * 0.
 */
import type { Metrics } from '../metrics/metrics.ts';

export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

const results: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

export class ReconcileMetrics {
  readonly #metrics: Metrics['reconcile'] | undefined;
  readonly #labels: { readonly controller: string };

  constructor(metrics: Metrics | undefined, controller: string) {
    this.#metrics = metrics?.reconcile;
    this.#labels = { controller };
    for (const result of results) this.#metrics?.total.inc({ controller, result }, 0);
    this.#metrics?.errors.inc(this.#labels, 0);
    this.#metrics?.terminalErrors.inc(this.#labels, 0);
    this.#metrics?.panics.inc(this.#labels, 0);
    this.#metrics?.timeouts.inc(this.#labels, 0);
    this.#metrics?.seconds.zero(this.#labels);
    this.#metrics?.activeWorkers.set(this.#labels, 0);
  }

  /** The maximum number of concurrent reconciles. */
  workers(count: number): void {
    this.#metrics?.maxConcurrent.set(this.#labels, count);
  }

  began(): void {
    this.#metrics?.activeWorkers.inc(this.#labels);
  }

  ended(seconds: number): void {
    this.#metrics?.activeWorkers.dec(this.#labels);
    this.#metrics?.seconds.observe(this.#labels, seconds);
  }

  result(result: Exclude<ReconcileResult, 'error'>): void {
    this.#metrics?.total.inc({ ...this.#labels, result });
  }

  error({ terminal, panicked }: { readonly terminal: boolean; readonly panicked: boolean }): void {
    this.#metrics?.total.inc({ ...this.#labels, result: 'error' });
    this.#metrics?.errors.inc(this.#labels);
    if (terminal) this.#metrics?.terminalErrors.inc(this.#labels);
    if (panicked) this.#metrics?.panics.inc(this.#labels);
  }

  timedOut(): void {
    this.#metrics?.timeouts.inc(this.#labels);
  }
}
