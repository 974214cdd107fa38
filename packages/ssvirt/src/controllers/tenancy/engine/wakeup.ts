/** `Wakeup` wakes a loop that rests. If the loop is working when it rings, the next rest ends at once. */
import { sleep, type Clock } from '@ssvirt/kube/clock';

export class Wakeup {
  readonly #clock: Clock;
  #rings = false;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rings = true;
    this.#wake();
  }

  /** Rests until the wakeup rings, the time is up, or the signal is aborted. */
  async rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#rings) {
      const called = new AbortController();
      this.#wake = () => called.abort();
      await sleep(this.#clock, milliseconds, AbortSignal.any([signal, called.signal]));
      this.#wake = () => undefined;
    }
    this.#rings = false;
  }
}
