/**
 * `fenced` wraps a client for the leader's writes: every write checks the term before it is sent and is aborted when
 * the term ends. A write that has already been sent cannot be recalled; its resourceVersion must make the server refuse
 * it.
 */
import type { Client, RequestOptions } from '../client/client.ts';
import type { Term } from './term.ts';

export function fenced(client: Client, term: Term): Client {
  // Checked at the call and again before each attempt is sent: a rate limit, a retry or a login may have delayed it.
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
    // Traffic on a websocket cannot be inspected, and exec and consoles change things: connecting counts as a write.
    connect: async (path, options = {}) => client.connect(path, guard(options)),
  };
}
