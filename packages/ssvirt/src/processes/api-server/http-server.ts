/** The app as a runnable of the manager: it listens, and stops without cutting off requests in progress. */
import type { Server } from 'node:https';
import type { Logger } from 'pino';
import { apiLimits } from '../../api/app.ts';
import type { ApiApp } from '../../api/http/app-types.ts';
import { hostOf, type Address } from '@ssvirt/base/config/address';
import { ConfigError } from '@ssvirt/base/config/setting';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import {
  guardConnections,
  type ConnectionGuard,
  type ConnectionLimits,
  type LimitListeners,
} from '@ssvirt/base/net/connection-limits';
import { followPair, minVersion, type Files, type Pair } from './certificate-files.ts';

export interface HttpServerOptions {
  readonly app: ApiApp;
  readonly listen: Address;
  readonly files: Files;
  readonly pair: Pair;
  readonly log: Logger;
  /** How often the certificate files are read. */
  readonly certificateEveryMs?: number;
  /** The time for running requests when it stops; less than the manager's grace period. */
  readonly drainMs?: number;
  /** The limits that the app was built with. */
  readonly limits?: ConnectionLimits;
}

/** The time for a connection's first request when the server stops. */
const firstRequestMs = 1_000;

export function httpServer(options: HttpServerOptions): Runnable {
  const { app, listen, files, pair, log, certificateEveryMs = 10_000, drainMs = 20_000, limits = apiLimits } = options;
  return {
    name: 'http-server',
    // It also runs before the schema is ready, so that health requests get an answer.
    needsLeadership: false,
    async run({ signal }) {
      const server = app.server as Server;
      const connections = guardConnections(server, limits, limitLog(log, limits));
      await start(app, listen);
      const use = (next: Pair): void => server.setSecureContext({ ...next, minVersion });
      await followPair({ files, current: pair, use, log, everyMs: certificateEveryMs }, signal);
      await stop(app, server, connections, drainMs);
    },
  };
}

async function start(app: ApiApp, listen: Address): Promise<void> {
  try {
    await app.listen({
      host: hostOf(listen),
      port: listen.port,
      listenTextResolver: (address) => `serving the API at ${address}`,
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: 'another process is using it: stop it, or choose another port',
      EACCES: 'permission denied: choose a port of 1024 or above',
      EADDRNOTAVAIL: 'this host does not have the address: choose one that it has, or none for all',
    };
    const why = reasons[code ?? ''];
    if (why === undefined) throw error;
    throw new ConfigError([`api.listen: cannot listen on ${hostOf(listen)}:${listen.port}: ${why}`]);
  }
}

/**
 * Accepts no new connections. Idle connections are closed, now and whenever one becomes idle; requests may finish
 * within `drainMs`. A connection without a request so far gets a short time, in which a client that has just connected
 * sends it.
 */
async function stop(app: ApiApp, server: Server, connections: ConnectionGuard, drainMs: number): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cutIdle = setInterval(() => connections.destroyIdle(), Math.min(drainMs, firstRequestMs));
  const cut = setTimeout(() => connections.destroyAll(), drainMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearInterval(cutIdle);
    clearTimeout(cut);
  }
}

function limitLog(log: Logger, { maxConnections, maxHandshakes }: ConnectionLimits): LimitListeners {
  return {
    onMaxConnections: atMostOnceAMinute(() =>
      log.warn({ maxConnections }, 'connection limit reached, closing new connections'),
    ),
    onMaxHandshakes: atMostOnceAMinute(() =>
      log.warn({ maxHandshakes }, 'handshake limit reached, closing the oldest unfinished handshakes'),
    ),
  };
}

function atMostOnceAMinute(report: () => void): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - reportedAt < 60_000) return;
    reportedAt = performance.now();
    report();
  };
}
