/** `FakeClock` is a clock for tests: time passes only by `advance`. */
import type { Clock, Timer } from './clock.ts';

interface Waiting {
  readonly at: number;
  readonly wake: () => void;
}

export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #start = Date.UTC(2026, 0, 1);
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

  after(milliseconds: number, wake: () => void): Timer {
    const entry = { at: this.#now + Math.max(0, milliseconds), wake };
    this.#waiting.add(entry);
    return { cancel: () => void this.#waiting.delete(entry) };
  }

  /** The number of pending timers. */
  get timers(): number {
    return this.#waiting.size;
  }

  /** Milliseconds to the next timer; undefined when none is set. */
  get next(): number | undefined {
    const times = [...this.#waiting].map(({ at }) => at - this.#now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Advances time, timer by timer in order. Between two timers, everything that was woken runs until it waits again,
   * including real I/O of one turn of the event loop.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const due = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#waiting.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.wake();
      await settle();
    }
    this.#now = end;
    await settle();
  }
}

/** `settle` lets pending promise callbacks run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
