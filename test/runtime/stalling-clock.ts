/**
 * A FakeClock that can be stalled: time passes and none of its timers fires, as behind a blocked event loop or a
 * SIGSTOP.
 */
import type { Clock, Timer } from '../../packages/kube/src/clock.ts';
import { FakeClock } from '../../packages/kube/src/fake-clock.ts';

export class StallingClock implements Clock {
  readonly fake = new FakeClock();
  /** The offset of its wall clock. */
  readonly #skewMs: number;
  #stalledMs = 0;

  constructor(skewMs = 0) {
    this.#skewMs = skewMs;
  }

  now(): number {
    return this.fake.now() + this.#stalledMs;
  }

  date(): Date {
    return new Date(this.fake.date().getTime() + this.#stalledMs + this.#skewMs);
  }

  after(milliseconds: number, wake: () => void): Timer {
    return this.fake.after(milliseconds, wake);
  }

  stall(milliseconds: number): void {
    this.#stalledMs += milliseconds;
  }
}
