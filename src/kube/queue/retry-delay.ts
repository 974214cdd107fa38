/**
 * How long a key that failed waits: 5 ms, doubled with each failure in a row, 1000 s at most. A random share is taken off, so that keys that
 * failed together (their cluster was away) do not all come back together; it never makes a wait longer than the rule says.
 */
import type { Clock } from '../clock.ts';

export interface RetryDelayOptions {
  readonly initialMs?: number;
  readonly maxMs?: number;
  /** The largest share that is taken off; 0.1 unless said. */
  readonly jitter?: number;
  readonly random?: () => number;
  /** All keys together come back no faster than this; off unless said. */
  readonly overall?: { readonly perSecond: number; readonly burst: number };
}

export class RetryDelay {
  readonly #clock: Clock;
  readonly #options: RetryDelayOptions;
  readonly #failures = new Map<string, number>();
  /** Below zero: so many have been promised already. */
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, options: RetryDelayOptions = {}) {
    this.#clock = clock;
    this.#options = options;
    this.#tokens = options.overall?.burst ?? 0;
    this.#filledAt = clock.now();
  }

  /** Counts a failure of the key, and says how long to wait after it. */
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

  /** How many keys are remembered. */
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
