/** `LedgerSink` connects a reflector with one scope of a ledger. */
import { keyOf } from '../object.ts';
import type { KubeObject } from '../object.ts';
import type { Collection, ListVersion, ReflectorSink } from '../reflector/sink.ts';
import type { DeletionCheck } from '../informer/deletion-check.ts';
import type { Projected } from '../informer/informer.ts';
import type { LedgerBook } from './ledger-book.ts';

export interface LedgerSinkParts<T extends KubeObject, F> {
  readonly book: LedgerBook<T, F>;
  readonly check: DeletionCheck<Projected>;
  readonly room: () => Promise<void>;
  readonly listed: () => void;
  /** Reports an object for which the functions of the ledger's owner threw; its entry stays as it was. */
  readonly failed: (object: T, error: unknown) => void;
}

export class LedgerSink<T extends KubeObject, F> implements ReflectorSink<T> {
  readonly #parts: LedgerSinkParts<T, F>;
  #synced = false;

  constructor(parts: LedgerSinkParts<T, F>) {
    this.#parts = parts;
  }

  get synced(): boolean {
    return this.#synced;
  }

  begin(): Collection<T> {
    const { book } = this.#parts;
    const list = book.begin();
    let size = 0;
    let older = 0;
    return {
      get size() {
        return size;
      },
      add: (object) => {
        if (!this.#put(object)) older++;
        // An object that could not be recorded counts too: it exists.
        if (book.show(keyOf(object.metadata), list)) size++;
      },
      remove: ({ metadata }) => {
        const key = keyOf(metadata);
        if (book.hide(key, list)) size--;
        book.remove(key, false, metadata.resourceVersion);
      },
      commit: (version, signal) => this.#commit(list, older, version, signal),
    };
  }

  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    const { metadata } = object;
    if (type === 'DELETED') this.#parts.book.remove(keyOf(metadata), false, metadata.resourceVersion);
    else this.#put(object);
  }

  advance(): void {
    // A ledger has no overlay of own writes, so it needs no position.
  }

  room(): Promise<void> {
    return this.#parts.room();
  }

  #put(object: T): boolean {
    try {
      return this.#parts.book.put(object, !this.#synced);
    } catch (error) {
      this.#parts.failed(object, error);
      return true;
    }
  }

  async #commit(list: number, older: number, version: ListVersion, signal: AbortSignal): Promise<void> {
    const { book, check, listed } = this.#parts;
    if (version.backwards && older > 0) {
      book.forgetVersions();
      throw new Error('resource versions went backwards, listing again');
    }
    const missing = book
      .notIn(list)
      .map(({ key, uid, resourceVersion }): Projected => ({ metadata: { ...key, uid, resourceVersion } }));
    const stay = await check.confirm(missing, book.size, signal);
    if (signal.aborted) return;
    for (const { metadata } of missing) if (!stay.has(keyOf(metadata))) book.remove(keyOf(metadata), true);
    this.#synced = true;
    listed();
  }
}
