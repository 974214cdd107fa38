/** `Workers` runs reconciles and handles their outcomes. */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import { isConflict } from '../errors.ts';
import type { Term } from '../leader-election/term.ts';
import type { Queue, Taken } from '../queue/queue.ts';
import { Attempt, type Outcome } from './attempt.ts';
import type { ReconcileMetrics } from './reconcile-metrics.ts';
import type { ReconcileContext, Request, Result } from './request.ts';

/** Its client refuses to write when leadership may be lost. */
export interface ClusterContext extends ReconcileContext {
  readonly cluster: Cluster;
}

export interface WorkersOptions {
  readonly reconcile: (request: Request, context: ClusterContext) => Promise<Result | void>;
  readonly queue: Queue<Request>;
  readonly metrics: ReconcileMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly graceMs: number;
}

export interface Job {
  readonly taken: Taken<Request>;
  readonly cluster: Cluster;
  readonly term: Term | undefined;
  /** Whether the outcome still matters: the cluster has not left and the controller is not stopping. */
  readonly isWanted: () => boolean;
}

export class Workers {
  readonly #options: WorkersOptions;
  readonly #attempts = new Set<Attempt>();

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Running reconciles that ignore their abort signal. */
  get overdue(): readonly Request[] {
    return [...this.#attempts].filter(({ overdue }) => overdue).map(({ request }) => request);
  }

  abort(reason: Error, isMeant: (request: Request) => boolean): void {
    for (const attempt of this.#attempts) if (isMeant(attempt.request)) attempt.abort(reason);
  }

  /** Never rejects. */
  async reconcile({ taken, cluster, term, isWanted }: Job): Promise<void> {
    const { reconcile, queue, metrics, clock } = this.#options;
    const request = taken.item;
    const { cluster: clusterName, namespace, name } = request;
    const reconcileId = randomUUID();
    const log = this.#options.log.child({ cluster: clusterName, namespace, name, reconcileID: reconcileId });
    const attempt = this.#attempt(request, log);
    const context = { signal: attempt.signal, log, reconcileId, cluster, ...defined({ term }) };
    const began = clock.now();
    metrics.began();
    const outcome = await attempt.run(() => reconcile(request, context));
    metrics.ended((clock.now() - began) / 1000);
    this.#attempts.delete(attempt);
    if (isWanted()) {
      this.#conclude(taken, outcome, log);
    } else {
      // The next start enqueues the key again.
      queue.forget(request);
      log.debug({ err: outcome.kind === 'failed' ? outcome.error : undefined }, 'reconcile given up');
    }
    queue.done(request);
  }

  #attempt(request: Request, log: Logger): Attempt {
    const { clock, timeoutMs, graceMs, metrics } = this.#options;
    const attempt = new Attempt({
      request,
      clock,
      timeoutMs,
      graceMs,
      timedOut: () => metrics.timedOut(),
      overdue: () => log.error('reconciler ignores its abort signal, key and worker stay busy'),
    });
    this.#attempts.add(attempt);
    return attempt;
  }

  #conclude({ item, priority }: Taken<Request>, outcome: Outcome, log: Logger): void {
    const { queue, metrics } = this.#options;
    if (outcome.kind === 'failed') {
      metrics.error(outcome);
      if (outcome.terminal) {
        queue.forget(item);
        log.error({ err: outcome.error }, 'reconcile failed permanently');
      } else {
        queue.add(item, { rateLimited: true, priority });
        const failures = queue.failures(item);
        log[levelOf(outcome.error, failures)]({ err: outcome.error, failures }, 'reconcile failed, retrying');
      }
      return;
    }
    const { requeueAfterMs = 0, priority: wanted = priority } = outcome.result;
    queue.forget(item);
    if (requeueAfterMs > 0) queue.add(item, { afterMs: requeueAfterMs, priority: wanted });
    metrics.result(requeueAfterMs > 0 ? 'requeue_after' : 'success');
  }
}

/**
 * With client-go's pauses, five seconds have passed since the first failure by then, and at least five more pass
 * between retries.
 */
const lastingFailures = 11;

/**
 * Logs the first failure, and then those of a key that keeps failing: ten retries in the first seconds are one problem.
 * A conflict only means that another writer was first; the next try sees its write.
 */
function levelOf(error: Error, failures: number): 'error' | 'debug' {
  if (failures >= lastingFailures) return 'error';
  return failures === 1 && !isConflict(error) ? 'error' : 'debug';
}
