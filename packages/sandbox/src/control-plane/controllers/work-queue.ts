/**
 * `WorkQueue` holds keys to work on: in the order of arrival, each never twice at a time. A failed key is retried after
 * a short delay. Keys are processed one after the other, but a slow one (for example, because of a webhook that hangs)
 * does not block the others.
 */
/** Milliseconds after which the next key no longer waits for the current one. */
const PATIENCE = 100;
const MOST_AT_ONCE = 20;

export class WorkQueue {
  readonly #pending = new Set<string>();
  readonly #active = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #work: (key: string) => Promise<void>;
  readonly #onError: (error: unknown, key: string) => void;
  /** Whether a loop is taking keys. */
  #served = false;
  #stopped = false;
  readonly #failures = new Map<string, number>();

  constructor(work: (key: string) => Promise<void>, onError: (error: unknown, key: string) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#pending.add(key);
    this.#serve();
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

  #serve(): void {
    if (this.#served || this.#active.size >= MOST_AT_ONCE) return;
    this.#served = true;
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    for (let key = this.#take(); key !== undefined; key = this.#take()) {
      if (!(await this.#attend(key))) {
        // Another loop has started meanwhile, but it skipped this key while this loop was working on it.
        this.#serve();
        return;
      }
    }
    this.#served = false;
  }

  #take(): string | undefined {
    for (const key of this.#pending) {
      if (this.#active.has(key)) continue;
      this.#pending.delete(key);
      this.#active.add(key);
      return key;
    }
    return undefined;
  }

  /** Resolves to false when the work took so long that another loop was started for the next keys. */
  async #attend(key: string): Promise<boolean> {
    let inTime = true;
    const impatience = setTimeout(() => {
      inTime = false;
      this.#served = false;
      if (!this.#stopped) this.#serve();
    }, PATIENCE);
    try {
      await this.#work(key);
      this.#failures.delete(key);
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      this.#onError(error, key);
      this.addAfter(key, Math.min(50 * 2 ** failures, 10_000));
    } finally {
      clearTimeout(impatience);
      this.#active.delete(key);
    }
    return inTime;
  }
}
