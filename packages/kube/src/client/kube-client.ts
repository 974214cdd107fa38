/** `KubeClient` implements the verbs on top of a transport. */
import type { WebSocket } from 'ws';
import { KubeError } from '../errors.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../object.ts';
import { apiVersionOf, pathOf, resourceName, type ResourceType } from '../resource-type.ts';
import { isJson, parseJson } from '../transport/body.ts';
import type { Answer, Call, Headers } from '../transport/call.ts';
import { failure } from '../transport/failure.ts';
import type { Transport } from '../transport/transport.ts';
import type {
  ApplyOptions,
  Client,
  ConnectOptions,
  Deleted,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectList,
  Patch,
  RawAnswer,
  RawRequest,
  RequestOptions,
  Selection,
  WatchOptions,
  WatchStream,
  WriteOptions,
} from './client.ts';
import { deletedOf } from './deleted.ts';
import type { Discovery } from './discovery.ts';
import { listOf } from './object-list.ts';
import {
  acceptMetadata,
  acceptMetadataList,
  deletion,
  listQuery,
  selectionQuery,
  watchQuery,
  writeQuery,
  type WriteDefaults,
} from './parameters.ts';
import { watchStream } from './watch-stream.ts';

const pageSize = 500;

const patchTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

type Type = ResourceType<KubeObject>;

export interface KubeClientOptions {
  readonly cluster: string;
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly writing: WriteDefaults;
}

export class KubeClient implements Client {
  readonly cluster: string;
  readonly #transport: Transport;
  readonly #discovery: Discovery;
  readonly #writing: WriteDefaults;

  constructor({ cluster, transport, discovery, writing }: KubeClientOptions) {
    this.cluster = cluster;
    this.#transport = transport;
    this.#discovery = discovery;
    this.#writing = writing;
  }

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    return this.#object({
      ...this.#on('get', type, key, options),
      method: 'GET',
      query: { resourceVersion: options.resourceVersion || undefined },
      ...(options.metadataOnly === true && { accept: acceptMetadata }),
    });
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const call: Call = {
      ...this.#across('list', type, options),
      method: 'GET',
      query: listQuery(options),
      ...(options.metadataOnly === true && { accept: acceptMetadataList }),
    };
    return listOf(type, await this.#object(call), this.#transport.prefix(call.doing));
  }

  async *pages<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): AsyncGenerator<ObjectList<T>> {
    let page = await this.list(type, { limit: pageSize, ...options });
    yield page;
    // The continue token pins the version: the server refuses a resourceVersion in addition.
    const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = options;
    while (page.continue !== undefined) {
      page = await this.list(type, { limit: pageSize, ...rest, continue: page.continue });
      yield page;
    }
  }

  async watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions): Promise<WatchStream<T>> {
    const { headersTimeoutMs: timeoutMs, signal } = options;
    const streaming = await this.#transport.stream({
      ...this.#across('watch', type, {
        ...options,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(signal !== undefined && { signal }),
      }),
      method: 'GET',
      query: watchQuery(options),
      ...(options.metadataOnly === true && { accept: acceptMetadata }),
    });
    return watchStream<T>(streaming, options);
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name, generateName } = object.metadata;
    const on = this.#on(
      'create',
      type,
      { ...(namespace !== undefined && { namespace }), name: name ?? generateName ?? '' },
      options,
    );
    const path =
      options.subresource === undefined ? pathOf(type, namespace === undefined ? {} : { namespace }) : on.path;
    return this.#object({
      ...on,
      path,
      method: 'POST',
      query: writeQuery(options, this.#writing),
      body: JSON.stringify(complete(type, object)),
    });
  }

  async createSubresource(
    type: Type,
    key: ObjectKey,
    subresource: string,
    body: unknown,
    options: WriteOptions = {},
  ): Promise<unknown> {
    const { body: answer } = await this.#raw({
      ...this.#on('create', type, key, { ...options, subresource }),
      method: 'POST',
      query: writeQuery(options),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer;
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#object({
      ...this.#on('update', type, keyIn(object), options),
      method: 'PUT',
      query: writeQuery(options, this.#writing),
      body: JSON.stringify(complete(type, object)),
    });
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#object({
      ...this.#on('patch', type, key, options),
      method: 'PATCH',
      query: writeQuery(options, this.#writing),
      contentType: patchTypes[patch.type],
      body: JSON.stringify(patch.type === 'json' ? patch.operations : patch.body),
    });
  }

  async apply<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: ApplyOptions): Promise<T> {
    return this.#object({
      ...this.#on('apply', type, keyIn(object), options),
      method: 'PATCH',
      query: { ...writeQuery(options, this.#writing), force: options.force === true ? 'true' : undefined },
      // JSON is YAML.
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(complete(type, object)),
    });
  }

  async delete<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Deleted<T>> {
    const call: Call = {
      ...this.#on('delete', type, key, options),
      method: 'DELETE',
      body: JSON.stringify(deletion(options)),
    };
    return deletedOf<T>(await this.#object(call));
  }

  async deleteCollection(type: Type, options: DeleteOptions & Selection = {}): Promise<void> {
    await this.#transport.call({
      ...this.#across('delete', type, options),
      method: 'DELETE',
      query: selectionQuery(options),
      body: JSON.stringify(deletion(options)),
    });
  }

  async request({ method, path, query, body, contentType, accept, ...options }: RawRequest): Promise<RawAnswer> {
    return this.#raw({
      method,
      path,
      ...limits(options),
      doing: `${method} ${path.split('?')[0]}`,
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(contentType !== undefined && { contentType }),
      ...(accept !== undefined && { accept }),
    });
  }

  async connect(path: string, options: ConnectOptions = {}): Promise<WebSocket> {
    const doing = `connect to ${path.split('?')[0]}`;
    const { query, protocols = [] } = options;
    return this.#transport.connect(
      { method: 'GET', path, ...(query && { query }), ...limits(options), doing },
      protocols,
    );
  }

  async typeOf(apiVersion: string, kind: string, options: RequestOptions = {}): Promise<ResourceType> {
    const deadline = this.#transport.deadline(options);
    try {
      return await deadline.race(this.#discovery.typeOf(apiVersion, kind));
    } catch (error) {
      // Several callers may share the answer, so its error has a text of its own.
      if (error instanceof KubeError) throw error;
      throw failure(this.#transport.prefix(`find kind ${kind} of ${apiVersion}`), error, deadline);
    } finally {
      deadline.release();
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #on(
    verb: string,
    type: Type,
    key: ObjectKey,
    options: RequestOptions & { readonly subresource?: string },
  ): Omit<Call, 'method'> {
    const { subresource } = options;
    const what = `${resourceName(type)}${subresource === undefined ? '' : `/${subresource}`}`;
    const doing = `${verb} ${what} "${keyOf(key)}"`;
    const missing = missingIn(type, key);
    if (missing !== undefined)
      throw new KubeError('BadRequest', `${this.#transport.prefix(doing)}: the key has no ${missing}`);
    return { path: pathOf(type, key, subresource), doing, ...limits(options) };
  }

  #across(verb: string, type: Type, options: RequestOptions & Selection): Omit<Call, 'method'> {
    const { namespace } = options;
    const scope = type.namespaced && namespace !== undefined ? ` in namespace ${namespace}` : '';
    const path = pathOf(type, namespace === undefined ? {} : { namespace });
    return { path, doing: `${verb} ${resourceName(type)}${scope}`, ...limits(options) };
  }

  async #object<T>(call: Call): Promise<T> {
    const { headers, body } = await this.#transport.call(call);
    return this.#parsed(call, headers, body) as T;
  }

  async #raw(call: Call): Promise<RawAnswer> {
    const { code, headers, body } = await this.#transport.call(call);
    return { code, headers, body: this.#content(call, { code, headers, body }) };
  }

  #content(call: Call, { headers, body }: Answer): unknown {
    if (body.length === 0) return undefined;
    return isJson(headers) ? this.#parsed(call, headers, body) : body.toString('utf8');
  }

  #parsed(call: Call, headers: Headers, body: Buffer): unknown {
    try {
      return parseJson(body, headers);
    } catch (error) {
      throw failure(this.#transport.prefix(call.doing), error, { endedBy: undefined });
    }
  }
}

function limits({ signal, timeoutMs, beforeSend }: RequestOptions): Pick<Call, 'signal' | 'timeoutMs' | 'beforeSend'> {
  return {
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(beforeSend !== undefined && { beforeSend }),
  };
}

/** With an empty part, the object's path would become that of the collection. */
function missingIn(type: Type, { namespace, name }: ObjectKey): 'name' | 'namespace' | undefined {
  if (name === '') return 'name';
  return type.namespaced && (namespace === undefined || namespace === '') ? 'namespace' : undefined;
}

function keyIn({ metadata: { namespace, name = '' } }: KubeObject): ObjectKey {
  return { ...(namespace !== undefined && { namespace }), name };
}

function complete<T extends KubeObject>(type: Type, object: T): T {
  return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
}
