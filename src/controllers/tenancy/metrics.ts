import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { reconciledKinds } from '../../db/reconciliations.ts';
import { sweptKinds } from './sweep/swept-kind.ts';

export class TenancyMetrics {
  readonly due: Gauge<'cluster' | 'kind'>;
  readonly claimed: Gauge<'cluster' | 'kind'>;
  readonly attempts: Counter<'cluster' | 'kind' | 'result'>;
  readonly duration: Histogram<'cluster' | 'kind'>;
  readonly drift: Counter<'cluster'>;
  readonly orphans: Gauge<'cluster'>;
  readonly orphanedObjects: Gauge<'cluster' | 'kind'>;
  readonly swept: Counter<'cluster' | 'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['cluster'] as const;
    const byKind = ['cluster', 'kind'] as const;
    this.due = new Gauge({
      name: 'ssvirt_tenancy_due',
      help: 'Virtual data centers, vApps and machines (kind: vdc, vapp, vm) that wait to be worked on, by cluster',
      labelNames: byKind,
      registers,
    });
    this.claimed = new Gauge({
      name: 'ssvirt_tenancy_claimed',
      help: 'Those that this process works on now',
      labelNames: byKind,
      registers,
    });
    this.attempts = new Counter({
      name: 'ssvirt_tenancy_attempts_total',
      help: 'Attempts on them, by result: unchanged, applied, done, waiting, removed, kept, gone, unreachable, refused, raced, lost, error',
      labelNames: ['cluster', 'kind', 'result'],
      registers,
    });
    this.duration = new Histogram({
      name: 'ssvirt_tenancy_attempt_duration_seconds',
      help: 'How long an attempt took',
      labelNames: byKind,
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
    this.orphanedObjects = new Gauge({
      name: 'ssvirt_tenancy_orphaned_objects',
      help: 'Objects (kind: VirtualMachine, TemplateInstance) with the label of an installation that belong to nothing, and are kept',
      labelNames: byKind,
      registers,
    });
    this.swept = new Counter({
      name: 'ssvirt_tenancy_swept_total',
      help: 'Objects that were deleted since the row that they were made for is gone',
      labelNames: byKind,
      registers,
    });
  }

  /** The cluster has left. */
  forget(cluster: string): void {
    for (const kind of reconciledKinds) for (const gauge of [this.due, this.claimed]) gauge.remove({ cluster, kind });
    for (const { type } of sweptKinds) this.orphanedObjects.remove({ cluster, kind: type.kind });
    this.orphans.remove({ cluster });
  }
}
