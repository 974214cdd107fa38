/** Records the reconciles, and whether two were ever in progress on one key. */

export class WorkRecord {
  readonly #inside = new Map<string, string>();
  /** Whether the last reconcile of a key found the object. */
  readonly #seen = new Map<string, boolean>();
  /** A sentence for each violation. */
  readonly violations: string[] = [];
  reconciles = 0;

  /** Runs the work on a key in the name of `who`. */
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

  /** Records whether a reconciler found the object. */
  found(key: string, there: boolean): void {
    this.#seen.set(key, there);
  }

  /** Whether the last reconcile of the key found the object, so that its deletion has not been noticed. */
  believesIn(key: string): boolean {
    return this.#seen.get(key) === true;
  }
}
