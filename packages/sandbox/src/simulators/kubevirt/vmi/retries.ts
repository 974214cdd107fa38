/** The backoff of failed keys, as in client-go's queues: 5 ms, doubled each time, at most 1000 s. */

const FIRST_MS = 5;
/** Applies at any speed: endless failures must not use up the CPU. */
export const SHORTEST_RETRY_MS = 1;
const LONGEST_MS = 1_000_000;

export class Retries {
  readonly #failures = new Map<string, number>();

  /** Counts one more consecutive failure, and returns the pause. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  get size(): number {
    return this.#failures.size;
  }
}
