/** `IndexTable` is one index: it maps each value to the keys of the objects that have it. */

export class IndexTable<P> {
  readonly #valuesOf: (object: P) => readonly string[];
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: (object: P) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  /** Throws what the index function throws; the index is unchanged then. */
  valuesOf(object: P): readonly string[] {
    return this.#valuesOf(object);
  }

  /** Objects have only a few values, so scanning the array is faster than a Set. */
  put(key: string, before: readonly string[], after: readonly string[]): void {
    for (const value of before) if (!after.includes(value)) this.#remove(value, key);
    for (const value of after) if (!before.includes(value)) this.#add(value, key);
  }

  keysOf(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }

  countOf(value: string): number {
    return this.#keys.get(value)?.size ?? 0;
  }

  /** The number of distinct values. */
  get size(): number {
    return this.#keys.size;
  }

  clear(): void {
    this.#keys.clear();
  }

  #add(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, new Set([key]));
    else keys.add(key);
  }

  #remove(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) return;
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(value);
  }
}
