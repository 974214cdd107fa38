/**
 * `Elector` elects a leader on a Lease, by the rules of client-go's elector with two differences: the term ends by the
 * monotonic clock (lease-term.ts), and an interrupted term is never resumed (lease-lock.ts).
 *
 * If the client for the work has a rate limit, give the elector a client of its own: a renewal must not wait behind the
 * work.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Client, RequestOptions } from '../client/client.ts';
import { sleep, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { isConflict } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { keyOf } from '../object.ts';
import { epochOf } from './lease.ts';
import { LeaseLock } from './lease-lock.ts';
import type { Won } from './lease-lock.ts';
import { LeaseTerm } from './lease-term.ts';
import { LeadershipLost } from './term.ts';
import type { Term } from './term.ts';
import { checkTimings, defaultTimings, jitterFactor } from './timings.ts';
import type { ElectionTimings } from './timings.ts';

export interface ElectorOptions extends Partial<ElectionTimings> {
  readonly client: Client;
  /** The Lease's namespace. */
  readonly namespace: string;
  readonly name: string;
  /**
   * Must be unique for every process ever started: a restarted container has its pod's old name. Defaults to the host
   * name and a random part.
   */
  readonly identity?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/**
 `Ending` is * The result of `lead`. With `ended`, all guarded work has ended and the lease is released; otherwise it must expire.
 */
export type Ending = 'ended' | 'unfinished';

export interface Elector {
  readonly identity: string;
  /** The last observed holder; empty when there is none. */
  readonly leader: string;
  /**
   * Waits for the lease, then calls `lead` and renews until that settles; the signal ends only the waiting. Rejects at
   * once with LeadershipLost when the lease is lost. Rejects with the error of `lead` when that fails; then the lease
   * is not released.
   */
  run(lead: (term: Term) => Promise<Ending>, signal: AbortSignal): Promise<void>;
  /** A liveness check: throws when the lease expired long ago and the guarded work still runs. */
  check(): void;
}

/** How long the guarded work may outlast the lease before the liveness check fails. */
const watchdogToleranceMs = 20_000;

export function createElector(options: ElectorOptions): Elector {
  return new LeaseElector(options);
}

class LeaseElector implements Elector {
  readonly identity: string;
  readonly #options: ElectorOptions;
  readonly #timings: ElectionTimings;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #lock: LeaseLock;
  #started = false;
  /** Set while the guarded work runs, which may be longer than the lease is held. */
  #term: LeaseTerm | undefined;
  #reportedLeader = '';
  #failures = 0;

  constructor(options: ElectorOptions) {
    this.#options = options;
    const {
      leaseDurationMs = defaultTimings.leaseDurationMs,
      renewDeadlineMs = defaultTimings.renewDeadlineMs,
      retryPeriodMs = defaultTimings.retryPeriodMs,
    } = options;
    this.#timings = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
    checkTimings(this.#timings);
    this.identity = options.identity ?? `${hostname()}_${randomUUID()}`;
    if (this.identity === '') throw new Error('cannot elect a leader: the identity is empty');
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log.child({ lease: keyOf(options), identity: this.identity });
    this.#lock = new LeaseLock({
      client: options.client,
      key: { namespace: options.namespace, name: options.name },
      identity: this.identity,
      leaseDurationMs: this.#timings.leaseDurationMs,
      ...defined({ labels: options.labels }),
      clock: this.#clock,
      onSlowPath: () => options.metrics?.leader.slowPath.inc({ name: options.name }),
    });
    this.#report(false);
  }

  get leader(): string {
    return this.#lock.holder;
  }

  async run(lead: (term: Term) => Promise<Ending>, signal: AbortSignal): Promise<void> {
    if (this.#started) throw new Error('an elector can run only once; create another for another term');
    this.#started = true;
    const won = await this.#campaign(signal);
    if (won === undefined) return;
    const term = new LeaseTerm({
      epoch: epochOf(won.lease),
      renewDeadlineMs: this.#timings.renewDeadlineMs,
      sentAt: won.sentAt,
      clock: this.#clock,
    });
    this.#report(true);
    this.#log.info({ epoch: term.epoch }, 'became the leader');
    try {
      await this.#hold(term, lead);
    } finally {
      this.#report(false);
    }
  }

  check(): void {
    if (this.#term === undefined) return;
    const overdueMs = this.#clock.now() - this.#term.renewedAt - this.#timings.leaseDurationMs;
    if (overdueMs > watchdogToleranceMs)
      throw new Error(
        `the lease ${keyOf(this.#options)} expired ${Math.round(overdueMs / 1000)} s ago and its work still runs`,
      );
  }

  async #hold(term: LeaseTerm, lead: (term: Term) => Promise<Ending>): Promise<void> {
    const over = new AbortController();
    const renewing = this.#renewUntil(over.signal, term);
    const leading = this.#lead(term, lead);
    try {
      const ending = await Promise.race([leading, lossOf(term)]);
      over.abort();
      await renewing;
      if (ending === 'ended' && term.isHeld()) {
        term.end();
        await this.#release();
      }
    } catch (error) {
      // The work of a lost term is no longer awaited.
      leading.catch((late: unknown) => {
        if (late !== error) this.#log.info({ err: late }, 'work of a lost term failed');
      });
      throw error;
    } finally {
      over.abort();
      term.end();
    }
  }

  async #lead(term: LeaseTerm, lead: (term: Term) => Promise<Ending>): Promise<Ending> {
    this.#term = term;
    try {
      return await lead(term);
    } finally {
      this.#term = undefined;
    }
  }

  async #campaign(signal: AbortSignal): Promise<Won | undefined> {
    const { retryPeriodMs, renewDeadlineMs } = this.#timings;
    const random = this.#options.random ?? Math.random;
    this.#log.info('waiting for the lease');
    while (!signal.aborted) {
      const won = await this.#attempt(signal, () => this.#lock.acquire(this.#request(renewDeadlineMs, signal)));
      this.#reportLeader();
      // An answer that arrives too late, after a stall, starts no term; the next attempt shows whether the lease is
      // still ours.
      const fresh = won !== undefined && this.#clock.now() < won.sentAt + renewDeadlineMs;
      if (fresh && !signal.aborted) return won;
      await sleep(this.#clock, retryPeriodMs * (1 + random() * jitterFactor), signal);
    }
    // The lease was won just when the election stopped, or may have been won: the answer was not awaited.
    if (this.#lock.mayHold) await this.#release();
    return undefined;
  }

  /** Renews until the signal or the loss. Never rejects: the term's signal reports the loss. */
  async #renewUntil(signal: AbortSignal, term: LeaseTerm): Promise<void> {
    const either = AbortSignal.any([signal, term.signal]);
    for (;;) {
      await sleep(this.#clock, this.#timings.retryPeriodMs, either);
      // After a stall, the timer and the deadline are due at once: the deadline takes precedence.
      if (signal.aborted || !term.isHeld()) return;
      const sentAt = this.#clock.now();
      try {
        await this.#attempt(either, async () => {
          await this.#lock.renew(this.#request(term.remainingMs, either));
          term.renew(sentAt);
        });
      } catch (error) {
        term.lose(error instanceof Error ? error.message : String(error));
      }
      this.#reportLeader();
    }
  }

  /** Logs the first of several failed requests in a row; the caller retries. A loss is rethrown. */
  async #attempt<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await attempt();
      if (this.#failures > 0) this.#log.info({ failures: this.#failures }, 'lease reachable again');
      this.#failures = 0;
      return result;
    } catch (error) {
      if (error instanceof LeadershipLost) throw error;
      if (signal.aborted) return undefined;
      const level = this.#failures++ === 0 ? 'warn' : 'debug';
      this.#log[level]({ err: error }, 'cannot read or write the lease, retrying');
      return undefined;
    }
  }

  /** At most half of the deadline, so that one request on a dead connection leaves time for another. */
  #request(remainingMs: number, signal: AbortSignal): RequestOptions {
    return { signal, timeoutMs: Math.max(1, Math.min(this.#timings.renewDeadlineMs / 2, remainingMs)) };
  }

  async #release(): Promise<void> {
    const deadline = this.#clock.now() + this.#timings.renewDeadlineMs;
    const signal = new AbortController().signal;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      try {
        const freed = await this.#lock.release(this.#request(deadline - this.#clock.now(), signal));
        this.#log.info(freed ? 'released the lease' : 'lease not released, another process holds it');
        return;
      } catch (error) {
        const pause = pauseMs * (1 + (this.#options.random ?? Math.random)());
        const again = this.#clock.now() + pause < deadline;
        if (!again || !isConflict(error))
          this.#log.warn(
            { err: error },
            again ? 'cannot release the lease, retrying' : 'cannot release the lease, it will expire',
          );
        if (!again) return;
        await sleep(this.#clock, pause);
      }
    }
  }

  #report(leading: boolean): void {
    this.#options.metrics?.leader.isLeader.set({ name: this.#options.name }, leading ? 1 : 0);
    this.#options.metrics?.leader.slowPath.inc({ name: this.#options.name }, 0);
  }

  #reportLeader(): void {
    if (this.leader === this.#reportedLeader) return;
    this.#reportedLeader = this.leader;
    this.#log.info({ leader: this.leader }, this.leader === '' ? 'lease is free' : 'new leader');
  }
}

function lossOf(term: Term): Promise<never> {
  return new Promise((_, reject) => {
    const lost = (): void => reject(term.signal.reason as LeadershipLost);
    if (term.signal.aborted) lost();
    else term.signal.addEventListener('abort', lost, { once: true });
  });
}
