/**
 * `RetryDelay` is the pause of a failed key: 5 ms, doubled with each failure in a row, up to 1000 s. A random fraction
 * is subtracted, so that keys that failed together (their cluster was unreachable) do not all return together; it never
 * makes a pause longer.
 */
import type { Clock } from '../clock.ts';

export interface RetryDelayOptions {
  readonly initialMs?: number;
  readonly maxMs?: number;
  /** The largest fraction that is subtracted. The default is 0.1. */
  readonly jitter?: number;
  readonly random?: () => number;
  /** A rate limit for the retries of all keys together. Off by default. */
  readonly overall?: { readonly perSecond: number; readonly burst: number };
}

export class RetryDelay {
  readonly #clock: Clock;
  readonly #options: RetryDelayOptions;
  readonly #failures = new Map<string, number>();
  /** Below zero when tokens are already promised. */
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, options: RetryDelayOptions = {}) {
    this.#clock = clock;
    this.#options = options;
    this.#tokens = options.overall?.burst ?? 0;
    this.#filledAt = clock.now();
  }

  /** Counts a failure of the key and returns the pause after it. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(this.#ofKey(failures), this.#ofAll());
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The number of keys with failures. */
  get size(): number {
    return this.#failures.size;
  }

  clear(): void {
    this.#failures.clear();
  }

  #ofKey(failures: number): number {
    const { initialMs = 5, maxMs = 1_000_000, jitter = 0.1, random = Math.random } = this.#options;
    return Math.min(initialMs * 2 ** failures, maxMs) * (1 - random() * jitter);
  }

  #ofAll(): number {
    const { overall } = this.#options;
    if (overall === undefined) return 0;
    const now = this.#clock.now();
    this.#tokens = Math.min(overall.burst, this.#tokens + ((now - this.#filledAt) / 1000) * overall.perSecond) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / overall.perSecond) * 1000;
  }
}
