/**
 * `Manager` starts the parts of a process in a safe order (HTTP, caches, what runs on every replica, the election, what
 * runs on the leader) and stops them in reverse. The lease is released last, and only when the work that it guards has
 * ended.
 */
import { aborted } from '@ssvirt/base/async/aborted';
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { sleep, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Elector, Ending } from '../leader-election/elector.ts';
import { LeadershipLost } from '../leader-election/term.ts';
import type { Term } from '../leader-election/term.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { Checks } from './checks.ts';
import type { Check } from './checks.ts';
import type { ListenAt } from './endpoint.ts';
import { Group } from './group.ts';
import { isEndOf } from './is-end-of.ts';
import { LoopWatch } from './loop-watch.ts';
import type { Runnable } from './runnable.ts';
import { startServing } from './serving.ts';
import type { MetricsAt, Serving } from './serving.ts';

export interface ManagerOptions {
  readonly log: Logger;
  /**
   * Without an elector, runnables that need leadership run at once and have no term: for a process with a single
   * replica.
   */
  readonly elector?: Elector;
  readonly metrics?: Metrics;
  readonly health?: ListenAt;
  readonly metricsAt?: MetricsAt;
  /** Time for everything to end after the stop begins. The default is 30 s; -1 means no limit. */
  readonly graceMs?: number;
  /** The election begins after this time even if a runnable is not warm. The default is 2 min. */
  readonly warmUpTimeoutMs?: number;
  readonly clock?: Clock;
}

export interface Manager {
  /** Adds a runnable, also while the manager runs. */
  add(runnable: Runnable): void;
  /** Adds a check to /healthz: when it fails, the process cannot recover and must be killed. */
  addHealthCheck(name: string, check: Check): void;
  /** Adds a check to /readyz. It must not depend on leadership: a standby is ready too. */
  addReadyCheck(name: string, check: Check): void;
  /** Where health and metrics are served while the manager runs. */
  readonly urls: { readonly health?: string; readonly metrics?: string };
  /**
   * Runs until the signal, or until a runnable fails, and rejects with that error. Rejects with LeadershipLost without
   * waiting for anything: the process must end then.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The time left for the others when one runnable has used up the grace period. */
const lastCallMs = 500;
const readyLagMs = 1000;
const readyLagWithinMs = 10_000;
const liveLagMs = 30_000;
const liveLagWithinMs = 60_000;

export function createManager(options: ManagerOptions): Manager {
  return new ElectingManager(options);
}

class ElectingManager implements Manager {
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #live: Checks;
  readonly #ready: Checks;
  readonly #loop: LoopWatch;
  readonly #caches = new Group();
  readonly #workers = new Group();
  readonly #leaders = new Group();
  readonly #runnables: Runnable[] = [];
  /** Runnables that are not warm yet, with their warm-up. */
  readonly #cold = new Map<Runnable, Promise<void>>();
  readonly #cachesWarm = Promise.withResolvers<void>();
  /** Resolves when elected; to undefined without leader election. */
  readonly #elected = Promise.withResolvers<Term | undefined>();
  readonly #stop = Promise.withResolvers<void>();
  readonly #lost = new AbortController();
  #state: 'new' | 'running' | 'stopping' = 'new';
  #error: Error | undefined;
  #serving: Serving | undefined;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log;
    this.#loop = new LoopWatch(this.#clock);
    this.#live = new Checks('healthz', options.log);
    this.#ready = new Checks('readyz', options.log);
    this.#live.add('event-loop', () => this.#checkLoop(liveLagMs, liveLagWithinMs));
    const { elector } = options;
    if (elector !== undefined) this.#live.add('leader-election', () => elector.check());
    this.#ready.add('event-loop', () => this.#checkLoop(readyLagMs, readyLagWithinMs));
    this.#ready.add('warm-up', () => this.#checkWarm());
  }

  get urls(): Manager['urls'] {
    return this.#serving?.urls ?? {};
  }

  addHealthCheck(name: string, check: Check): void {
    this.#live.add(name, check);
  }

  addReadyCheck(name: string, check: Check): void {
    this.#ready.add(name, check);
  }

  add(runnable: Runnable): void {
    if (this.#state === 'stopping') throw new Error(`cannot add ${runnable.name}: the manager is stopping`);
    this.#runnables.push(runnable);
    if (this.#state === 'running') this.#launch(runnable);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#state !== 'new') throw new Error('a manager can run only once');
    this.#state = 'running';
    const asked = (): void => this.#stop.resolve();
    signal.addEventListener('abort', asked, { once: true });
    try {
      if (!signal.aborted) await this.#runUntilStopped();
    } finally {
      signal.removeEventListener('abort', asked);
    }
    if (this.#error !== undefined) throw this.#error;
  }

  async #runUntilStopped(): Promise<void> {
    const { health, metricsAt: metrics, metrics: all } = this.#options;
    this.#serving = await startServing({
      ...defined({ health, metrics }),
      ...(all === undefined ? {} : { registry: all.registry }),
      live: this.#live,
      ready: this.#ready,
      log: this.#log,
      clock: this.#clock,
    });
    if (health !== undefined || metrics !== undefined) this.#log.info(this.#serving.urls, 'serving');
    this.#loop.start();
    for (const runnable of this.#runnables) this.#launch(runnable);
    const campaign = new AbortController();
    const ending = Promise.withResolvers<Ending>();
    const electing = this.#elect(campaign.signal, ending.promise);
    await this.#stop.promise;
    this.#state = 'stopping';
    this.#log.info({ err: this.#error }, 'stopping');
    campaign.abort();
    const unfinished = await this.#stopGroups();
    this.#loop.stop();
    await this.#serving.stop();
    ending.resolve(this.#leaders.running.length === 0 ? 'ended' : 'unfinished');
    await electing;
    if (unfinished.length > 0)
      this.#error ??= new Error(`cannot stop in time, still running: ${unfinished.join(', ')}`);
    this.#log.info('stopped');
  }

  #launch(runnable: Runnable): void {
    const warm = Promise.withResolvers<void>();
    if (runnable.warmUp !== undefined) this.#cold.set(runnable, warm.promise);
    const warmUp = async (signal: AbortSignal): Promise<void> => {
      await runnable.warmUp?.(signal);
      this.#cold.delete(runnable);
      warm.resolve();
    };
    const { group, live } = this.#wayOf(runnable);
    this.#start(group, runnable.name, (signal) => live(signal, warmUp));
    // Separate from its run: when the warm-up fails, the run continues until it is stopped, and is awaited.
    if (runnable.kind === 'cache') this.#start(group, runnable.name, warmUp);
  }

  #start(group: Group, name: string, live: (signal: AbortSignal) => Promise<void>): void {
    group.start(name, async (signal) => {
      try {
        await live(signal);
      } catch (error) {
        if (!isEndOf(signal, error)) this.#fail(name, error);
      }
    });
  }

  #wayOf(runnable: Runnable): {
    readonly group: Group;
    readonly live: (signal: AbortSignal, warmUp: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  } {
    if (runnable.kind === 'cache') return { group: this.#caches, live: (signal) => runnable.run({ signal }) };
    if (runnable.needsLeadership === false)
      return {
        group: this.#workers,
        live: async (signal, warmUp) => {
          if (!(await before(signal, this.#cachesWarm.promise))) return;
          await warmUp(signal);
          if (!signal.aborted) await runnable.run({ signal });
        },
      };
    return {
      group: this.#leaders,
      live: async (signal, warmUp) => {
        if (!(await before(signal, this.#cachesWarm.promise))) return;
        await warmUp(signal);
        if (!(await before(signal, this.#elected.promise))) return;
        const term = await this.#elected.promise;
        if (term === undefined) return runnable.run({ signal });
        const either = AbortSignal.any([signal, term.signal]);
        try {
          await runnable.run({ signal: either, term });
        } catch (error) {
          if (!isEndOf(either, error)) throw error;
        }
      },
    };
  }

  /** Warms up, then campaigns. Never rejects: a failure stops the manager. */
  async #elect(signal: AbortSignal, ending: Promise<Ending>): Promise<void> {
    try {
      await this.#warm(signal, ({ kind }) => kind === 'cache');
      this.#cachesWarm.resolve();
      await this.#warm(signal, () => true);
      if (signal.aborted) return;
      const { elector } = this.#options;
      if (elector === undefined) this.#elected.resolve(undefined);
      else await elector.run((term) => (this.#elected.resolve(term), ending), signal);
    } catch (error) {
      if (error instanceof LeadershipLost) this.#lost.abort();
      this.#fail(undefined, error);
    }
  }

  async #warm(signal: AbortSignal, which: (runnable: Runnable) => boolean): Promise<void> {
    const waited = [...this.#cold].filter(([runnable]) => which(runnable)).map(([, warm]) => warm);
    const enough = new AbortController();
    const { warmUpTimeoutMs = 120_000 } = this.#options;
    await Promise.race([
      Promise.all(waited),
      sleep(this.#clock, warmUpTimeoutMs, AbortSignal.any([signal, enough.signal])),
    ]);
    enough.abort();
    const late = [...this.#cold.keys()].filter(which).map(({ name }) => name);
    if (late.length > 0 && !signal.aborted)
      this.#log.warn({ runnables: late }, 'runnables not warm in time, continuing');
  }

  /**
   * Stops the leader's work first, the caches last. Resolves to the runnables that did not end within the grace period.
   */
  async #stopGroups(): Promise<readonly string[]> {
    const groups = [this.#leaders, this.#workers, this.#caches];
    const { graceMs = 30_000 } = this.#options;
    const all = new AbortController();
    const over = AbortSignal.any([all.signal, this.#lost.signal]);
    // After a lost lease nothing is awaited: the rest of the lease is the entire margin.
    const grace = graceMs < 0 ? aborted(over) : sleep(this.#clock, graceMs, over);
    for (const group of groups) {
      group.stop();
      await Promise.race([group.ended(), grace]);
    }
    // Groups that were stopped only after the grace period get a last moment.
    await Promise.race([
      Promise.all(groups.map((group) => group.ended())),
      this.#lost.signal.aborted ? undefined : sleep(this.#clock, lastCallMs, over),
    ]);
    all.abort();
    return [...new Set(groups.flatMap((group) => group.running))];
  }

  #fail(runnable: string | undefined, error: unknown): void {
    const err = error instanceof Error ? error : new Error(String(error), { cause: error });
    if (this.#error !== undefined || this.#state === 'stopping')
      this.#log.error({ err, runnable }, 'failed while stopping');
    else this.#error = err;
    this.#stop.resolve();
  }

  #checkLoop(limitMs: number, withinMs: number): void {
    const worst = this.#loop.worstMs(withinMs);
    if (worst > limitMs) throw new Error(`the event loop was blocked for ${Math.round(worst)} ms`);
  }

  #checkWarm(): void {
    if (this.#cold.size > 0)
      throw new Error(`not warm yet: ${[...this.#cold.keys()].map(({ name }) => name).join(', ')}`);
  }
}

/** Resolves to true when the promise settled first, false when the signal did. */
async function before(signal: AbortSignal, promise: Promise<unknown>): Promise<boolean> {
  await Promise.race([promise, aborted(signal)]);
  return !signal.aborted;
}
