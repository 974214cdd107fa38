/** `Client` is a client of one Kubernetes API server: every verb, for any kind. */
import type { WebSocket } from 'ws';
import type { KubeObject, ObjectKey, Unstructured } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** From the call to the complete answer, retries included. Every request has a timeout; the default is 30 s. */
  readonly timeoutMs?: number;
  /**
   * Called right before each attempt is sent, after rate limits, pauses and credentials. If it throws, the request
   * fails with that error.
   */
  readonly beforeSend?: () => void;
}

export interface GetOptions extends RequestOptions {
  readonly subresource?: string;
  readonly resourceVersion?: string;
  /** Requests only the metadata. */
  readonly metadataOnly?: boolean;
  /**
   * The caller creates the object if it is absent, and does not conclude from a NotFound that something was deleted.
   */
  readonly beforeMaking?: boolean;
}

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends RequestOptions, Selection {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
  readonly metadataOnly?: boolean;
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** How long the server may keep the stream open. */
  readonly timeoutSeconds?: number;
  readonly metadataOnly?: boolean;
  /**
   * Removes managedFields before parsing where possible, which makes events cheaper. For callers that do not read them.
   */
  readonly withoutManagedFields?: boolean;
  /** How long to wait for the response headers. The default is 30 s. */
  readonly headersTimeoutMs?: number;
}

export type WatchEvent<T extends KubeObject = Unstructured> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: T }
  /** The object is a Status. */
  | { readonly type: 'ERROR'; readonly object: Unstructured };

/**
 * Events in batches, as they arrive; a batch takes at most a few milliseconds to parse. The iteration ends when the
 * server closes the stream cleanly. It throws a KubeError of kind `Unreachable` when the connection is cut, `Malformed`
 * at a line that cannot be parsed (after the events before it), and `Aborted` when the signal is aborted. It can be
 * iterated once; after `close()` it ends without an error.
 */
export interface WatchStream<T extends KubeObject = Unstructured> extends AsyncIterable<readonly WatchEvent<T>[]> {
  /** Destroys the connection of this stream. */
  close(): void;
}

export interface WriteOptions extends RequestOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  /** What the server does with fields that the schema does not know. The default is the client's. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly dryRun?: boolean;
}

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface ApplyOptions extends WriteOptions {
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** `Deleted` is the result of a deletion: the object itself while finalizers or a grace period hold it, otherwise `gone`. */
export type Deleted<T> = { readonly gone: true; readonly uid?: string } | { readonly gone: false; readonly object: T };

export interface RawRequest extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

export interface RawAnswer {
  readonly code: number;
  /** Parsed if it is JSON, otherwise text; undefined for an empty body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Client {
  /** The cluster's name in logs and metrics. */
  readonly cluster: string;

  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Lists one page. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Lists page by page to the end, 500 objects per page unless `limit` is set. */
  pages<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): AsyncIterable<ObjectList<T>>;
  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): Promise<WatchStream<T>>;

  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** POSTs to a subresource: token requests, evictions, KubeVirt's addvolume. Resolves to the server's answer. */
  createSubresource(
    type: ResourceType<KubeObject>,
    key: ObjectKey,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<unknown>;
  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply. Fills in apiVersion and kind. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: ApplyOptions): Promise<T>;
  delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Promise<Deleted<T>>;
  deleteCollection(type: ResourceType<KubeObject>, options?: DeleteOptions & Selection): Promise<void>;

  /**
   * Requests any other path: /version, discovery, KubeVirt's subresources. Throws a KubeError for status codes of 400
   * and above.
   */
  request(request: RawRequest): Promise<RawAnswer>;
  /** Connects a websocket, for consoles, VNC and exec. Resolves when it is open. */
  connect(path: string, options?: ConnectOptions): Promise<WebSocket>;

  /**
   * Finds where a kind is served, by discovery; asks again for a kind that is not known yet. Throws NotFound if it is
   * not served.
   */
  typeOf(apiVersion: string, kind: string, options?: RequestOptions): Promise<ResourceType>;
  /** Aborts requests in flight and closes the connections. */
  close(): Promise<void>;
}

export interface ConnectOptions extends RequestOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly protocols?: readonly string[];
}
