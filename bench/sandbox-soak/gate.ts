/** `Gate` stops a crowd of loops between two steps, and lets them continue together. */
export class Gate {
  #closed: { opened: Promise<void>; open: () => void } | undefined;
  #inside = 0;
  #drained: (() => void) | undefined;
  readonly #closing = new Set<() => void>();

  /** Runs one step; waits before it while the gate is closed. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed.opened;
    this.#inside++;
    try {
      return await work();
    } finally {
      this.#inside--;
      if (this.#inside === 0) this.#drained?.();
    }
  }

  /** Resolves when no step is in progress. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed ??= { opened: promise, open: resolve };
    for (const leave of this.#closing) leave();
    if (this.#inside === 0) return;
    await new Promise<void>((drained) => (this.#drained = drained));
    this.#drained = undefined;
  }

  open(): void {
    const closed = this.#closed;
    this.#closed = undefined;
    closed?.open();
  }

  /** `leave` is called when a long step should end early. Returns the unsubscribe function. */
  onClosing(leave: () => void): () => void {
    this.#closing.add(leave);
    return () => this.#closing.delete(leave);
  }
}
