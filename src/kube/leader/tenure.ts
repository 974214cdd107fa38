/**
 * A term as the elector keeps it. What counts is the monotonic clock: the lease is ours for the renew deadline from the moment at which the
 * last successful renewal was *sent*. Others count the longer lease duration from a later moment (when they saw it), so ours ends first, even
 * where the event loop was blocked or the process was stopped (SIGSTOP) and no timer could fire. The lease is renewed on the same event loop
 * as the work, and not by a worker thread, on purpose: a process whose loop is blocked must lose the lease, not keep it.
 *
 * What this cannot see is time that CLOCK_MONOTONIC does not count: a machine that sleeps, a virtual machine that is paused. Against these stand the
 * resourceVersion of each write and the epoch.
 */
import type { Clock, Timer } from '../clock.ts';
import { LeadershipLost } from './term.ts';
import type { Term } from './term.ts';

export interface TenureOptions {
  readonly epoch: number;
  readonly renewDeadlineMs: number;
  /** When the write that won the lease was sent. */
  readonly sentAt: number;
  readonly clock: Clock;
}

export class Tenure implements Term {
  readonly epoch: number;
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  readonly #ended = new AbortController();
  #sentAt: number;
  #timer: Timer;

  constructor({ epoch, renewDeadlineMs, sentAt, clock }: TenureOptions) {
    this.epoch = epoch;
    this.#clock = clock;
    this.#renewDeadlineMs = renewDeadlineMs;
    this.#sentAt = sentAt;
    this.#timer = this.#watch();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** When the last successful renewal was sent. */
  get renewedAt(): number {
    return this.#sentAt;
  }

  /** How long it is surely ours if it is not renewed; 0 when it is not. */
  get remainingMs(): number {
    return this.isHeld() ? this.#sentAt + this.#renewDeadlineMs - this.#clock.now() : 0;
  }

  /** Once false it stays false: a renewal that we learn of too late may have been followed by another leader already. */
  isHeld(): boolean {
    if (this.#ended.signal.aborted) return false;
    if (this.#clock.now() < this.#sentAt + this.#renewDeadlineMs) return true;
    this.lose(`the lease was not renewed for ${this.#renewDeadlineMs} ms`);
    return false;
  }

  assertHeld(): void {
    if (!this.isHeld()) throw this.#ended.signal.reason;
  }

  /** A renewal that was sent at this time has succeeded. Throws when it came too late. */
  renew(sentAt: number): void {
    this.assertHeld();
    this.#sentAt = Math.max(this.#sentAt, sentAt);
    this.#timer.cancel();
    this.#timer = this.#watch();
    this.assertHeld();
  }

  lose(why: string): void {
    this.#end(`cannot lead any more: ${why}`);
  }

  /** It ends as planned: nothing may be written under it any more. */
  end(): void {
    this.#end('cannot lead any more: the term has ended');
  }

  #end(message: string): void {
    this.#timer.cancel();
    if (!this.#ended.signal.aborted) this.#ended.abort(new LeadershipLost(message));
  }

  #watch(): Timer {
    const remainingMs = this.#sentAt + this.#renewDeadlineMs - this.#clock.now();
    return this.#clock.after(Math.ceil(remainingMs), () => {
      // Timers of Node may fire a fraction of a millisecond early.
      if (this.isHeld()) this.#timer = this.#watch();
    });
  }
}
