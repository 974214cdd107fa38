/** `Group` holds runnables that are stopped together. */

export class Group {
  readonly #stopping = new AbortController();
  readonly #lives = new Map<Promise<void>, string>();

  /** Aborted when the group must end. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** The names of those that have not ended. */
  get running(): readonly string[] {
    return [...this.#lives.values()];
  }

  /** `live` must not reject. */
  start(name: string, live: (signal: AbortSignal) => Promise<void>): void {
    const life: Promise<void> = live(this.signal).finally(() => this.#lives.delete(life));
    this.#lives.set(life, name);
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when none is running, including those started meanwhile. */
  async ended(): Promise<void> {
    while (this.#lives.size > 0) await Promise.all(this.#lives.keys());
  }
}
