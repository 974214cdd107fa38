/** The claim worker: does one kind of work in one cluster, a few entities at a time, the oldest due ones first. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Wakeup } from '@ssvirt/base/async/wakeup';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import { backlogOf } from '../../../db/work-queue/reconciliation-backlog.ts';
import { claimDue, type Claim, type ReconciledKind } from '../../../db/work-queue/reconciliations.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import type { Outcome } from './context.ts';
import type { TenancyMetrics } from './metrics.ts';
import { pauseAfter } from './pauses.ts';
import { AttemptTooLong } from './reconciler.ts';
import type { TenancySettings } from './settings.ts';

export interface ClaimWorker {
  readonly kind: ReconciledKind;
  /** How many run at once. */
  readonly workers: number;
  reconcile(claim: Claim, takenAt: number, signal: AbortSignal): Promise<Outcome>;
}

export interface ClaimWorkerParts {
  readonly db: Kysely<Tables>;
  /** The name of the cluster. */
  readonly cluster: string;
  /** Who works on it, for people. */
  readonly holder: string;
  readonly settings: TenancySettings;
  readonly metrics: TenancyMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  /** Asked before each claim. If false, nothing is claimed. */
  readonly mayWork: (kind: ReconciledKind) => Promise<boolean>;
  /** Called when an attempt has ended. */
  readonly ended: (kind: ReconciledKind, outcome: Outcome | 'error') => void;
}

const longestDatabasePauseMs = 15_000;

export class ClaimedWork {
  readonly #line: ClaimWorker;
  readonly #parts: ClaimWorkerParts;
  readonly #wakeup = new Wakeup();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #labels: { readonly cluster: string; readonly kind: ReconciledKind };

  constructor(line: ClaimWorker, parts: ClaimWorkerParts) {
    this.#line = line;
    this.#parts = parts;
    this.#labels = { cluster: parts.cluster, kind: line.kind };
  }

  get kind(): ReconciledKind {
    return this.#line.kind;
  }

  isBusy(id: string): boolean {
    return this.#busy.has(id);
  }

  /** Work may be due. */
  wake(): void {
    this.#wakeup.ring();
  }

  /** Runs until the signal is aborted. Running attempts are finished first. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, settings } = this.#parts;
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs: number;
      try {
        pauseMs = await this.#round(signal);
        failures = 0;
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'cannot read due work from the database, retrying');
        pauseMs = pauseAfter(failures++, settings.retryMs, longestDatabasePauseMs);
      }
      await this.#wakeup.rest((rung) => sleep(this.#parts.clock, pauseMs, AbortSignal.any([signal, rung])));
    }
    await Promise.all(this.#busy.values());
  }

  /** Claims as much due work as there are free workers. Resolves to the time until there may be more. */
  async #round(signal: AbortSignal): Promise<number> {
    const { db, cluster, holder, settings, metrics, clock, mayWork } = this.#parts;
    const { kind, workers } = this.#line;
    const limit = workers - this.#busy.size;
    if (limit <= 0) return settings.idleMs;
    if (!(await mayWork(kind))) return settings.idleMs;
    const takenAt = clock.now();
    const claims = await claimDue(db, { kind, owner: holder, clusters: [cluster], limit, leaseMs: settings.leaseMs });
    for (const claim of claims) this.#start(claim, takenAt, signal);
    const { due, nextInMs } = await backlogOf(db, kind, cluster);
    metrics.due.set(this.#labels, due);
    // If all workers are busy, the first free one wakes this loop.
    if (this.#busy.size >= workers) return settings.idleMs;
    return Math.min(nextInMs ?? settings.idleMs, settings.idleMs);
  }

  #start(claim: Claim, takenAt: number, signal: AbortSignal): void {
    const { claimed } = this.#parts.metrics;
    const work = this.#attempt(claim, takenAt, signal).finally(() => {
      this.#busy.delete(claim.entityId);
      claimed.dec(this.#labels);
      this.wake();
    });
    this.#busy.set(claim.entityId, work);
    claimed.inc(this.#labels);
  }

  async #attempt(claim: Claim, takenAt: number, signal: AbortSignal): Promise<void> {
    const { settings, metrics, clock, log, ended } = this.#parts;
    const { kind } = this.#line;
    const late = new AbortController();
    const timer = clock.after(settings.attemptMs, () => late.abort(new AttemptTooLong(settings.attemptMs)));
    let result: Outcome | 'error' = 'error';
    try {
      result = await this.#line.reconcile(claim, takenAt, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      // The claim expires, and another replica continues.
      log.warn({ err: error, [kind]: claim.entityId }, 'attempt failed');
    } finally {
      timer.cancel();
    }
    metrics.attempts.inc({ ...this.#labels, result });
    metrics.duration.observe(this.#labels, (clock.now() - takenAt) / 1000);
    ended(kind, result);
  }
}
