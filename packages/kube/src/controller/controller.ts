/**
 * `Controller` calls a reconciler for every key that something happened to, in every engaged cluster, until it
 * succeeds. It is level-triggered: changes missed while it was down arrive with the first list.
 *
 * At most one worker handles a key at a time. Each share of keys (a cluster, unless `shareOf` says otherwise) has
 * `concurrency` workers of its own. A reconciler that keeps running after its signal was aborted keeps its key and its
 * worker until it returns, because a key must never have two; it is logged and listed in `health().overdue`. If its
 * cluster leaves, it keeps only its key: when the cluster comes back, its other keys are worked on.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import type { Term } from '../leader-election/term.ts';
import type { RunContext, Runnable } from '../manager/runnable.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { Queue, type AddOptions } from '../queue/queue.ts';
import type { RetryDelayOptions } from '../queue/retry-delay.ts';
import { TimeBudget } from '@ssvirt/base/async/yield';
import { Engagement, type SourceHealth } from './engagement.ts';
import { Fence } from './fence.ts';
import { ReconcileMetrics } from './reconcile-metrics.ts';
import { requestKey, type Request } from './request.ts';
import type { Source } from './source.ts';
import { Workers, type WorkersOptions } from './workers.ts';

export interface ControllerOptions {
  readonly name: string;
  /** Accepts any `Reconciler`. */
  readonly reconcile: WorkersOptions['reconcile'];
  /** Called once per cluster, when the cluster is engaged. */
  readonly sources: (cluster: Cluster) => readonly Source[];
  /** Concurrent reconciles per share. The default is 1. */
  readonly concurrency?: number;
  /** Concurrent reconciles over all shares. No limit by default: with a limit, hanging clusters can use it up. */
  readonly totalConcurrency?: number;
  /** Which keys share workers. By default those of one cluster. */
  readonly shareOf?: (request: Request) => string;
  /** For one reconcile. The default is 5 min. */
  readonly timeoutMs?: number;
  /** How long after the abort of its signal a running reconciler is reported. The default is 30 s. */
  readonly graceMs?: number;
  readonly rateLimit?: RetryDelayOptions;
  /** The default is 2 min. */
  readonly cacheSyncTimeoutMs?: number;
  /**
   * What happens when a cluster's sources have not synced in time. `fail`, the default, ends the controller with an
   * error that names them. `wait-if-absent` waits when all of them are of kinds that are not served (yet). `wait`
   * always waits: for fleets, where one cluster must not stop the others. In any case, a cluster that has not synced is
   * not reconciled.
   */
  readonly onSyncTimeout?: 'fail' | 'wait-if-absent' | 'wait';
  readonly needsLeadership?: boolean;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
}

export interface ControllerHealth {
  readonly sources: readonly SourceHealth[];
  readonly waiting: number;
  readonly working: number;
  /** Running reconciles that ignore their abort signal. */
  readonly overdue: readonly Request[];
}

export interface Controller extends Runnable {
  warmUp(signal: AbortSignal): Promise<void>;
  /**
   * Starts work for the cluster until its signal is aborted. Returns at once. The same cluster is engaged once; another
   * of the same name replaces it.
   */
  engage(cluster: Cluster): void;
  /**
   * Returns false, and drops the request, when the cluster is not engaged, or the controller is a standby or has
   * stopped.
   */
  enqueue(request: Request, options?: AddOptions): boolean;
  health(): ControllerHealth;
}

export function createController(options: ControllerOptions): Controller {
  return new QueueController(options);
}

class QueueController implements Controller {
  readonly name: string;
  readonly needsLeadership: boolean;
  readonly #options: ControllerOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #queue: Queue<Request>;
  readonly #engaged = new Map<string, Engagement>();
  readonly #workers: Workers;
  readonly #metrics: ReconcileMetrics;
  /** Aborted when no more keys may be started. */
  readonly #halt = new AbortController();
  #state: 'new' | 'warm' | 'running' | 'stopped' = 'new';
  #failure: Error | undefined;

  constructor(options: ControllerOptions) {
    const { name, concurrency = 1, totalConcurrency, rateLimit, metrics, clock = systemClock } = options;
    this.name = name;
    this.needsLeadership = options.needsLeadership ?? true;
    this.#options = options;
    this.#clock = clock;
    this.#log = options.log.child({ controller: name });
    this.#queue = new Queue({
      name,
      keyOf: requestKey,
      shareOf: options.shareOf ?? (({ cluster }) => cluster),
      isHeld: ({ cluster }) => this.#engaged.get(cluster)?.synced !== true,
      workers: concurrency,
      clock,
      ...defined({ totalWorkers: totalConcurrency, retry: rateLimit, metrics }),
    });
    this.#metrics = new ReconcileMetrics(metrics, name);
    this.#countWorkers();
    this.#workers = new Workers({
      reconcile: options.reconcile,
      queue: this.#queue,
      metrics: this.#metrics,
      log: this.#log,
      clock,
      timeoutMs: options.timeoutMs ?? 300_000,
      graceMs: options.graceMs ?? 30_000,
    });
  }

  engage(cluster: Cluster): void {
    const known = this.#engaged.get(cluster.name);
    if (this.#state === 'stopped' || cluster.signal.aborted || known?.cluster === cluster) return;
    if (known !== undefined) this.#disengage(known);
    const engagement = new Engagement({
      controller: this.name,
      cluster,
      clock: this.#clock,
      log: this.#log.child({ cluster: cluster.name }),
      sources: this.#options.sources,
      syncTimeoutMs: this.#options.cacheSyncTimeoutMs ?? 120_000,
      enqueue: (request, options) => this.enqueue(request, options),
      synced: () => {
        this.#log.info({ cluster: cluster.name }, 'sources synced');
        this.#queue.released();
      },
      failed: (error, unsynced) => this.#syncFailed(cluster, error, unsynced),
    });
    this.#engaged.set(cluster.name, engagement);
    this.#countWorkers();
    cluster.signal.addEventListener('abort', () => this.#disengage(engagement), {
      once: true,
      signal: engagement.ended,
    });
    if (this.#state !== 'new') engagement.start();
  }

  enqueue(request: Request, options?: AddOptions): boolean {
    if (this.#state === 'stopped' || this.#state === 'warm' || !this.#engaged.has(request.cluster)) return false;
    this.#queue.add(request, options);
    return true;
  }

  health(): ControllerHealth {
    return {
      sources: [...this.#engaged.values()].flatMap((engagement) => engagement.health()),
      waiting: this.#queue.size,
      working: this.#queue.working,
      overdue: this.#workers.overdue,
    };
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.#state !== 'new' || signal.aborted) return;
    // A standby that is stopped never runs.
    signal.addEventListener('abort', () => this.#state === 'warm' && this.#close(), { once: true });
    this.#start('warm');
    await Promise.all([...this.#engaged.values()].map(({ warm }) => warm));
    if (this.#failure === undefined || signal.aborted) return;
    this.#close();
    throw this.#failure;
  }

  async run({ signal, term }: RunContext): Promise<void> {
    if (this.#state === 'running' || this.#state === 'stopped')
      throw new Error(`cannot run controller "${this.name}" twice`);
    const halt = (): void => this.#halt.abort();
    for (const end of [signal, term?.signal]) {
      if (end?.aborted === true) halt();
      end?.addEventListener('abort', halt, { once: true });
    }
    this.#start('running');
    await this.#work(term);
    this.#close();
    await this.#drain();
    for (const end of [signal, term?.signal]) end?.removeEventListener('abort', halt);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * A standby fills its caches but no queue, which over months would collect the keys of all objects that ever existed.
   * When it begins to lead, its sources enqueue everything again from those caches.
   */
  #start(state: 'warm' | 'running'): void {
    this.#state = state;
    for (const engagement of this.#engaged.values()) engagement.restart();
  }

  async #work(term: Term | undefined): Promise<void> {
    const budget = new TimeBudget();
    const fence = new Fence(term);
    const stopping = this.#halt.signal;
    for (;;) {
      await budget.yieldWhenSpent();
      const taken = await this.#queue.next(stopping);
      if (taken === undefined) return;
      const engagement = this.#engaged.get(taken.item.cluster);
      // The cluster may have left and come back since the key was queued: then its first list enqueues the key again.
      if (engagement?.synced === true && !stopping.aborted && this.#leads(term)) {
        const isWanted = (): boolean => !stopping.aborted && this.#engaged.get(taken.item.cluster) === engagement;
        void this.#workers.reconcile({ taken, cluster: fence.around(engagement.cluster), term, isWanted });
      } else {
        this.#queue.forget(taken.item);
        this.#queue.done(taken.item);
      }
    }
  }

  #leads(term: Term | undefined): boolean {
    try {
      term?.assertHeld();
      return true;
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error('leadership lost', { cause: error }));
      return false;
    }
  }

  #syncFailed(cluster: Cluster, error: Error, unsynced: readonly SourceHealth[]): void {
    const { onSyncTimeout = 'fail' } = this.#options;
    const absent = unsynced.length > 0 && unsynced.every(({ trouble }) => trouble === 'absent');
    if (onSyncTimeout === 'wait' || (onSyncTimeout === 'wait-if-absent' && absent))
      this.#log.error({ err: error, cluster: cluster.name }, 'sources not synced, cluster waits');
    else this.#fail(error);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#halt.abort();
  }

  #disengage(engagement: Engagement): void {
    engagement.end();
    const { name } = engagement.cluster;
    if (this.#engaged.get(name) !== engagement) return;
    this.#engaged.delete(name);
    this.#countWorkers();
    this.#queue.drop(({ cluster }) => cluster === name);
    this.#workers.abort(new Error(`the cluster "${name}" has left`), ({ cluster }) => cluster === name);
  }

  /**
   * Each cluster has its own workers, so that comparing this with active workers shows how busy it is. The number of
   * other shares is unknown.
   */
  #countWorkers(): void {
    const { concurrency = 1, totalConcurrency, shareOf } = this.#options;
    const shares = shareOf === undefined ? Math.max(1, this.#engaged.size) : Infinity;
    const most = Math.min(shares * concurrency, totalConcurrency ?? Infinity);
    this.#metrics.workers(Number.isFinite(most) ? most : concurrency);
  }

  #close(): void {
    this.#state = 'stopped';
    this.#halt.abort();
    this.#queue.shutDown();
    for (const engagement of this.#engaged.values()) engagement.end();
    this.#workers.abort(new Error(`the controller "${this.name}" is stopping`), () => true);
  }

  /**
   * Has no deadline of its own: reporting an end while a reconcile runs would let another leader start. The manager's
   * grace period is the deadline.
   */
  #drain(): Promise<void> {
    return this.#queue.idle();
  }
}
