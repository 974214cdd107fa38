/**
 * The objects of one resource in etcd's key order, with the latest events in a bounded window. The window serves
 * watches that start in the past, lists at an exact revision, and the pages of a list.
 */
import type { Entry } from './entry.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface StoreEvent {
  readonly type: EventType;
  readonly revision: number;
  /** The object after the event; for DELETED, its last state with the revision of the deletion. */
  readonly entry: Entry;
  readonly previous: Entry | undefined;
  /** Encoded forms, shared by all watchers that need the same one. */
  readonly lines: Map<string, Buffer>;
}

export type Listener = (event: StoreEvent) => void;

export class StoreTable {
  readonly name: string;
  readonly #entries = new Map<string, Entry>();
  readonly #keys: string[] = [];
  #events: StoreEvent[] = [];
  #oldest: number;
  readonly #listeners = new Set<Listener>();
  readonly #windowSize: number;

  constructor(name: string, revision: number, windowSize: number) {
    this.name = name;
    this.#oldest = revision;
    this.#windowSize = windowSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** All events after this revision are known. */
  get oldestRevision(): number {
    return this.#oldest;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** All entries with a key prefix (a namespace and a slash, or empty), in key order. */
  *range(prefix: string): Generator<Entry> {
    for (let i = lowerBound(this.#keys, prefix); i < this.#keys.length; i++) {
      const key = this.#keys[i] as string;
      if (!key.startsWith(prefix)) return;
      yield this.#entries.get(key) as Entry;
    }
  }

  /** The entries at a revision inside the window; undefined when it has left the window. */
  at(revision: number, prefix: string): Iterable<Entry> | undefined {
    if (revision < this.#oldest) return undefined;
    const last = this.#events.at(-1);
    if (last === undefined || last.revision <= revision) return this.range(prefix);
    const past = new Map<string, Entry | undefined>();
    for (let i = this.#events.length - 1; i >= 0; i--) {
      const event = this.#events[i] as StoreEvent;
      if (event.revision <= revision) break;
      past.set(event.entry.key, event.previous);
    }
    return mergePast(this.range(prefix), past, prefix);
  }

  /** The events after a revision; undefined when some of them have left the window. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#oldest) return undefined;
    let start = this.#events.length;
    while (start > 0 && (this.#events[start - 1] as StoreEvent).revision > revision) start--;
    return this.#events.slice(start);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies a change that already has its revision and is durable. */
  apply(event: StoreEvent): void {
    const { key } = event.entry;
    if (event.type === 'DELETED') {
      this.#entries.delete(key);
      this.#keys.splice(lowerBound(this.#keys, key), 1);
    } else {
      if (!this.#entries.has(key)) this.#keys.splice(lowerBound(this.#keys, key), 0, key);
      this.#entries.set(key, event.entry);
    }
    this.#events.push(event);
    // Trimmed in steps, because shifting a long array on every write would cost more than the write.
    if (this.#events.length > this.#windowSize * 1.25 + 16) this.trim(this.#windowSize);
    for (const listener of this.#listeners) listener(event);
    // Shared by current watchers; keeping them in the window would double its memory.
    event.lines.clear();
  }

  /** Adds an entry that was read from disk, without an event. */
  load(entry: Entry): void {
    if (!this.#entries.has(entry.key)) this.#keys.splice(lowerBound(this.#keys, entry.key), 0, entry.key);
    this.#entries.set(entry.key, entry);
  }

  unload(key: string): void {
    if (this.#entries.delete(key)) this.#keys.splice(lowerBound(this.#keys, key), 1);
  }

  /** Drops all but the newest events. */
  trim(keep: number): void {
    const drop = this.#events.length - keep;
    if (drop <= 0) return;
    this.#oldest = (this.#events[drop - 1] as StoreEvent).revision;
    this.#events = this.#events.slice(drop);
  }

  /** Drops the events up to a revision. */
  trimBefore(revision: number): void {
    const drop = this.#events.findIndex((event) => event.revision > revision);
    this.#events = drop < 0 ? [] : this.#events.slice(drop);
    this.#oldest = Math.max(this.#oldest, revision);
  }

  /** Drops every event, like a restarted API server: watches cannot start earlier than now. */
  forget(revision: number): void {
    this.#events = [];
    this.#oldest = revision;
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mergePast(now: Iterable<Entry>, past: ReadonlyMap<string, Entry | undefined>, prefix: string): Entry[] {
  const entries = [...now].filter((entry) => !past.has(entry.key));
  for (const entry of past.values()) {
    if (entry?.key.startsWith(prefix)) entries.push(entry);
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}
