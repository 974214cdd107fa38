/** One index: for each value the keys of the objects that have it. */

export class IndexTable<P> {
  readonly #valuesOf: (object: P) => readonly string[];
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: (object: P) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  /** May throw what the function throws; nothing has changed then. */
  valuesOf(object: P): readonly string[] {
    return this.#valuesOf(object);
  }

  /** Objects have one value or a few, so that looking through them is quicker than a set of them. */
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

  /** How many values there are. */
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
