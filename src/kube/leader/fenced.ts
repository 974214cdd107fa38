/**
 * A client for what only the leader may do: every write asks the term before it is sent, and is given up when the term
 * ends. What has left us by then cannot be called back; the resourceVersion that it carries must refuse it.
 */
import type { Client, RequestOptions } from '../client/client.ts';
import type { Term } from './term.ts';

export function fenced(client: Client, term: Term): Client {
  // Asked at the call, and again when each attempt is sent: a rate limit, a retry or a login may have held it up in between.
  const guard = <O extends RequestOptions>(options: O): O => {
    term.assertHeld();
    const signal = options.signal === undefined ? term.signal : AbortSignal.any([options.signal, term.signal]);
    const beforeSend = (): void => {
      options.beforeSend?.();
      term.assertHeld();
    };
    return { ...options, signal, beforeSend };
  };
  return {
    cluster: client.cluster,

    get: (type, key, options) => client.get(type, key, options),
    list: (type, options) => client.list(type, options),
    pages: (type, options) => client.pages(type, options),
    watch: (type, options) => client.watch(type, options),
    typeOf: (apiVersion, kind, options) => client.typeOf(apiVersion, kind, options),
    close: () => client.close(),

    create: async (type, object, options = {}) => client.create(type, object, guard(options)),
    createSubresource: async (type, key, subresource, body, options = {}) =>
      client.createSubresource(type, key, subresource, body, guard(options)),
    update: async (type, object, options = {}) => client.update(type, object, guard(options)),
    patch: async (type, key, patch, options = {}) => client.patch(type, key, patch, guard(options)),
    apply: async (type, object, options) => client.apply(type, object, guard(options)),
    delete: async (type, key, options = {}) => client.delete(type, key, guard(options)),
    deleteCollection: async (type, options = {}) => client.deleteCollection(type, guard(options)),
    request: async (request) => client.request(request.method === 'GET' ? request : guard(request)),
    // What goes over a websocket nobody can look into: exec and consoles change things.
    connect: async (path, options = {}) => client.connect(path, guard(options)),
  };
}
