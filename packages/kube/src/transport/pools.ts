/**
 * The sockets to one cluster, over HTTP/1.1. Requests share a small pool and each watch has a socket of its own, so
 * that neither waits for the other. A rotated CA or certificate, or another server or proxy, creates new pools; the old
 * ones finish their requests.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { Connection } from '../connection.ts';
import { withLastLook } from './last-look.ts';
import { sameRoute, sharedTlsOptions } from './tls.ts';
import { createPool, createProxyAgent } from './undici.ts';

/** Concurrent requests; more wait for a socket, within their deadline. */
export const requestSockets = 32;
/** How long a replaced pool may live: otherwise a watch would continue for minutes with outdated credentials. */
const drainMs = 60_000;
/**
 * Below the idle timeouts of API servers (90 s) and of common load balancers (50 s), so that the client closes first.
 */
const idleMs = 30_000;

export interface Route {
  readonly origin: string;
  /** The server's path prefix, without a trailing slash. */
  readonly prefix: string;
  readonly host: string;
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
}

interface Current {
  readonly connection: Connection;
  readonly route: Route;
}

export class Pools {
  readonly #clock: Clock;
  readonly #draining = new Set<Route>();
  #current: Current | undefined;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  route(connection: Connection): Route {
    if (this.#closed) throw new Error('the client is closed');
    const current = this.#current;
    if (current !== undefined && sameRoute(current.connection, connection)) return current.route;
    const route = createRoute(connection);
    this.#current = { connection, route };
    if (current !== undefined) void this.#drain(current.route);
    return route;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const routes = [...this.#draining, ...(this.#current === undefined ? [] : [this.#current.route])];
    await Promise.all(routes.map(destroy));
  }

  /** Never rejects. */
  async #drain(route: Route): Promise<void> {
    this.#draining.add(route);
    const timer = this.#clock.after(drainMs, () => void destroy(route));
    await Promise.allSettled([route.requests.close(), route.watches.close()]);
    timer.cancel();
    this.#draining.delete(route);
  }
}

async function destroy(route: Route): Promise<void> {
  // A pool that is destroyed already rejects: there is nothing left to do.
  await Promise.allSettled([route.requests.destroy(), route.watches.destroy()]);
}

function createRoute(connection: Connection): Route {
  const url = new URL(connection.server);
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ''),
    host: url.host,
    requests: dispatcher(url.origin, connection, requestSockets).compose(withLastLook),
    watches: dispatcher(url.origin, connection, null),
  };
}

function dispatcher(origin: string, { tls, proxyUrl }: Connection, connections: number | null): Dispatcher {
  const socket = { keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000, allowH2: false };
  const options = {
    connections,
    allowH2: false,
    // Every request has a deadline of its own; a quiet watch must be left alone.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    // A server may allow more than a load balancer in between does.
    keepAliveMaxTimeout: idleMs,
  };
  const requestTls = { ...(origin.startsWith('https:') ? sharedTlsOptions(tls) : {}), ...socket };
  if (proxyUrl === undefined) return createPool(origin, { ...options, connect: requestTls });
  return createProxyAgent({ ...options, uri: proxyUrl, requestTls, proxyTls: socket });
}
