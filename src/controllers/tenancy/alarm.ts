/** Wakes a loop that rests; one that is at work when it is called rests not at all the next time. */
import { sleep, type Clock } from '../../kube/clock.ts';

export class Alarm {
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

  /** Until it rings, the time is up, or the signal. */
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
