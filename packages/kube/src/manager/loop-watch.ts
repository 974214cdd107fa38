/** `LoopWatch` measures how long the event loop was blocked, by how late a timer fires. */
import type { Clock, Timer } from '../clock.ts';

const intervalMs = 250;
/** Shorter delays are not counted: a long garbage collection, a large list. */
const noticedMs = 100;
/** How long stalls are remembered. */
const keptMs = 120_000;

interface Stall {
  readonly endedAt: number;
  readonly ms: number;
}

export class LoopWatch {
  readonly #clock: Clock;
  #stalls: Stall[] = [];
  #dueAt: number | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(): void {
    this.#dueAt = this.#clock.now() + intervalMs;
    this.#timer = this.#clock.after(intervalMs, () => {
      this.#note();
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#dueAt = undefined;
  }

  /** The longest stall that ended within this time, in milliseconds; 0 when there was none. */
  worstMs(withinMs: number): number {
    this.#note(); // the caller may run before the late timer
    const since = this.#clock.now() - withinMs;
    return Math.max(0, ...this.#stalls.filter(({ endedAt }) => endedAt >= since).map(({ ms }) => ms));
  }

  #note(): void {
    const now = this.#clock.now();
    const ms = this.#dueAt === undefined ? 0 : now - this.#dueAt;
    if (ms < noticedMs) return;
    this.#stalls = [...this.#stalls.filter(({ endedAt }) => endedAt >= now - keptMs), { endedAt: now, ms }];
    this.#dueAt = now; // this stall is recorded
  }
}
