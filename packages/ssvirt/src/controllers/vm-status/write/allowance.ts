/** `Allowance` limits output for users to a burst and a rate per second. */
import type { Clock } from '@ssvirt/kube/clock';

export class Allowance {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, burst: number, perSecond: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  take(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
