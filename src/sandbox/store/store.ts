/** All objects of one cluster under one revision counter, as etcd has it: every change takes the next revision. */
import type { KubeObject } from '../json.ts';
import { parseEntry, toEntry, type Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { Table, type Listener, type StoreEvent } from './table.ts';

export interface StoreOptions {
  /** How many events each resource keeps. */
  readonly eventWindow: number;
  readonly journal?: Journal;
  /** Told when a listener fails; without it the error reaches whoever made the change. */
  readonly onDefect?: (error: unknown) => void;
}

export class Store {
  #revision = 1;
  readonly #tables = new Map<string, Table>();
  readonly #options: StoreOptions;
  readonly #listeners = new Set<(table: Table, event: StoreEvent) => void>();
  readonly #resetListeners = new Set<() => void>();
  #telling = false;
  /** Which revision was current when: what compaction by age goes by. */
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

  /** A table that is looked at for the first time knows of no event before, as a watch cache that has just begun. */
  table(name: string): Table {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new Table(name, this.#revision, this.#options.eventWindow);
      this.#tables.set(name, table);
    }
    return table;
  }

  tables(): Iterable<Table> {
    return this.#tables.values();
  }

  /** Every change of every table, in the order of revisions. */
  listen(listener: (table: Table, event: StoreEvent) => void): () => void {
    const guarded = this.#guard(listener);
    this.#listeners.add(guarded);
    return () => this.#listeners.delete(guarded);
  }

  listenTo(table: string, listener: Listener): () => void {
    return this.table(table).listen(this.#guard(listener));
  }

  /** Tells when the revision counter was taken back: what was heard before has no order with what comes. */
  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /** Writes an object. `expected` is the revision that was read (0: must not exist); false means that somebody was faster. */
  put(tableName: string, object: KubeObject, expected: number): Entry | undefined {
    const table = this.table(tableName);
    const entry = toEntry(object, this.#revision + 1);
    const previous = table.get(entry.key);
    if ((previous?.revision ?? 0) !== expected) return undefined;
    this.#commit(table, { type: previous === undefined ? 'ADDED' : 'MODIFIED', entry, previous });
    return entry;
  }

  /** Removes an object; the event carries its last stored state, stamped with the revision of the removal. */
  remove(tableName: string, key: string, expected: number): Entry | undefined {
    const table = this.table(tableName);
    const previous = table.get(key);
    if (previous === undefined || previous.revision !== expected) return undefined;
    const entry = toEntry(parseEntry(previous), this.#revision + 1);
    this.#commit(table, { type: 'DELETED', entry, previous });
    return entry;
  }

  /** Drops events that are older than this, in milliseconds; called now and then, it goes by what was newest back then. */
  compactBefore(age: number): void {
    const now = Date.now();
    const known = this.#past.findLast(({ at }) => at <= now - age);
    this.#past = this.#past.filter(({ at }) => known === undefined || at > known.at);
    this.#past.push({ at: now, revision: this.#revision });
    if (known === undefined) return;
    for (const table of this.#tables.values()) table.trimBefore(known.revision);
  }

  /** Drops the events before now, so that older watches and continue tokens answer 410. */
  compact(): void {
    for (const table of this.#tables.values()) table.forget(this.#revision);
  }

  /** Takes the counter back, as when a backup of etcd was restored: a fault that clients must survive. */
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

  #commit(table: Table, change: Omit<StoreEvent, 'revision' | 'lines'>): void {
    // Those who are told after it would hear of the second change first, and watches would skip the earlier one.
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

  /** One listener that fails keeps no other from hearing, and the write stands. */
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
