/**
 * `Informer` is the cache of one kind in one cluster, with handlers. `Informers` creates them; callers with equal
 * options share one.
 */
import type { Selection } from '../client/client.ts';
import type { KubeObject, ObjectKey, ObjectMeta } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';

/** `Projection` is the part of an object that a cache keeps. It must include name, namespace, uid and resourceVersion. */
export interface Projection<T extends KubeObject, P extends Projected> {
  /** Informers with the same kind, selection and projection name are shared. */
  readonly name: string;
  /** Must be pure and idempotent: it may be given its own result. */
  readonly project: (object: T) => P;
}

export interface Projected {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'> & Partial<ObjectMeta>;
}

export interface InformerOptions extends Omit<Selection, 'namespace'> {
  /** Defaults to all namespaces. Several namespaces are several watches behind one informer. */
  readonly namespaces?: readonly string[];
  readonly metadataOnly?: boolean;
  /**
   * Makes the first list a consistent read instead of one from the server's watch cache: for callers that conclude from
   * it that something is gone.
   */
  readonly consistent?: boolean;
  /** How often each handler is given every object again from the cache. Off by default. */
  readonly resyncMs?: number;
}

export interface Handler<P> {
  /** For logs and metrics. */
  readonly name: string;
  /** `initial` is true when the object existed before the handler was added. */
  added(object: P, context: { readonly initial: boolean }): void | Promise<void>;
  /** With `resync`, `before` and `after` are the same object. */
  updated(before: P, after: P, context: { readonly resync: boolean }): void | Promise<void>;
  /** With `finalStateUnknown`, a list showed that the object is missing: `object` is its last known state. */
  deleted(object: P, context: { readonly finalStateUnknown: boolean }): void | Promise<void>;
}

export interface Registration {
  /** True when the handler has processed all objects of the first list. */
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
  /** Events that the handler has not processed yet. */
  readonly pending: number;
  remove(): void;
}

export type ReflectorState = 'idle' | 'streaming' | 'listing' | 'watching' | 'backoff' | 'stopped';

export interface ReflectorHealth {
  readonly state: ReflectorState;
  readonly synced: boolean;
  readonly lastSyncResourceVersion: string;
  /** On the monotonic clock; undefined before the first activity. */
  readonly lastActivityAt: number | undefined;
  readonly consecutiveFailures: number;
  /** When the current run of failures began, on the monotonic clock; undefined while there is none. */
  readonly failingSince: number | undefined;
  /** The last failure; undefined once something succeeds again. */
  readonly lastError: Error | undefined;
  /** `forbidden` and `absent` (the kind is not served) do not end the informer: it waits until they pass. */
  readonly trouble: 'none' | 'forbidden' | 'absent' | 'failing' | 'silent';
}

export interface Informer<P extends Projected> {
  readonly type: ResourceType<KubeObject>;
  /**
   * Returns the object, or undefined. Objects are shared by all readers: never modify one. Own writes are visible at
   * once. All reads throw after the informer has stopped, because its cache is empty then.
   */
  get(key: ObjectKey): P | undefined;
  list(namespace?: string): readonly P[];
  byIndex(index: string, value: string): readonly P[];
  /** Adds an index; this is possible at any time. Adding the same name again keeps the first index. */
  addIndex(index: string, valuesOf: (object: P) => readonly string[]): void;
  addHandler(handler: Handler<P>): Registration;
  readonly size: number;
  /** True when the cache holds the first list. */
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Whether a complete list of `namespace`, or of all watched namespaces if omitted, is in the cache: only then does
   * absence from the cache prove absence. A namespace that we may not read does not prevent the others from syncing,
   * and is not covered.
   */
  covers(namespace?: string): boolean;
  health(): ReflectorHealth;
  /** Releases this use of the informer. The informer stops when its last user has released it. */
  release(): void;
}
