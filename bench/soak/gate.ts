/** Stops a crowd of loops between two of their steps, and lets them go on together. */
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

  /** Resolves when nobody is within a step. */
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

  /** Tells a step that would take long that it had better end. Returns how to be told no more. */
  onClosing(leave: () => void): () => void {
    this.#closing.add(leave);
    return () => this.#closing.delete(leave);
  }
}
