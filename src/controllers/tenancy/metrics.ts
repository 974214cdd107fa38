import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export class TenancyMetrics {
  readonly due: Gauge<'cluster'>;
  readonly claimed: Gauge<'cluster'>;
  readonly attempts: Counter<'cluster' | 'result'>;
  readonly duration: Histogram<'cluster'>;
  readonly drift: Counter<'cluster'>;
  readonly orphans: Gauge<'cluster'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['cluster'] as const;
    this.due = new Gauge({
      name: 'ssvirt_tenancy_due',
      help: 'Virtual data centers that wait to be worked on, by cluster',
      labelNames,
      registers,
    });
    this.claimed = new Gauge({
      name: 'ssvirt_tenancy_claimed',
      help: 'Virtual data centers that this process works on now',
      labelNames,
      registers,
    });
    this.attempts = new Counter({
      name: 'ssvirt_tenancy_attempts_total',
      help: 'Attempts on virtual data centers, by result: unchanged, applied, waiting, removed, kept, gone, unreachable, refused, raced, lost, error',
      labelNames: ['cluster', 'result'],
      registers,
    });
    this.duration = new Histogram({
      name: 'ssvirt_tenancy_attempt_duration_seconds',
      help: 'How long an attempt took',
      labelNames,
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
      registers,
    });
    this.drift = new Counter({
      name: 'ssvirt_tenancy_drift_total',
      help: 'Virtual data centers that were found not to be as they were made',
      labelNames,
      registers,
    });
    this.orphans = new Gauge({
      name: 'ssvirt_tenancy_orphaned_namespaces',
      help: 'Namespaces of this installation that belong to nothing, and are kept',
      labelNames,
      registers,
    });
  }

  /** The cluster has left. */
  forget(cluster: string): void {
    for (const gauge of [this.due, this.claimed, this.orphans]) gauge.remove({ cluster });
  }
}
