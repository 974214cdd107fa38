/**
 * `Deadline` is one signal for everything that can end a request: its timeout, the caller, the closing of the client.
 */
import type { Clock, Timer } from '../clock.ts';

export type EndedBy = 'deadline' | 'caller';

export class Deadline {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #at: number;
  readonly #timer: Timer;
  readonly #parents: readonly AbortSignal[];
  #endedBy: EndedBy | undefined;

  constructor(clock: Clock, milliseconds: number, ...parents: readonly (AbortSignal | undefined)[]) {
    this.#clock = clock;
    this.#at = clock.now() + milliseconds;
    this.#timer = clock.after(milliseconds, () => this.#abort('deadline'));
    this.#parents = parents.filter((parent) => parent !== undefined);
    for (const parent of this.#parents) {
      if (parent.aborted) this.#abort('caller');
      else parent.addEventListener('abort', this.#giveUp, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What ended it; undefined while it runs. */
  get endedBy(): EndedBy | undefined {
    return this.#endedBy;
  }

  get remainingMs(): number {
    return this.#at - this.#clock.now();
  }

  /** Removes the time limit; the caller can still abort. */
  lift(): void {
    this.#timer.cancel();
  }

  /** Releases timer and listeners without aborting the signal. */
  release(): void {
    this.#timer.cancel();
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#giveUp);
  }

  /** Waits at most until the deadline, for work that may ignore the signal. */
  async race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#controller;
    let stop: (() => void) | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      stop = () => reject(new Error('the request was ended'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      if (stop !== undefined) signal.removeEventListener('abort', stop);
    }
  }

  readonly #giveUp = (): void => this.#abort('caller');

  #abort(by: EndedBy): void {
    if (this.#endedBy !== undefined) return;
    this.#endedBy = by;
    this.#controller.abort();
    this.release();
  }
}
