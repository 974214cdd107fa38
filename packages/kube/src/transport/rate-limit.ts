/**
 * The client's own rate limit, like client-go's. Off by default, because the server's priority and fairness does this
 * better.
 */
import { sleep, type Clock } from '../clock.ts';

export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

export interface RateLimiter {
  /**
   * Resolves to the time waited when the request may go, or when the signal is aborted; the caller checks the signal.
   */
  take(signal: AbortSignal): Promise<number>;
}

export const unlimited: RateLimiter = { take: () => Promise.resolve(0) };

export class TokenBucket implements RateLimiter {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  /** Below zero when tokens are promised to waiting requests. */
  #tokens: number;
  #at: number;

  constructor(clock: Clock, limit: RateLimit) {
    if (!(limit.qps > 0 && limit.burst >= 1))
      throw new Error(`cannot limit requests to ${limit.qps} per second with a burst of ${limit.burst}`);
    this.#clock = clock;
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#at = clock.now();
  }

  async take(signal: AbortSignal): Promise<number> {
    this.#refill();
    this.#tokens--;
    if (this.#tokens >= 0) return 0;
    const pause = (-this.#tokens / this.#limit.qps) * 1000;
    await sleep(this.#clock, pause, signal);
    if (signal.aborted) this.#tokens++;
    return pause;
  }

  #refill(): void {
    const now = this.#clock.now();
    const { qps, burst } = this.#limit;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * qps);
    this.#at = now;
  }
}
