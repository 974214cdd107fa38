/** The work on the virtual data centers of one cluster: a few at a time, those first that have waited longest. Each cluster has its own. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../kube/clock.ts';
import type { Cluster } from '../../kube/cluster.ts';
import { backlogOf, explainOverdue } from '../../db/reconciliation-backlog.ts';
import { claimDue, type Claim } from '../../db/reconciliations.ts';
import type { Tables } from '../../db/schema.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { Alarm } from './alarm.ts';
import { ClusterWatch } from './cluster-watch.ts';
import type { TenancyMetrics } from './metrics.ts';
import { otherCluster } from './other-cluster.ts';
import { pauseAfter } from './pauses.ts';
import { AttemptTooLong, Reconciler } from './reconciler.ts';
import type { TenancySettings } from './settings.ts';
import { Sweeper } from './sweeper.ts';

export interface ClusterWorkParts {
  readonly db: Kysely<Tables>;
  readonly fleet: Pick<Fleet, 'identityOf' | 'listConfigs'>;
  readonly cluster: Cluster;
  /** For people: who works on it. */
  readonly holder: string;
  readonly settings: TenancySettings;
  readonly metrics: TenancyMetrics;
  readonly clock: Clock;
  readonly log: Logger;
}

const longestDatabasePauseMs = 15_000;

export class ClusterWork {
  readonly #parts: ClusterWorkParts;
  readonly #watch: ClusterWatch;
  readonly #reconciler: Reconciler;
  readonly #alarm: Alarm;
  readonly #busy = new Map<string, Promise<void>>();
  /** Why nothing is done there, as it was said last. */
  #refused: string | undefined;

  constructor(parts: ClusterWorkParts) {
    const { db, cluster, settings, metrics, clock } = parts;
    const log = parts.log.child({ cluster: cluster.name });
    const labels = { cluster: cluster.name };
    this.#parts = { ...parts, log };
    this.#alarm = new Alarm(clock);
    const orphans = (count: number): void => metrics.orphans.set(labels, count);
    const mayWrite = async (): Promise<boolean> => (await otherCluster(db, parts.fleet, cluster.name)) === undefined;
    const sweeper = new Sweeper({ db, cluster, requestMs: settings.requestMs, log, orphans, mayWrite });
    this.#watch = new ClusterWatch({
      db,
      cluster,
      sweeper,
      settings,
      clock,
      log,
      isBusy: (id) => this.#busy.has(id),
      drifted: (count) => {
        metrics.drift.inc(labels, count);
        this.wake();
      },
    });
    this.#reconciler = new Reconciler({ db, cluster, watch: this.#watch, settings, clock, log });
  }

  get cluster(): Cluster {
    return this.#parts.cluster;
  }

  /** Something may be due. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Until the signal, or the cluster leaves; what is under way is ended first. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, metrics } = this.#parts;
    const either = AbortSignal.any([signal, cluster.signal]);
    await Promise.all([this.#watch.run(either), this.#work(either)]);
    metrics.forget(cluster.name);
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { log, settings } = this.#parts;
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs: number;
      try {
        pauseMs = await this.#round(signal);
        failures = 0;
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'cannot ask the database what is due; trying again');
        pauseMs = pauseAfter(failures++, settings.retryMs, longestDatabasePauseMs);
      }
      await this.#alarm.rest(pauseMs, signal);
    }
    await Promise.all(this.#busy.values());
  }

  /** Takes what is due as far as there are workers. Resolves to how long there is nothing to do. */
  async #round(signal: AbortSignal): Promise<number> {
    const { db, cluster, holder, settings, metrics, clock } = this.#parts;
    const labels = { cluster: cluster.name };
    const limit = settings.workers - this.#busy.size;
    if (limit <= 0) return settings.idleMs;
    if (await this.#isAnother()) return settings.idleMs;
    const takenAt = clock.now();
    const request = { kind: 'vdc', owner: holder, clusters: [cluster.name], limit, leaseMs: settings.leaseMs } as const;
    const claims = await claimDue(db, request);
    for (const claim of claims) this.#start(claim, takenAt, signal);
    const { due, nextInMs } = await backlogOf(db, 'vdc', cluster.name);
    metrics.due.set(labels, due);
    // With all workers at work, the first that is free wakes this loop.
    if (this.#busy.size >= settings.workers) return settings.idleMs;
    return Math.min(nextInMs ?? settings.idleMs, settings.idleMs);
  }

  /** Nothing is taken then, and it is said why. */
  async #isAnother(): Promise<boolean> {
    const { db, fleet, cluster, log } = this.#parts;
    const why = await otherCluster(db, fleet, cluster.name);
    if (why !== undefined && why !== this.#refused)
      log.error({ why }, 'a cluster is another one than before: nothing is written there, and nothing counts as gone');
    if (why === undefined && this.#refused !== undefined) log.info('the cluster is accepted; the work goes on');
    this.#refused = why;
    if (why === undefined) return false;
    const message = `waits for cluster "${cluster.name}": it is another cluster than before, which a person has to accept`;
    await explainOverdue(db, { kind: 'vdc', cluster: cluster.name, sinceMs: 0, message });
    return true;
  }

  #start(claim: Claim, takenAt: number, signal: AbortSignal): void {
    const { cluster, metrics } = this.#parts;
    const { claimed } = metrics;
    const labels = { cluster: cluster.name };
    const work = this.#attempt(claim, takenAt, signal).finally(() => {
      this.#busy.delete(claim.entityId);
      claimed.dec(labels);
      this.wake();
    });
    this.#busy.set(claim.entityId, work);
    claimed.inc(labels);
  }

  async #attempt(claim: Claim, takenAt: number, signal: AbortSignal): Promise<void> {
    const { cluster, settings, metrics, clock, log } = this.#parts;
    const labels = { cluster: cluster.name };
    const late = new AbortController();
    const timer = clock.after(settings.attemptMs, () => late.abort(new AttemptTooLong(settings.attemptMs)));
    let result = 'error';
    try {
      result = await this.#reconciler.reconcile(claim, takenAt, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      // The claim ends by itself, and whoever is there then goes on.
      log.warn({ err: error, vdc: claim.entityId }, 'an attempt on a virtual data center has failed');
    } finally {
      timer.cancel();
    }
    metrics.attempts.inc({ ...labels, result });
    metrics.duration.observe(labels, (clock.now() - takenAt) / 1000);
  }
}
