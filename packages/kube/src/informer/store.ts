/** `Store` holds the objects of a kind by key, with indexes. Each change updates all indexes before it returns. */
import { keyOf } from '../object.ts';
import type { Projected } from './informer.ts';
import { IndexTable } from './index-table.ts';

const namespaceIndex = 'namespace';
const none: readonly string[] = [];

export class Store<P extends Projected> {
  readonly #objects = new Map<string, P>();
  readonly #indexes = new Map<string, IndexTable<P>>();
  readonly #report: (index: string, error: unknown) => void;

  /** An object for which an index function throws has no values in that index; `report` is called. */
  constructor(report: (index: string, error: unknown) => void = () => undefined) {
    this.#report = report;
    this.addIndex(namespaceIndex, ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]));
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The number of distinct values in all indexes, for tests and benchmarks. */
  get indexedValues(): number {
    let sum = 0;
    for (const table of this.#indexes.values()) sum += table.size;
    return sum;
  }

  count(namespace?: string): number {
    return namespace === undefined ? this.size : (this.#indexes.get(namespaceIndex)?.countOf(namespace) ?? 0);
  }

  get(key: string): P | undefined {
    return this.#objects.get(key);
  }

  /** Callers that have the key pass it: building it is most of the work of a long list. */
  set(object: P, key = keyOf(object.metadata)): void {
    this.#reindex(key, this.#objects.get(key), object);
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    this.#reindex(key, this.#objects.get(key), undefined);
    this.#objects.delete(key);
  }

  list(namespace?: string): readonly P[] {
    return namespace === undefined ? [...this.#objects.values()] : this.byIndex(namespaceIndex, namespace);
  }

  /** Objects with their keys. */
  *entries(namespace?: string): Generator<readonly [string, P]> {
    if (namespace === undefined) {
      yield* this.#objects;
      return;
    }
    for (const key of this.#indexes.get(namespaceIndex)?.keysOf(namespace) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) yield [key, object];
    }
  }

  byIndex(index: string, value: string): readonly P[] {
    const table = this.#indexes.get(index);
    if (table === undefined) throw new Error(`no index "${index}" was added`);
    const found: P[] = [];
    for (const key of table.keysOf(value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  addIndex(index: string, valuesOf: (object: P) => readonly string[]): void {
    if (this.#indexes.has(index)) return;
    const table = new IndexTable(valuesOf);
    this.#indexes.set(index, table);
    for (const [key, object] of this.#objects) table.put(key, none, this.#values(index, table, object));
  }

  clear(): void {
    this.#objects.clear();
    for (const table of this.#indexes.values()) table.clear();
  }

  #reindex(key: string, before: P | undefined, after: P | undefined): void {
    for (const [index, table] of this.#indexes)
      table.put(key, this.#values(index, table, before), this.#values(index, table, after));
  }

  #values(index: string, table: IndexTable<P>, object: P | undefined): readonly string[] {
    if (object === undefined) return none;
    try {
      return table.valuesOf(object);
    } catch (error) {
      this.#report(index, error);
      return none;
    }
  }
}
