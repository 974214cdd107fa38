/**
 * The metrics of the controller, with the names of the seed. A namespace is a label value only if it belongs to a VDC,
 * and its series are removed with the VDC. Otherwise a user who can create namespaces could fill the memory of the
 * metrics server.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const durations = [0.005, 0.025, 0.1, 0.5, 2.5, 10];
const lags = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class VmStatusMetrics {
  readonly #updates: Counter<'namespace' | 'status' | 'result'>;
  readonly #duration: Histogram<'namespace'>;
  readonly #errors: Counter<'namespace' | 'error_type'>;
  readonly lag: Histogram;
  readonly batchRows: Histogram;
  readonly failing: Gauge;
  readonly pending: Gauge;
  readonly abandoned: Counter;
  readonly eventsDropped: Counter;
  /** The label values in use, by namespace, to remove them with the namespace. */
  readonly #used = new Map<
    string,
    { readonly updates: Map<string, readonly [string, string]>; readonly errors: Set<string> }
  >();
  #namespaces: ReadonlySet<string> = new Set();

  constructor(registry: Registry, observe: { readonly pending: () => number; readonly failing: () => number }) {
    const registers = [registry];
    this.#updates = new Counter({
      name: 'ssvirt_vm_status_updates_total',
      help: 'Written rows of VMs, by namespace of the VDC, new status, and result: success, error',
      labelNames: ['namespace', 'status', 'result'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'ssvirt_vm_status_update_duration_seconds',
      help: 'Duration of the statement that wrote the row of a VM',
      labelNames: ['namespace'],
      buckets: durations,
      registers,
    });
    this.#errors = new Counter({
      name: 'ssvirt_vm_reconcile_errors_total',
      help: 'Failed attempts to write the row of a VM',
      labelNames: ['namespace', 'error_type'],
      registers,
    });
    this.lag = new Histogram({
      name: 'ssvirt_vm_status_lag_seconds',
      help: 'Time from observing a change to committing its row',
      buckets: lags,
      registers,
    });
    this.batchRows = new Histogram({
      name: 'ssvirt_vm_status_batch_rows',
      help: 'VMs per statement',
      buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1000],
      registers,
    });
    this.failing = new Gauge({
      name: 'ssvirt_vm_status_failing_vms',
      help: 'VMs whose row could not be written at the last attempt',
      registers,
      collect() {
        this.set(observe.failing());
      },
    });
    this.abandoned = new Counter({
      name: 'ssvirt_vm_sync_failures_total',
      help: 'VMs that were put into sync_failures because their row could not be written for a long time',
      registers,
    });
    this.eventsDropped = new Counter({
      name: 'ssvirt_vm_status_events_dropped_total',
      help: 'Events about VMs that were dropped by the rate limit',
      registers,
    });
    this.pending = new Gauge({
      name: 'ssvirt_vm_status_pending_vms',
      help: 'VMs with an observed change that is not written yet',
      registers,
      collect() {
        this.set(observe.pending());
      },
    });
  }

  /** The namespaces of VDCs in all clusters. Removes the series of other namespaces. */
  setNamespaces(namespaces: ReadonlySet<string>): void {
    this.#namespaces = namespaces;
    for (const [namespace, used] of this.#used) {
      if (namespace === '' || namespaces.has(namespace)) continue;
      for (const [status, result] of used.updates.values()) this.#updates.remove({ namespace, status, result });
      for (const type of used.errors) this.#errors.remove({ namespace, error_type: type });
      this.#duration.remove({ namespace });
      this.#used.delete(namespace);
    }
  }

  updated(namespace: string, status: string, result: 'success' | 'error', durationMs?: number): void {
    const label = this.#labelOf(namespace);
    this.#of(label).updates.set(`${status} ${result}`, [status, result]);
    this.#updates.inc({ namespace: label, status, result });
    if (durationMs !== undefined) this.#duration.observe({ namespace: label }, durationMs / 1000);
  }

  failed(namespace: string, type: string): void {
    const label = this.#labelOf(namespace);
    this.#of(label).errors.add(type);
    this.#errors.inc({ namespace: label, error_type: type });
  }

  #labelOf(namespace: string): string {
    return this.#namespaces.has(namespace) ? namespace : '';
  }

  #of(label: string): { readonly updates: Map<string, readonly [string, string]>; readonly errors: Set<string> } {
    const used = this.#used.get(label) ?? {
      updates: new Map<string, readonly [string, string]>(),
      errors: new Set<string>(),
    };
    this.#used.set(label, used);
    return used;
  }
}
