/** `Wakeup` ends the rest of a loop. A ring during the work ends the next rest at once, so that none is lost. */
export class Wakeup {
  #rung = new AbortController();

  readonly ring = (): void => this.#rung.abort();

  /** Calls `wait`, whose signal is aborted by a ring. Without a call if it has rung since the last rest. */
  async rest(wait: (rung: AbortSignal) => Promise<unknown>): Promise<void> {
    if (!this.#rung.signal.aborted) await wait(this.#rung.signal);
    this.#rung = new AbortController();
  }
}
