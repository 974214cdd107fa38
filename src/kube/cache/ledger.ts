/**
 * For those who keep the state themselves (in a database): instead of a cache, one small entry for each object, and a handler that is handed the whole
 * object for as long as it takes to store it.
 *
 * Nothing of a list is held back until it is whole: that would be all objects at once. Each is handed over as it comes (it is a state that the server
 * had), and only the end of the list says who is gone. A handler that is behind slows the reading down, and one that fails is asked again until it
 * succeeds: what it was told stays in front. Own writes do not show here before the watch brings them.
 */
import type { KubeObject, ObjectKey } from '../object.ts';
import type { InformerOptions, ReflectorHealth } from './informer.ts';

export interface LedgerEntry<F> {
  readonly uid: string;
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  /** Of what counts as a change; the text of the fields where it is those. */
  readonly digest: string;
  readonly fields: F;
}

export interface LedgerHandler<T extends KubeObject, F> {
  /** For logs and metrics. */
  readonly name: string;
  /** The object is not kept, and comes without managedFields. `previous` is absent for one that was not known. */
  changed(
    object: T,
    previous: LedgerEntry<F> | undefined,
    context: { readonly initial: boolean },
  ): void | Promise<void>;
  gone(entry: LedgerEntry<F>, context: { readonly finalStateUnknown: boolean }): void | Promise<void>;
  /**
   * A whole list of a namespace, or of all where none is named, has been taken, the first or a later one: behind all that it told of. What is not in
   * the ledger now was not in that list.
   */
  listed?(context: { readonly namespace?: string }): void | Promise<void>;
}

/** One namespace that is watched, or all. */
export interface LedgerScope {
  readonly namespace?: string;
  /** Whether a whole list of it is in. */
  readonly covered: boolean;
  readonly health: ReflectorHealth;
}

export interface LedgerOptions<T extends KubeObject, F> extends Omit<InformerOptions, 'resyncMs' | 'consistent'> {
  /** The few fields that are needed of objects that are not at hand: a text, which takes the least, or plain JSON, which is read anew each time. */
  readonly fields: (object: T) => F;
  /** What counts as a change: these fields, or what the function gives; all but managedFields and the resourceVersion unless said. */
  readonly digestOf?: 'fields' | ((object: T) => unknown);
  readonly handler: LedgerHandler<T, F>;
  /** How many objects may wait for the handler before no more are read. */
  readonly maxPending?: number;
}

/** Reads throw once it was stopped. */
export interface Ledger<F> {
  get(key: ObjectKey): LedgerEntry<F> | undefined;
  entries(): IterableIterator<LedgerEntry<F>>;
  readonly size: number;
  /** True when the handler has taken the whole first list, which is the newest that there was: what is not in it is gone, where it is covered. */
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Whether a whole list of this namespace, of all that were asked for unless said, is in: only then is gone what is not here. One that is closed to us
   * keeps nobody from syncing, and is not covered.
   */
  covers(namespace?: string): boolean;
  readonly pending: number;
  /** That of the worst scope. */
  health(): ReflectorHealth;
  /** Each by itself: one that is closed to us says nothing of whether the cluster can be read. */
  scopes(): readonly LedgerScope[];
  release(): void;
}
