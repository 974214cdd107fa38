/** What one can do with a Kubernetes API: every verb, for any kind. */
import type { WebSocket } from 'ws';
import type { KubeObject, ObjectKey, Unstructured } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** From the call to the whole answer, retries included. Every request has one; 30 s unless said. */
  readonly timeoutMs?: number;
  /** Called right before each attempt goes to the network, after all waiting for limits, pauses and credentials; what it throws ends the request. */
  readonly beforeSend?: () => void;
}

export interface GetOptions extends RequestOptions {
  readonly subresource?: string;
  readonly resourceVersion?: string;
  /** Answer with the metadata alone. */
  readonly metadataOnly?: boolean;
  /** Where it is absent it is made: nobody concludes that something is gone. */
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
  /** How long the server may keep the stream. */
  readonly timeoutSeconds?: number;
  readonly metadataOnly?: boolean;
  /** For those who do not read them: managedFields are left out where that can be done before parsing, which makes events cheaper. */
  readonly withoutManagedFields?: boolean;
  /** How long to wait for the headers of the answer; 30 s unless said. */
  readonly headersTimeoutMs?: number;
}

export type WatchEvent<T extends KubeObject = Unstructured> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: T }
  /** The object is a Status. */
  | { readonly type: 'ERROR'; readonly object: Unstructured };

/**
 * Events in batches, as they arrive; a batch takes no more than a few milliseconds to parse. Ends when the server closes the stream politely,
 * throws an ApiError of kind Unreachable when it is cut, of kind Malformed at a line that cannot be parsed (after the events before it), of kind
 * Aborted when the signal is aborted. Can be iterated once; after close() it ends without an error.
 */
export interface WatchStream<T extends KubeObject = Unstructured> extends AsyncIterable<readonly WatchEvent<T>[]> {
  /** Destroys the connection of this stream. */
  close(): void;
}

export interface WriteOptions extends RequestOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  /** What the server does with fields that the schema does not know; the client's default unless said. */
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
  /** Take fields over from other managers. */
  readonly force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** What the server still has of a deleted object: itself while finalizers hold it, else a Status. */
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
  /** Parsed where it is JSON, else text; undefined for an empty body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Client {
  /** The cluster's name in logs and metrics. */
  readonly cluster: string;

  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** One page. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Page by page until the end, 500 objects each unless `limit` says otherwise. */
  pages<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): AsyncIterable<ObjectList<T>>;
  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): Promise<WatchStream<T>>;

  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** A POST to a subresource: token requests, evictions, KubeVirt's addvolume. Resolves to what the server answers. */
  createSubresource(
    type: ResourceType<KubeObject>,
    key: ObjectKey,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<unknown>;
  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply. apiVersion and kind are filled in. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: ApplyOptions): Promise<T>;
  delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Promise<Deleted<T>>;
  deleteCollection(type: ResourceType<KubeObject>, options?: DeleteOptions & Selection): Promise<void>;

  /** Any other path: /version, discovery, KubeVirt's subresources. Throws an ApiError for a code of 400 and above. */
  request(request: RawRequest): Promise<RawAnswer>;
  /** A websocket on a path, open when it resolves: consoles, vnc, exec. */
  connect(path: string, options?: ConnectOptions): Promise<WebSocket>;

  /** Where a kind is served, by discovery; asked again when it is not known yet. NotFound where it is not served. */
  typeOf(apiVersion: string, kind: string, options?: RequestOptions): Promise<ResourceType>;
  /** Releases the connections. Requests in flight are aborted. */
  close(): Promise<void>;
}

export interface ConnectOptions extends RequestOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly protocols?: readonly string[];
}
