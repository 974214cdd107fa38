/**
 * `Ledger` is an informer for callers that store the state elsewhere, such as a database. It keeps one small entry per
 * object, and passes the complete object to a handler for as long as the handler needs to store it.
 *
 * A list is not buffered until it is complete, because that would hold all objects at once. Each object is handed over
 * as it arrives (it is a state that the server had), and only the end of the list proves which objects are gone. A slow
 * handler slows down reading, and a failed delivery is retried until it succeeds: later ones wait behind it. Own writes
 * do not show before the watch brings them.
 */
import type { KubeObject, ObjectKey } from '../object.ts';
import type { InformerOptions, ReflectorHealth } from '../informer/informer.ts';

export interface LedgerEntry<F> {
  readonly uid: string;
  readonly key: ObjectKey;
  readonly resourceVersion: string;
  /** The digest of what counts as a change, or the text of the fields when they decide that. */
  readonly digest: string;
  readonly fields: F;
}

export interface LedgerHandler<T extends KubeObject, F> {
  /** For logs and metrics. */
  readonly name: string;
  /** The object comes without managedFields and is not kept. `previous` is undefined for a new object. */
  changed(
    object: T,
    previous: LedgerEntry<F> | undefined,
    context: { readonly initial: boolean },
  ): void | Promise<void>;
  gone(entry: LedgerEntry<F>, context: { readonly finalStateUnknown: boolean }): void | Promise<void>;
  /**
   * Called when a complete list of a namespace, or of all namespaces if none is named, has been processed: the first
   * list or a later one. It comes after all deliveries of that list. Objects that are not in the ledger now were not in
   * the list.
   */
  listed?(context: { readonly namespace?: string }): void | Promise<void>;
}

/** `LedgerScope` is one watched namespace, or all. */
export interface LedgerScope {
  readonly namespace?: string;
  /** Whether a complete list of it has been read. */
  readonly covered: boolean;
  readonly health: ReflectorHealth;
}

export interface LedgerOptions<T extends KubeObject, F> extends Omit<InformerOptions, 'resyncMs' | 'consistent'> {
  /**
   * The few fields that are needed without the object: a string, which takes the least memory, or plain JSON, which is
   * parsed on each read.
   */
  readonly fields: (object: T) => F;
  /**
   * What counts as a change: these fields, or the result of the function. By default everything but managedFields and
   * resourceVersion.
   */
  readonly digestOf?: 'fields' | ((object: T) => unknown);
  readonly handler: LedgerHandler<T, F>;
  /** How many objects may wait for the handler before reading pauses. */
  readonly maxPending?: number;
}

/** `Ledger` reads throw after the ledger was released or its cluster left. */
export interface Ledger<F> {
  get(key: ObjectKey): LedgerEntry<F> | undefined;
  entries(): IterableIterator<LedgerEntry<F>>;
  readonly size: number;
  /**
   * True when the handler has processed the complete first list, a consistent read: in covered namespaces, what is not
   * in it is gone.
   */
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Whether a complete list of `namespace`, or of all watched namespaces if omitted, has been read: only then does
   * absence from the ledger prove absence. A namespace that we may not read does not prevent the others from syncing,
   * and is not covered.
   */
  covers(namespace?: string): boolean;
  readonly pending: number;
  /** The health of the worst scope. */
  health(): ReflectorHealth;
  /** Each scope on its own: one that we may not read says nothing about the cluster. */
  scopes(): readonly LedgerScope[];
  release(): void;
}
