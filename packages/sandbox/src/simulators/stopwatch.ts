/**
 * Measures how long an object has been in a stage. Timestamps of the API count, so that a restarted simulator continues
 * where it was; times are also kept in memory, because those timestamps have whole seconds only.
 */
import { systemClock, type Clock } from '@ssvirt/kube/clock';

export class Stopwatch {
  readonly #clock: Clock;
  readonly #began = new Map<string, Map<string, number>>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Returns the milliseconds until `total` have passed in this stage, at least 0. `since` is the API's timestamp of its
   * start.
   */
  left(uid: string, stage: string, total: number, since?: string | null): number {
    const stages = this.#began.get(uid) ?? new Map<string, number>();
    const began = stages.get(stage) ?? this.#clock.now();
    stages.set(stage, began);
    this.#began.set(uid, stages);
    const told = typeof since === 'string' ? this.#clock.date().getTime() - Date.parse(since) - 1000 : 0;
    const passed = Math.max(this.#clock.now() - began, Number.isFinite(told) ? told : 0);
    return Math.max(0, total - passed);
  }

  /** The stage starts again the next time it is asked for. */
  restart(uid: string, stage: string): void {
    this.#began.get(uid)?.delete(stage);
  }

  forget(uid: string): void {
    this.#began.delete(uid);
  }
}
