/**
 * `Delays` holds keys until they are due, with one heap and one timer for all, because there may be a hundred thousand.
 */
import type { Clock, Timer } from '../clock.ts';
import { Heap, type HeapMember } from './heap.ts';

/** The limit of setTimeout; a longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export interface Delayed extends HeapMember {
  /** On the clock's `now`. */
  due: number;
  order: number;
}

export class Delays<D extends Delayed> {
  readonly #clock: Clock;
  readonly #whenDue: (due: readonly D[]) => void;
  readonly #heap = new Heap<D>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  #timer: { readonly at: number; readonly timer: Timer } | undefined;

  constructor(clock: Clock, whenDue: (due: readonly D[]) => void) {
    this.#clock = clock;
    this.#whenDue = whenDue;
  }

  add(delayed: D): void {
    this.#heap.push(delayed);
    this.#wind();
  }

  /** The timer is kept: it finds nothing due and is set again. */
  remove(delayed: D): void {
    this.#heap.remove(delayed);
  }

  stop(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  #wind(): void {
    const at = this.#heap.peek()?.due;
    if (at === undefined || (this.#timer !== undefined && this.#timer.at <= at)) return;
    this.#timer?.timer.cancel();
    const pause = Math.min(at - this.#clock.now(), longestTimerMs);
    this.#timer = { at, timer: this.#clock.after(pause, () => this.#ring()) };
  }

  #ring(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    const due: D[] = [];
    for (let first = this.#heap.peek(); first !== undefined && first.due <= now; first = this.#heap.peek()) {
      this.#heap.remove(first);
      due.push(first);
    }
    this.#wind();
    this.#whenDue(due);
  }
}
