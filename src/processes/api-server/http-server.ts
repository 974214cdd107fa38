/** The app as something that a manager starts and stops: it listens, and ends without cutting off who is being answered. */
import type { Server } from 'node:https';
import type { Logger } from 'pino';
import { apiLimits } from '../../api/app.ts';
import type { ApiApp } from '../../api/http/app-types.ts';
import { hostOf, type Address } from '../../config/address.ts';
import { ConfigError } from '../../config/setting.ts';
import type { Runnable } from '../../kube/manager/runnable.ts';
import { guardConnections, type ConnectionGuard, type ConnectionLimits } from '../../net/connection-limits.ts';
import { followPair, minVersion, type Files, type Pair } from './certificate-files.ts';

export interface HttpServerOptions {
  readonly app: ApiApp;
  readonly listen: Address;
  readonly files: Files;
  readonly pair: Pair;
  readonly log: Logger;
  /** How often the certificate's files are looked at. */
  readonly certificateEveryMs?: number;
  /** For the requests that run when it stops; less than the manager's grace. */
  readonly drainMs?: number;
  /** Those that the app was built with. */
  readonly limits?: ConnectionLimits;
}

/** For the first request of a connection when the server stops. */
const firstRequestMs = 1_000;

export function httpServer(options: HttpServerOptions): Runnable {
  const { app, listen, files, pair, log, certificateEveryMs = 10_000, drainMs = 20_000, limits = apiLimits } = options;
  return {
    name: 'http-server',
    // Before the tables are there, too: who asks how it is gets an answer.
    needsLeadership: false,
    async run({ signal }) {
      const server = app.server as Server;
      const connections = guardConnections(server, limits, dropLog(log, limits.maxConnections));
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
      EADDRINUSE: 'another process listens there: stop it, or choose another port',
      EACCES: 'not allowed: choose a port of 1024 or above',
      EADDRNOTAVAIL: 'this machine has no such address: choose one that it has, or none for all',
    };
    const why = reasons[code ?? ''];
    if (why === undefined) throw error;
    throw new ConfigError([`api.listen: cannot listen on ${hostOf(listen)}:${listen.port}: ${why}`]);
  }
}

/**
 * No new connections. Those that rest are closed, now and when they come to rest; requests end in their own time, within limits. A connection on which no
 * request has arrived yet gets a moment, in which a client that has just connected sends it.
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

/** Logs at most once a minute. */
function dropLog(log: Logger, maxConnections: number): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - loggedAt < 60_000) return;
    loggedAt = performance.now();
    log.warn({ maxConnections }, 'connection limit reached, closing new connections');
  };
}
