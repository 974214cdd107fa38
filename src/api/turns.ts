/** Work that is done by a few at a time; who would have to wait behind too many is sent away. */

export interface TurnLimits {
  readonly atOnce: number;
  /** Behind those. */
  readonly waiting: number;
  /** What those are told who are sent away. */
  readonly refusal: () => Error;
}

export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
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
    const { atOnce, waiting, refusal } = this.#limits;
    if (this.#running < atOnce) {
      this.#running += 1;
      return undefined;
    }
    if (this.#queue.length >= waiting) throw refusal();
    return new Promise((resolve) => this.#queue.push(resolve));
  }
}
