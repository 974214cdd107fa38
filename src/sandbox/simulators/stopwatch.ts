/**
 * How long an object has been in a stage. What the API says about it counts, so that a simulator that was away goes on where it was; the memory is
 * only there because timestamps of the API have no more than seconds.
 */
import { systemClock, type Clock } from '../../kube/clock.ts';

export class Stopwatch {
  readonly #clock: Clock;
  readonly #began = new Map<string, Map<string, number>>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Milliseconds until `total` have passed in this stage; 0 when they have. `since` is the API's word for when it began. */
  left(uid: string, stage: string, total: number, since?: string | null): number {
    const stages = this.#began.get(uid) ?? new Map<string, number>();
    const began = stages.get(stage) ?? this.#clock.now();
    stages.set(stage, began);
    this.#began.set(uid, stages);
    const told = typeof since === 'string' ? this.#clock.date().getTime() - Date.parse(since) - 1000 : 0;
    const passed = Math.max(this.#clock.now() - began, Number.isFinite(told) ? told : 0);
    return Math.max(0, total - passed);
  }

  /** The next time, the stage begins anew. */
  restart(uid: string, stage: string): void {
    this.#began.get(uid)?.delete(stage);
  }

  forget(uid: string): void {
    this.#began.delete(uid);
  }
}
