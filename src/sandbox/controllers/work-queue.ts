/** Keys to be worked on, each once at a time, in the order they came; a key that fails is tried again a little later. */
export class WorkQueue {
  readonly #pending = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #work: (key: string) => Promise<void>;
  readonly #onError: (error: unknown, key: string) => void;
  #running = false;
  #stopped = false;
  readonly #failures = new Map<string, number>();

  constructor(work: (key: string) => Promise<void>, onError: (error: unknown, key: string) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#pending.add(key);
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => void this.#drain());
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(key);
    }, milliseconds);
    this.#timers.add(timer);
  }

  stop(): void {
    this.#stopped = true;
    this.#pending.clear();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #drain(): Promise<void> {
    for (;;) {
      const [key] = this.#pending;
      if (key === undefined) break;
      this.#pending.delete(key);
      try {
        await this.#work(key);
        this.#failures.delete(key);
      } catch (error) {
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.#onError(error, key);
        this.addAfter(key, Math.min(50 * 2 ** failures, 10_000));
      }
    }
    this.#running = false;
  }
}
