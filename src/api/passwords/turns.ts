/**
 * A password's hash takes 19 MiB and a core for some hundredth of a second, on purpose. So many at once would take the process down, or the other
 * requests' time: they are done in turns, and who would have to wait for long is sent away.
 */
import { ApiError } from '../errors.ts';

export interface TurnLimits {
  /** At once. Node does them in its four threads, which others need too. */
  readonly atOnce: number;
  /** Behind those. */
  readonly waiting: number;
}

const limits: TurnLimits = { atOnce: 2, waiting: 128 };

export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(given: TurnLimits = limits) {
    this.#limits = given;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      // The turn is handed on: whoever comes now does not overtake.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #begin(): Promise<void> | undefined {
    if (this.#running < this.#limits.atOnce) {
      this.#running += 1;
      return undefined;
    }
    if (this.#queue.length >= this.#limits.waiting)
      throw new ApiError('SERVICE_UNAVAILABLE', 'Too many log in at the same time; try again in a few seconds.', {
        retryAfter: 3,
      });
    return new Promise((resolve) => this.#queue.push(resolve));
  }
}
