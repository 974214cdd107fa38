/** What one can do with the cache of a kind. informers.ts makes them; all who ask for the same thing share one. */
import type { Selection } from '../client/client.ts';
import type { KubeObject, ObjectKey, ObjectMeta } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';

/** What a cache keeps of an object. It must keep the key, uid and resourceVersion. */
export interface Projection<T extends KubeObject, P extends Projected> {
  /** Two informers with the same kind, selection and projection name are one. */
  readonly name: string;
  /** Pure, and idempotent: it may see its own result. */
  readonly project: (object: T) => P;
}

export interface Projected {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'> & Partial<ObjectMeta>;
}

export interface InformerOptions extends Omit<Selection, 'namespace'> {
  /** All namespaces unless said; several are several watches behind one informer. */
  readonly namespaces?: readonly string[];
  readonly metadataOnly?: boolean;
  /** The first list is the newest that there is, and not what the server has cached: for those who conclude from it that something is gone. */
  readonly consistent?: boolean;
  /** Every handler sees every object again this often, out of the cache; off unless said. */
  readonly resyncMs?: number;
}

export interface Handler<P> {
  /** For logs and metrics. */
  readonly name: string;
  /** `initial` when the object was there before the handler. */
  added(object: P, context: { readonly initial: boolean }): void | Promise<void>;
  /** With `resync`, before and after are the same object. */
  updated(before: P, after: P, context: { readonly resync: boolean }): void | Promise<void>;
  /** With `finalStateUnknown` it was found missing in a list: this is how it was last seen. */
  deleted(object: P, context: { readonly finalStateUnknown: boolean }): void | Promise<void>;
}

export interface Registration {
  /** True when the handler has taken all objects that were in the first list. */
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
  /** Events that it has not taken yet. */
  readonly pending: number;
  remove(): void;
}

export type ReflectorState = 'idle' | 'streaming' | 'listing' | 'watching' | 'backoff' | 'stopped';

export interface ReflectorHealth {
  readonly state: ReflectorState;
  readonly synced: boolean;
  readonly lastSyncResourceVersion: string;
  /** By the monotonic clock; undefined before the first. */
  readonly lastActivityAt: number | undefined;
  readonly consecutiveFailures: number;
  /** When the first of the failures in a row was seen, by the monotonic clock; undefined while all is well. */
  readonly failingSince: number | undefined;
  /** The last failure, until something works again. */
  readonly lastError: Error | undefined;
  /** `forbidden` and `absent` (no such kind) are waited out, and must be seen. */
  readonly trouble: 'none' | 'forbidden' | 'absent' | 'failing' | 'silent';
}

export interface Informer<P extends Projected> {
  readonly type: ResourceType<KubeObject>;
  /** Objects are shared by all who read: never change one. Own writes are there at once. All reads throw once it was stopped: it has nothing then. */
  get(key: ObjectKey): P | undefined;
  list(namespace?: string): readonly P[];
  byIndex(index: string, value: string): readonly P[];
  /** May be added at any time, and names the same index when added twice. */
  addIndex(index: string, valuesOf: (object: P) => readonly string[]): void;
  addHandler(handler: Handler<P>): Registration;
  readonly size: number;
  /** True when the first list is in the cache. */
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Whether a whole list of this namespace, of all that were asked for unless said, is in: only then is gone what is not here. One that is closed to us
   * keeps nobody from syncing, and is not covered.
   */
  covers(namespace?: string): boolean;
  health(): ReflectorHealth;
  /** The informer ends when the last one who asked for it has released it. */
  release(): void;
}
