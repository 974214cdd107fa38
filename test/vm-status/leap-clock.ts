/** The system time with leaps forward: waits of minutes end at once, while real work (HTTP, PostgreSQL) continues. */
import { systemClock, type Clock, type Timer } from '../../packages/kube/src/clock.ts';

interface Waiting {
  readonly at: number;
  readonly wake: () => void;
  timer: Timer;
}

export class LeapClock implements Clock {
  readonly #waiting = new Set<Waiting>();
  #leapt = 0;

  now(): number {
    return systemClock.now() + this.#leapt;
  }

  date(): Date {
    return new Date(systemClock.date().getTime() + this.#leapt);
  }

  after(milliseconds: number, wake: () => void): Timer {
    const waiting: Waiting = {
      at: this.now() + milliseconds,
      wake: () => {
        this.#waiting.delete(waiting);
        wake();
      },
      timer: systemClock.after(milliseconds, () => waiting.wake()),
    };
    this.#waiting.add(waiting);
    return {
      cancel: () => {
        this.#waiting.delete(waiting);
        waiting.timer.cancel();
      },
    };
  }

  leap(milliseconds: number): void {
    this.#leapt += milliseconds;
    const now = this.now();
    for (const waiting of [...this.#waiting].sort((a, b) => a.at - b.at)) {
      if (!this.#waiting.has(waiting)) continue;
      waiting.timer.cancel();
      if (waiting.at <= now) waiting.wake();
      else waiting.timer = systemClock.after(waiting.at - now, () => waiting.wake());
    }
  }
}
