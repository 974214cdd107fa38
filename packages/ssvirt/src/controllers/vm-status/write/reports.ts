/** `Reports` reports each write: always in metrics, and as Events and log lines within a rate that people can read. */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { parseKey } from '@ssvirt/kube/object';
import type { VmObservation, WriteResult } from '../../../db/observations/contracts.ts';
import { Allowance } from './allowance.ts';
import { errorType } from './database-failure.ts';
import type { VmStatusMetrics } from '../metrics.ts';
import type { GoneMark, Mark } from './pending.ts';
import type { RowFailure } from './retries.ts';
import type { WriterReports } from './writer.ts';

export interface ReportsParts {
  readonly metrics: VmStatusMetrics;
  readonly clusterOf: (name: string) => Cluster | undefined;
  readonly uidOf: (mark: Mark) => string | undefined;
  /** Whether the VM has no row and none was created. */
  readonly unmanaged: (mark: Mark, isSo: boolean) => void;
  /** Our ledger contains the VM, but its row says DELETED. */
  readonly contested: (mark: Mark, uid: string) => void;
  readonly recovered: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Per cluster: an Event for every change would be as much work for its API server as the changes are for us. */
const events = { burst: 25, perSecond: 5 };
const lines = { burst: 50, perSecond: 5 };
const summaryMs = 10_000;

export class Reports implements WriterReports {
  readonly #parts: ReportsParts;
  readonly #events = new Map<string, Allowance>();
  readonly #lines: Allowance;
  #unsaid = 0;
  #failing = false;

  constructor(parts: ReportsParts) {
    this.#parts = parts;
    this.#lines = new Allowance(parts.clock, lines.burst, lines.perSecond);
  }

  written(mark: Mark, observation: VmObservation, result: WriteResult, durationMs: number): void {
    const { metrics, unmanaged, contested } = this.#parts;
    unmanaged(mark, result.outcome === 'unmanaged');
    if (result.outcome === 'unmanaged') return;
    if (result.outcome === 'older' && result.oldStatus === 'DELETED') contested(mark, observation.uid);
    if (result.outcome === 'unchanged' || result.outcome === 'older') return;
    const status = result.newStatus ?? observation.status;
    metrics.updated(observation.namespace, status, 'success', durationMs);
    this.#lag(mark);
    if (result.oldStatus === status) return;
    this.#line(mark, result, status);
    // A VM that gets its first row and existed before this process is not news. A change while no process watched is.
    if (mark.seenAt === undefined && result.oldStatus === undefined) return;
    this.#event(mark, 'Normal', 'StatusUpdated', `VM status updated to ${status}`);
  }

  deleted(mark: GoneMark, result: WriteResult, durationMs: number): void {
    if (result.outcome !== 'updated') return;
    this.#parts.metrics.updated(parseKey(mark.key).namespace ?? '', 'DELETED', 'success', durationMs);
    this.#lag(mark);
    this.#line(mark, result, 'DELETED');
  }

  batch(rows: number): void {
    this.#parts.metrics.batchRows.observe(rows);
  }

  /** A single row failed. `given` says whether this failure put it into sync_failures. */
  rowFailed(mark: Mark, { type, status, attempts, given }: RowFailure): void {
    const { metrics } = this.#parts;
    const namespace = parseKey(mark.key).namespace ?? '';
    metrics.failed(namespace, type);
    metrics.updated(namespace, status ?? '', 'error');
    if (given) metrics.abandoned.inc();
    if (given)
      this.#event(
        mark,
        'Warning',
        'ReconciliationFailed',
        `Failed to update VM status after ${attempts} attempts: ${type}; still trying`,
      );
    else if (attempts === 1)
      this.#event(
        mark,
        'Warning',
        'DatabaseUpdateFailed',
        `Failed to update VM status in database: ${type}; trying again`,
      );
  }

  unavailable(error: unknown, marks: readonly Mark[]): void {
    const { metrics, log } = this.#parts;
    const type = errorType(error);
    for (const mark of marks) metrics.failed(parseKey(mark.key).namespace ?? '', type);
    if (this.#failing) return;
    this.#failing = true;
    log.error({ err: error, vms: marks.length }, 'cannot write to the database, retrying');
    for (const mark of marks.slice(0, events.burst))
      if (mark.seenAt !== undefined)
        this.#event(
          mark,
          'Warning',
          'DatabaseUpdateFailed',
          `Failed to update VM status in database: ${type}; trying again`,
        );
  }

  available(): void {
    this.#failing = false;
    this.#parts.log.info('database accepts writes again');
    this.#parts.recovered();
  }

  /** Periodically logs how many lines were suppressed. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      await sleep(clock, summaryMs, signal);
      if (this.#unsaid > 0) log.info({ changes: this.#unsaid }, 'more VM status changes');
      this.#unsaid = 0;
    }
  }

  #lag({ seenAt }: Mark): void {
    const { metrics, clock } = this.#parts;
    if (seenAt !== undefined) metrics.lag.observe((clock.now() - seenAt) / 1000);
  }

  #line(mark: Mark, { vmId, oldStatus }: WriteResult, newStatus: string): void {
    const { log } = this.#parts;
    const { namespace, name } = parseKey(mark.key);
    const fields = { vm: name, namespace, cluster: mark.cluster, vmID: vmId, oldStatus, newStatus };
    if (log.isLevelEnabled('debug')) log.debug(fields, 'updated VM status');
    else if (mark.seenAt === undefined && oldStatus === undefined) this.#unsaid++;
    else if (this.#lines.take()) log.info(fields, 'updated VM status');
    else this.#unsaid++;
  }

  #event(mark: Mark, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { clock, metrics, clusterOf, uidOf } = this.#parts;
    const uid = uidOf(mark);
    const cluster = clusterOf(mark.cluster);
    if (cluster === undefined || uid === undefined) return;
    const allowance = this.#events.get(mark.cluster) ?? new Allowance(clock, events.burst, events.perSecond);
    this.#events.set(mark.cluster, allowance);
    if (!allowance.take()) return metrics.eventsDropped.inc();
    const { namespace, name } = parseKey(mark.key);
    const metadata = { name, uid, ...defined({ namespace }) };
    cluster.recorder.event({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata }, type, reason, message);
  }
}
