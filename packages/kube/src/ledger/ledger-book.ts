/** `LedgerBook` holds the entries of one scope of a ledger and reports their changes to its handler. */
import { hash } from 'node:crypto';
import { keyOf } from '../object.ts';
import type { KubeObject } from '../object.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { LedgerEntry, LedgerOptions } from './ledger.ts';
import { entryOf, fieldsText, recordOf, recordText } from './ledger-record.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { LedgerTable } from './ledger-table.ts';
import { withoutManagedFields } from '../informer/projection.ts';

export interface BookEvents<T extends KubeObject, F> {
  changed(object: T, previous: LedgerEntry<F> | undefined, initial: boolean): void;
  gone(entry: LedgerEntry<F>, finalStateUnknown: boolean): void;
}

/** 22 base64url characters are 132 bits, which is enough; there is one digest per object. */
const digestLength = 22;

export class LedgerBook<T extends KubeObject, F> {
  readonly #table = new LedgerTable();
  readonly #fields: (object: T) => F;
  readonly #digest: (object: T) => string;
  readonly #events: BookEvents<T, F>;
  #lists = 0;

  constructor(
    { fields, digestOf = allThatMatters }: Pick<LedgerOptions<T, F>, 'fields' | 'digestOf'>,
    events: BookEvents<T, F>,
  ) {
    this.#fields = fields;
    this.#digest = digestOf === 'fields' ? () => '' : (object) => shortDigest(digestOf(object));
    this.#events = events;
  }

  get size(): number {
    return this.#table.size;
  }

  get(key: string): LedgerEntry<F> | undefined {
    const record = this.#record(key);
    return record && entryOf(key, record);
  }

  *entries(): Generator<LedgerEntry<F>> {
    for (const [key, text] of this.#table.entries()) yield entryOf(key, recordOf(text));
  }

  /** Returns the number of a list that is about to be read. */
  begin(): number {
    return ++this.#lists;
  }

  /** Marks an entry as shown by the list. Returns false when it was marked already or does not exist. */
  show(key: string, list: number): boolean {
    return this.#table.mark(key, list);
  }

  /** Removes the mark: the object was deleted after the list began. Returns false when it was not marked. */
  hide(key: string, list: number): boolean {
    return this.#table.unmark(key, list);
  }

  /** The entries that the list did not show. */
  notIn(list: number): readonly LedgerEntry<F>[] {
    return this.#table.keys(list).flatMap((key) => this.get(key) ?? []);
  }

  /** Returns false, and changes nothing, when the object is older than the known one. */
  put(object: T, initial: boolean): boolean {
    const { uid = '', resourceVersion = '' } = object.metadata;
    const key = keyOf(object.metadata);
    const previous = this.#record(key);
    if (compareResourceVersions(resourceVersion, previous?.resourceVersion) === -1) return false;
    const record = { uid, resourceVersion, digest: this.#digest(object), fields: fieldsText(this.#fields(object)) };
    this.#table.set(key, recordText(record));
    const same = previous?.uid === uid ? previous : undefined;
    if (previous !== undefined && same === undefined) this.#events.gone(entryOf(key, previous), true);
    if (same === undefined || isChanged(same, record))
      this.#events.changed(object, same && entryOf(key, same), initial);
    return true;
  }

  remove(key: string, finalStateUnknown: boolean, version?: string): void {
    const record = this.#record(key);
    if (record === undefined || compareResourceVersions(version, record.resourceVersion) === -1) return;
    this.#table.delete(key);
    this.#events.gone(entryOf(key, record), finalStateUnknown);
  }

  /** Removes an object that a get did not find, unless it has changed since. */
  removeUnchanged(key: string, uid: string | undefined, version: string | undefined): void {
    const record = this.#record(key);
    if (record !== undefined && record.uid === uid && record.resourceVersion === version) this.remove(key, true);
  }

  /** For a server whose versions went backwards: no known version is comparable with those to come. */
  forgetVersions(): void {
    for (const key of this.#table.keys()) {
      const record = this.#record(key);
      if (record !== undefined) this.#table.set(key, recordText({ ...record, resourceVersion: '' }));
    }
  }

  clear(): void {
    this.#table.clear();
  }

  #record(key: string): LedgerRecord | undefined {
    const text = this.#table.get(key);
    return text === undefined ? undefined : recordOf(text);
  }
}

function isChanged(before: LedgerRecord, after: LedgerRecord): boolean {
  return before.digest !== after.digest || (after.digest === '' && before.fields !== after.fields);
}

function shortDigest(value: unknown): string {
  return hash('sha256', JSON.stringify(value) ?? '', 'base64url').slice(0, digestLength);
}

function allThatMatters(object: KubeObject): unknown {
  const { metadata, ...rest } = withoutManagedFields(object);
  const { resourceVersion: _changesAlways, ...others } = metadata;
  return { ...rest, metadata: others };
}
