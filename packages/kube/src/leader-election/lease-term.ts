/**
 * `LeaseTerm` is a term as the elector tracks it, by the monotonic clock. The lease is ours for the renew deadline,
 * counted from when the last successful renewal was *sent*. Others count the longer lease duration from a later moment
 * (when they saw it), so ours ends first, even when the event loop was blocked or the process was stopped (SIGSTOP) and
 * no timer could fire. The renewal deliberately runs on the same event loop as the work and not in a worker thread: a
 * process whose loop is blocked must lose the lease.
 *
 * It cannot see time that CLOCK_MONOTONIC does not count: a machine that sleeps, a paused virtual machine. The
 * resourceVersion of each write and the epoch protect against those.
 */
import type { Clock, Timer } from '../clock.ts';
import { LeadershipLost } from './term.ts';
import type { Term } from './term.ts';

export interface LeaseTermOptions {
  readonly epoch: number;
  readonly renewDeadlineMs: number;
  /** When the write that won the lease was sent. */
  readonly sentAt: number;
  readonly clock: Clock;
}

export class LeaseTerm implements Term {
  readonly epoch: number;
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  readonly #ended = new AbortController();
  #sentAt: number;
  #timer: Timer;

  constructor({ epoch, renewDeadlineMs, sentAt, clock }: LeaseTermOptions) {
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

  /** How long the lease is certainly ours without a renewal; 0 when it is not. */
  get remainingMs(): number {
    return this.isHeld() ? this.#sentAt + this.#renewDeadlineMs - this.#clock.now() : 0;
  }

  /** Once false it stays false: another process may have led before a late renewal became known. */
  isHeld(): boolean {
    if (this.#ended.signal.aborted) return false;
    if (this.#clock.now() < this.#sentAt + this.#renewDeadlineMs) return true;
    this.lose(`the lease was not renewed for ${this.#renewDeadlineMs} ms`);
    return false;
  }

  assertHeld(): void {
    if (!this.isHeld()) throw this.#ended.signal.reason;
  }

  /** Records a successful renewal that was sent at this time. Throws when it came too late. */
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

  /** Ends the term as planned: nothing may be written under it any more. */
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
      // Node's timers may fire a fraction of a millisecond early.
      if (this.isHeld()) this.#timer = this.#watch();
    });
  }
}
