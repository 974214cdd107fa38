/**
 * `Backoff` yields growing pauses with jitter, so that many clients that failed at the same time do not retry at the
 * same time.
 */

export interface BackoffOptions {
  readonly initialMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** Each pause is lengthened by a random fraction of itself, at most this one: with 1 it at most doubles. */
  readonly jitter: number;
  readonly random?: () => number;
}

export class Backoff {
  readonly #options: BackoffOptions;
  #next: number;
  #attempts = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#next = options.initialMs;
  }

  /** How many pauses were taken since the last reset. */
  get attempts(): number {
    return this.#attempts;
  }

  /** The next pause in milliseconds. */
  take(): number {
    const { factor, maxMs, jitter, random = Math.random } = this.#options;
    const pause = Math.min(this.#next, maxMs);
    this.#next = Math.min(this.#next * factor, maxMs);
    this.#attempts++;
    return pause * (1 + random() * jitter);
  }

  reset(): void {
    this.#next = this.#options.initialMs;
    this.#attempts = 0;
  }
}
