import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { reconciledKinds } from '../../../db/work-queue/reconciliations.ts';
import { sweptKinds } from '../sweep/swept-kind.ts';

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
      help: 'Reconcile requests of VDCs, vApps and VMs (kind: vdc, vapp, vm) that wait, by cluster',
      labelNames: byKind,
      registers,
    });
    this.claimed = new Gauge({
      name: 'ssvirt_tenancy_claimed',
      help: 'Reconcile requests that this process is working on',
      labelNames: byKind,
      registers,
    });
    this.attempts = new Counter({
      name: 'ssvirt_tenancy_attempts_total',
      help: 'Attempts, by result: unchanged, applied, done, waiting, removed, kept, gone, unreachable, refused, raced, lost, error',
      labelNames: ['cluster', 'kind', 'result'],
      registers,
    });
    this.duration = new Histogram({
      name: 'ssvirt_tenancy_attempt_duration_seconds',
      help: 'Duration of an attempt',
      labelNames: byKind,
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
      registers,
    });
    this.drift = new Counter({
      name: 'ssvirt_tenancy_drift_total',
      help: 'VDCs in which drift was found',
      labelNames,
      registers,
    });
    this.orphans = new Gauge({
      name: 'ssvirt_tenancy_orphaned_namespaces',
      help: 'Namespaces with the label of this installation but without a row, which are kept',
      labelNames,
      registers,
    });
    this.orphanedObjects = new Gauge({
      name: 'ssvirt_tenancy_orphaned_objects',
      help: 'Objects (kind: VirtualMachine, TemplateInstance) with the label of an installation but without a row, which are kept',
      labelNames: byKind,
      registers,
    });
    this.swept = new Counter({
      name: 'ssvirt_tenancy_swept_total',
      help: 'Objects that were deleted because their row is gone',
      labelNames: byKind,
      registers,
    });
  }

  /** Removes the series of a cluster that has left. */
  forget(cluster: string): void {
    for (const kind of reconciledKinds) for (const gauge of [this.due, this.claimed]) gauge.remove({ cluster, kind });
    for (const { type } of sweptKinds) this.orphanedObjects.remove({ cluster, kind: type.kind });
    this.orphans.remove({ cluster });
  }
}
