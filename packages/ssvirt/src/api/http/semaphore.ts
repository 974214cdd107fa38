/** Semaphore: runs a few pieces of work at a time, and rejects new callers when the wait queue is full. */

export interface SemaphoreLimits {
  readonly atOnce: number;
  /** The length of the wait queue. */
  readonly waiting: number;
  /** The error for rejected callers. */
  readonly refusal: () => Error;
}

export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      // The permit is passed on, so that a new caller does not overtake.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #begin(): Promise<void> | undefined {
    const { atOnce, waiting, refusal } = this.#limits;
    if (this.#running < atOnce) {
      this.#running += 1;
      return undefined;
    }
    if (this.#queue.length >= waiting) throw refusal();
    return new Promise((resolve) => this.#queue.push(resolve));
  }
}
