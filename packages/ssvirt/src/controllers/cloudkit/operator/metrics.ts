/** The metrics of the operator: orders by phase and provisioner, how long provisioning takes, and calls of AAP. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Mode } from '../../../kubevirt/order/resource.ts';

/** In seconds. Native provisioning takes less than one, AAP half a minute and more. */
const provisioningSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** An order whose mode is undecided, because nothing could be done yet, counts as `none`. */
export type CountedMode = Mode | 'none';

/** `failed` is an answer that does not accept; `unreachable` is no answer, or a late one. */
export type CallOutcome = 'accepted' | 'failed' | 'unreachable';

export interface OrderCensus {
  /** One entry for each order. */
  orders(): Iterable<{ readonly phase: string; readonly mode: CountedMode }>;
}

export class OrderMetrics {
  readonly #provisioned: Counter<'mode'>;
  readonly #failures: Counter<'mode' | 'reason'>;
  readonly #provisioning: Histogram<'mode'>;
  readonly #calls: Counter<'action' | 'outcome'>;
  readonly #callSeconds: Histogram<'action'>;

  constructor(registry: Registry, census: OrderCensus) {
    const registers = [registry];
    showCensus(registers, census);
    this.#provisioned = new Counter({
      name: 'cloudkit_order_provisioned_total',
      help: 'Config versions of orders that were provisioned, by mode',
      labelNames: ['mode'],
      registers,
    });
    this.#failures = new Counter({
      name: 'cloudkit_order_failures_total',
      help: 'Reconciliations that ended in an error, and problems found, by reason',
      labelNames: ['mode', 'reason'],
      registers,
    });
    this.#provisioning = new Histogram({
      name: 'cloudkit_order_provisioning_seconds',
      help: 'Time from the creation or change of an order until all its objects are applied',
      labelNames: ['mode'],
      buckets: provisioningSeconds,
      registers,
    });
    this.#calls = new Counter({
      name: 'cloudkit_webhook_calls_total',
      help: 'AAP calls, by outcome',
      labelNames: ['action', 'outcome'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'cloudkit_webhook_duration_seconds',
      help: 'Response time of AAP calls',
      labelNames: ['action'],
      buckets: callSeconds,
      registers,
    });
  }

  /** Call once for each version of an order. */
  provisioned(mode: Mode, seconds: number): void {
    this.#provisioned.inc({ mode });
    this.#provisioning.observe({ mode }, seconds);
  }

  failed(mode: CountedMode, reason: string): void {
    this.#failures.inc({ mode, reason });
  }

  called(action: 'create' | 'delete', outcome: CallOutcome, seconds: number): void {
    this.#calls.inc({ action, outcome });
    this.#callSeconds.observe({ action }, seconds);
  }
}

/** Computed from the cache at each scrape. */
function showCensus(registers: Registry[], census: OrderCensus): Gauge {
  return new Gauge({
    name: 'cloudkit_orders',
    help: 'Orders by phase and mode',
    labelNames: ['phase', 'mode'],
    registers,
    collect() {
      this.reset();
      for (const order of census.orders()) this.inc({ ...order });
    },
  });
}
