/** What reconcilers did, and whether two were ever at work on one key. */

export class WorkRecord {
  readonly #inside = new Map<string, string>();
  /** Whether the last who looked found something. */
  readonly #seen = new Map<string, boolean>();
  /** Sentences about what must never happen. */
  readonly violations: string[] = [];
  reconciles = 0;

  /** Runs the work on a key, by whoever it is. */
  async during<T>(key: string, who: string, work: () => Promise<T>): Promise<T> {
    const other = this.#inside.get(key);
    if (other !== undefined) this.violations.push(`${key} was reconciled by ${who} while ${other} was at it`);
    this.#inside.set(key, who);
    this.reconciles++;
    try {
      return await work();
    } finally {
      this.#inside.delete(key);
    }
  }

  /** A reconciler found the object there, or not. */
  found(key: string, there: boolean): void {
    this.#seen.set(key, there);
  }

  /** Somebody found it, and nobody has looked since it is gone. */
  believesIn(key: string): boolean {
    return this.#seen.get(key) === true;
  }
}
