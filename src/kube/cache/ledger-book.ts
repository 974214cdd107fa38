/** The entries of a ledger, and what its handler is to be told when they change. */
import { hash } from 'node:crypto';
import { keyOf, parseKey } from '../object.ts';
import type { KubeObject } from '../object.ts';
import { compareResourceVersions } from '../resource-version.ts';
import type { LedgerEntry, LedgerOptions } from './ledger.ts';
import { withoutManagedFields } from './projection.ts';

export interface BookEvents<T extends KubeObject, F> {
  changed(object: T, previous: LedgerEntry<F> | undefined, initial: boolean): void;
  gone(entry: LedgerEntry<F>, finalStateUnknown: boolean): void;
}

export class LedgerBook<T extends KubeObject, F> {
  readonly #entries = new Map<string, LedgerEntry<F>>();
  readonly #fields: (object: T) => F;
  readonly #digestOf: (object: T) => unknown;
  readonly #events: BookEvents<T, F>;

  constructor({ fields, digestOf = allThatMatters }: LedgerOptions<T, F>, events: BookEvents<T, F>) {
    this.#fields = fields;
    this.#digestOf = digestOf;
    this.#events = events;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): LedgerEntry<F> | undefined {
    return this.#entries.get(key);
  }

  entries(): IterableIterator<LedgerEntry<F>> {
    return this.#entries.values();
  }

  of(namespace: string | undefined): readonly LedgerEntry<F>[] {
    const all = [...this.#entries.values()];
    return namespace === undefined ? all : all.filter(({ key }) => key.namespace === namespace);
  }

  /** False where the object is older than what was seen, and was not taken. */
  put(object: T, initial: boolean): boolean {
    const key = keyOf(object.metadata);
    const previous = this.#entries.get(key);
    const entry = this.#entryOf(key, object);
    const order = compareResourceVersions(entry.resourceVersion, previous?.resourceVersion);
    if (order === -1) return false;
    const same = previous?.uid === entry.uid ? previous : undefined;
    this.#entries.set(key, entry);
    if (previous !== undefined && same === undefined) this.#events.gone(previous, true);
    if (same?.digest !== entry.digest) this.#events.changed(object, same, initial);
    return true;
  }

  remove(key: string, finalStateUnknown: boolean, version?: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || compareResourceVersions(version, entry.resourceVersion) === -1) return;
    this.#entries.delete(key);
    this.#events.gone(entry, finalStateUnknown);
  }

  /** A get has shown that it is gone, if it has not changed since. */
  removeUnchanged(key: string, uid: string | undefined, version: string | undefined): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.uid === uid && entry.resourceVersion === version) this.remove(key, true);
  }

  /** The server's time went back: no version that is known can be compared with those to come. */
  forgetVersions(): void {
    for (const [key, entry] of this.#entries) this.#entries.set(key, { ...entry, resourceVersion: '' });
  }

  clear(): void {
    this.#entries.clear();
  }

  #entryOf(key: string, object: T): LedgerEntry<F> {
    const { uid = '', resourceVersion = '' } = object.metadata;
    const digest = hash('sha256', JSON.stringify(this.#digestOf(object)) ?? '', 'base64url');
    return { uid, key: parseKey(key), resourceVersion, digest, fields: this.#fields(object) };
  }
}

function allThatMatters(object: KubeObject): unknown {
  const { metadata, ...rest } = withoutManagedFields(object);
  const { resourceVersion: _changesAlways, ...others } = metadata;
  return { ...rest, metadata: others };
}
