/** What the operator counts and times: orders by phase and by who provisions them, how long that takes, and the calls of AAP. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Mode } from '../../virt/order/resource.ts';

/** Seconds; natively an order takes less than one, by AAP half a minute and more. */
const provisioningSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** An order whose mode is not decided, because nothing could be done yet, counts as `none`. */
export type CountedMode = Mode | 'none';

/** `failed`: an answer that is no acceptance; `unreachable`: none at all, or too late. */
export type CallOutcome = 'accepted' | 'failed' | 'unreachable';

export interface Census {
  /** One for each order. */
  orders(): Iterable<{ readonly phase: string; readonly mode: CountedMode }>;
}

export class OrderMetrics {
  readonly #provisioned: Counter<'mode'>;
  readonly #failures: Counter<'mode' | 'reason'>;
  readonly #provisioning: Histogram<'mode'>;
  readonly #calls: Counter<'action' | 'outcome'>;
  readonly #callSeconds: Histogram<'action'>;

  constructor(registry: Registry, census: Census) {
    const registers = [registry];
    showCensus(registers, census);
    this.#provisioned = new Counter({
      name: 'cloudkit_order_provisioned_total',
      help: 'Versions of orders that were provisioned, by who has done it',
      labelNames: ['mode'],
      registers,
    });
    this.#failures = new Counter({
      name: 'cloudkit_order_failures_total',
      help: 'Rounds that ended in an error, and problems that were found, by their reason',
      labelNames: ['mode', 'reason'],
      registers,
    });
    this.#provisioning = new Histogram({
      name: 'cloudkit_order_provisioning_seconds',
      help: 'From the creation or change of an order until everything of it is applied',
      labelNames: ['mode'],
      buckets: provisioningSeconds,
      registers,
    });
    this.#calls = new Counter({
      name: 'cloudkit_webhook_calls_total',
      help: 'Calls of AAP, by what came of them',
      labelNames: ['action', 'outcome'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'cloudkit_webhook_duration_seconds',
      help: 'How long AAP takes to answer a call',
      labelNames: ['action'],
      buckets: callSeconds,
      registers,
    });
  }

  /** Of one version of an order, once. */
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

/** Counted when somebody reads it: the cache knows. */
function showCensus(registers: Registry[], census: Census): Gauge {
  return new Gauge({
    name: 'cloudkit_orders',
    help: 'Orders by phase, and by who provisions them',
    labelNames: ['phase', 'mode'],
    registers,
    collect() {
      this.reset();
      for (const order of census.orders()) this.inc({ ...order });
    },
  });
}
