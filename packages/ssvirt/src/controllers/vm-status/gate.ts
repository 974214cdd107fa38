/** `Gate` lets callers wait until it is open. */

export class Gate {
  readonly #waiting = new Set<() => void>();
  #isOpen = false;

  open(): void {
    this.#isOpen = true;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Resolves when the gate is open or the signal is aborted; the caller checks the signal. */
  wait(signal: AbortSignal): Promise<void> {
    if (this.#isOpen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
