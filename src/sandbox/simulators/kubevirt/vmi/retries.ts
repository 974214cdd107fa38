/** How long a VMI waits that could not be brought further: as client-go's queues do it, 5 ms, doubled each time, 1000 s at most. */

const FIRST_MS = 5;
/** However fast the world turns: what fails for ever must not take all the time there is. */
export const SHORTEST_RETRY_MS = 1;
const LONGEST_MS = 1_000_000;

export class Retries {
  readonly #failures = new Map<string, number>();

  /** Counts one more failure in a row. */
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
