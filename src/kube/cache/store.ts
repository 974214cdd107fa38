/** The objects of a kind by key, with indexes. Each change is done with its indexes when it returns: nobody sees half of it. */
import { keyOf } from '../object.ts';
import type { Projected } from './informer.ts';
import { IndexTable } from './index-table.ts';

const namespaceIndex = 'namespace';
const none: readonly string[] = [];

export class Store<P extends Projected> {
  readonly #objects = new Map<string, P>();
  readonly #indexes = new Map<string, IndexTable<P>>();
  readonly #report: (index: string, error: unknown) => void;

  /** An index whose function throws has no values for that object: `report` is told. */
  constructor(report: (index: string, error: unknown) => void = () => undefined) {
    this.#report = report;
    this.addIndex(namespaceIndex, ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]));
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Values in all indexes, for those who look after memory. */
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

  /** Whoever has the key says it: to put it together and look it up anew is most of the work of a long list. */
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

  /** With their keys. */
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
