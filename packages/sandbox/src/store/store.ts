/** All objects of one cluster under one revision counter, as in etcd: every change gets the next revision. */
import type { KubeObject } from '../values/json.ts';
import { parseEntry, toEntry, type Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { StoreTable, type Listener, type StoreEvent } from './table.ts';

export interface StoreOptions {
  /** The number of events kept per resource. */
  readonly eventWindow: number;
  readonly journal?: Journal;
  /** Called when a listener fails; without it, the caller that made the change gets the error. */
  readonly onDefect?: (error: unknown) => void;
}

export class Store {
  #revision = 1;
  readonly #tables = new Map<string, StoreTable>();
  readonly #options: StoreOptions;
  readonly #listeners = new Set<(table: StoreTable, event: StoreEvent) => void>();
  readonly #resetListeners = new Set<() => void>();
  #telling = false;
  /** Which revision was current at which time, for compaction by age. */
  #past: { at: number; revision: number }[] = [];

  constructor(options: StoreOptions) {
    this.#options = options;
    options.journal?.replay({
      revision: (revision) => (this.#revision = revision),
      put: (table, entry) => this.table(table).load(entry),
      remove: (table, key) => this.table(table).unload(key),
    });
    this.compact();
    options.journal?.open(() => this.#dump());
    this.#past.push({ at: Date.now(), revision: this.#revision });
  }

  get revision(): number {
    return this.#revision;
  }

  /** A table that is used for the first time knows no earlier events, like a watch cache that has just started. */
  table(name: string): StoreTable {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new StoreTable(name, this.#revision, this.#options.eventWindow);
      this.#tables.set(name, table);
    }
    return table;
  }

  tables(): Iterable<StoreTable> {
    return this.#tables.values();
  }

  /** Every change of every table, in the order of revisions. */
  listen(listener: (table: StoreTable, event: StoreEvent) => void): () => void {
    const guarded = this.#guard(listener);
    this.#listeners.add(guarded);
    return () => this.#listeners.delete(guarded);
  }

  listenTo(table: string, listener: Listener): () => void {
    return this.table(table).listen(this.#guard(listener));
  }

  /**
   * The listener is called when the revision counter is set back: revisions before and after that cannot be compared.
   */
  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /**
   * Writes an object. `expected` is the revision that was read (0: must not exist); returns undefined when the object
   * has changed since.
   */
  put(tableName: string, object: KubeObject, expected: number): Entry | undefined {
    const table = this.table(tableName);
    const entry = toEntry(object, this.#revision + 1);
    const previous = table.get(entry.key);
    if ((previous?.revision ?? 0) !== expected) return undefined;
    this.#commit(table, { type: previous === undefined ? 'ADDED' : 'MODIFIED', entry, previous });
    return entry;
  }

  /** Removes an object; the event contains its last stored state, with the revision of the removal. */
  remove(tableName: string, key: string, expected: number): Entry | undefined {
    const table = this.table(tableName);
    const previous = table.get(key);
    if (previous === undefined || previous.revision !== expected) return undefined;
    const entry = toEntry(parseEntry(previous), this.#revision + 1);
    this.#commit(table, { type: 'DELETED', entry, previous });
    return entry;
  }

  /**
   * Drops events older than `age` milliseconds. Called periodically; it uses the revisions recorded by earlier calls.
   */
  compactBefore(age: number): void {
    const now = Date.now();
    const known = this.#past.findLast(({ at }) => at <= now - age);
    this.#past = this.#past.filter(({ at }) => known === undefined || at > known.at);
    this.#past.push({ at: now, revision: this.#revision });
    if (known === undefined) return;
    for (const table of this.#tables.values()) table.trimBefore(known.revision);
  }

  /** Drops all events so far, so that older watches and continue tokens get a 410. */
  compact(): void {
    for (const table of this.#tables.values()) table.forget(this.#revision);
  }

  /** Sets the counter back, as restoring an etcd backup does: a fault that clients must survive. */
  resetRevision(revision: number): void {
    this.#options.journal?.revision(revision);
    this.#revision = revision;
    this.#past = [{ at: Date.now(), revision }];
    this.compact();
    for (const listener of this.#resetListeners) listener();
  }

  close(): void {
    this.#options.journal?.close();
  }

  #commit(table: StoreTable, change: Omit<StoreEvent, 'revision' | 'lines'>): void {
    // Later listeners would get the second event first, and watches would skip the earlier one.
    if (this.#telling) throw new Error('a listener of the store cannot write to it: it must do so later');
    const revision = this.#revision + 1;
    if (change.type === 'DELETED') this.#options.journal?.remove(table.name, change.entry.key, revision);
    else this.#options.journal?.put(table.name, change.entry);
    this.#revision = revision;
    const event = { ...change, revision, lines: new Map<string, Buffer>() };
    this.#telling = true;
    try {
      table.apply(event);
      for (const listener of this.#listeners) listener(table, event);
    } finally {
      this.#telling = false;
    }
  }

  /** A failing listener does not affect the other listeners or the write. */
  #guard<A extends readonly unknown[]>(listener: (...told: A) => void): (...told: A) => void {
    const { onDefect } = this.#options;
    if (onDefect === undefined) return listener;
    return (...told) => {
      try {
        listener(...told);
      } catch (error) {
        onDefect(error);
      }
    };
  }

  *#dump(): Generator<{ table: string; entry: Entry }> {
    for (const table of this.#tables.values()) {
      for (const entry of table.range('')) yield { table: table.name, entry };
    }
  }
}
