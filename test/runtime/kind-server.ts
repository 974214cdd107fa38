/**
 * Serves the ConfigMaps of one namespace over real HTTPS, with a history that watches replay: as much of Kubernetes as
 * reflectors need, with any faults that a test wants.
 */
import type { ServerResponse } from 'node:http';
import { statusBody } from './fault.ts';
import { sendJson } from './scripted-server.ts';
import type { Answering, Received } from './scripted-server.ts';

export type Verb = 'list' | 'stream' | 'watch' | 'get';

export interface SeenCall {
  readonly verb: Verb;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
  readonly path: string;
}

export interface ServedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly managedFields: readonly unknown[];
  };
  readonly data: Readonly<Record<string, string>>;
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ServedObject;
}

/** Answers instead of the server; returns true if it did. */
export type Script = (call: SeenCall, response: ServerResponse) => boolean;

export class KindServer {
  readonly calls: SeenCall[] = [];
  readonly objects = new Map<string, ServedObject>();
  readonly streams = new Set<ServerResponse>();
  /** Called in turn before each answer. */
  readonly scripts: Script[] = [];
  knowsWatchLists = true;
  revision = 100;
  #oldest = 0;
  #uids = 0;
  readonly #log: { readonly at: number; readonly change: Change }[] = [];

  readonly answer: Answering = (request, response) => {
    const call = callOf(request);
    this.calls.push(call);
    if (this.scripts.some((script) => script(call, response))) return;
    if (call.verb === 'get') this.#get(call, response);
    else if (call.verb === 'list') this.#list(call, response);
    else this.#watch(call, response);
  };

  verbs(): readonly Verb[] {
    return this.calls.map(({ verb }) => verb);
  }

  put(name: string, data: Record<string, string> = {}, more: PutOptions = {}): ServedObject {
    const namespace = more.namespace ?? 'default';
    const key = `${namespace}/${name}`;
    const before = this.objects.get(key);
    const uid = before === undefined ? `uid-${++this.#uids}` : before.metadata.uid;
    const resourceVersion = String(++this.revision);
    const labels = more.labels ?? {};
    const managedFields = [{ manager: 'test', fieldsV1: { 'f:data': {} } }];
    const metadata = { name, namespace, uid, resourceVersion, labels, managedFields };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    this.objects.set(key, object);
    this.#record({ type: before === undefined ? 'ADDED' : 'MODIFIED', object });
    return object;
  }

  remove(name: string, namespace = 'default'): void {
    const key = `${namespace}/${name}`;
    const object = this.objects.get(key);
    if (object === undefined) throw new Error(`no config map "${key}"`);
    this.objects.delete(key);
    const metadata = { ...object.metadata, resourceVersion: String(++this.revision) };
    this.#record({ type: 'DELETED', object: { ...object, metadata } });
  }

  /**
   * Makes changes that no watch sees, as happens while clients are disconnected, or on a server that lost its history.
   */
  silently(change: () => void): void {
    const streams = [...this.streams];
    this.streams.clear();
    change();
    for (const stream of streams) this.streams.add(stream);
  }

  compact(): void {
    this.#oldest = this.revision;
    this.#log.length = 0;
  }

  send(event: object): void {
    for (const stream of this.streams) writeLine(stream, event);
  }

  bookmark(): void {
    this.send(bookmarkAt(this.revision));
  }

  endStreams(): void {
    for (const stream of this.streams) stream.end();
    this.streams.clear();
  }

  #record(change: Change): void {
    this.#log.push({ at: this.revision, change });
    this.send(change);
  }

  #get({ path }: SeenCall, response: ServerResponse): void {
    const [, , , , namespace = '', , name = ''] = path.split('/');
    const object = this.objects.get(`${namespace}/${name}`);
    if (object === undefined) refuse(response, 404);
    else sendJson(response, 200, object);
  }

  #selected({ path, query }: SeenCall): ServedObject[] {
    const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    const [label, value] = (query['labelSelector'] ?? '').split('=');
    return [...this.objects.values()].filter(
      ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) &&
        (label === undefined || label === '' || metadata.labels[label] === value),
    );
  }

  #list(call: SeenCall, response: ServerResponse): void {
    const all = this.#selected(call).map(({ apiVersion: _, kind: __, ...rest }) => rest);
    const { limit, continue: from = '0', resourceVersion = '' } = call.query;
    const paged = limit !== undefined && resourceVersion === '';
    const start = Number(from);
    const items = paged ? all.slice(start, start + Number(limit)) : all;
    const more = paged && start + items.length < all.length ? { continue: String(start + items.length) } : {};
    sendList(response, items, String(this.revision), more);
  }

  #watch(call: SeenCall, response: ServerResponse): void {
    const { query, verb } = call;
    if (verb === 'stream' && !this.knowsWatchLists) {
      refuse(response, 422, 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch');
      return;
    }
    openStream(response);
    const from = Number(query['resourceVersion'] ?? 0);
    if (verb === 'stream') {
      for (const object of this.#selected(call)) writeLine(response, { type: 'ADDED', object });
      writeLine(response, endOfInitialEvents(this.revision));
    } else if (from < this.#oldest) {
      writeLine(response, { type: 'ERROR', object: JSON.parse(statusBody(410, 'Expired')) as object });
      response.end();
      return;
    } else {
      for (const { at, change } of this.#log) if (at > from) writeLine(response, change);
    }
    this.streams.add(response);
    response.once('close', () => this.streams.delete(response));
  }
}

export interface PutOptions {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

function callOf({ url, headers }: Received): SeenCall {
  const { pathname, searchParams } = new URL(url, 'https://server');
  const query = Object.fromEntries(searchParams);
  const collection = pathname.endsWith('/configmaps');
  const streams = query['sendInitialEvents'] === 'true' ? 'stream' : 'watch';
  const verb: Verb = !collection ? 'get' : query['watch'] === 'true' ? streams : 'list';
  return { verb, query, accept: headers.accept ?? '', path: pathname };
}

export function refuse(response: ServerResponse, code: number, message?: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(statusBody(code, undefined, message));
}

export function sendList(
  response: ServerResponse,
  items: readonly unknown[],
  resourceVersion: string,
  more = {},
): void {
  const metadata = { resourceVersion, ...more };
  sendJson(response, 200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items });
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
}

export function writeLine(response: ServerResponse, event: object): void {
  response.write(`${JSON.stringify(event)}\n`);
}

export function bookmarkAt(revision: number | string, annotations: Record<string, string> = {}): object {
  const metadata = { resourceVersion: String(revision), annotations };
  return { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
}

export function endOfInitialEvents(revision: number | string): object {
  return bookmarkAt(revision, { 'k8s.io/initial-events-end': 'true' });
}

/** A script that strikes the next `times` requests of a verb. */
export function struck(verb: Verb, times: number, act: (response: ServerResponse) => void): Script {
  let left = times;
  return (call, response) => {
    if (call.verb !== verb || left === 0) return false;
    left--;
    act(response);
    return true;
  };
}
