/**
 * Connections to PostgreSQL without typed SQL on top: a process that does not need it starts sooner and uses less
 * memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { parseDatabaseUrl, type DatabaseUrl } from '@ssvirt/base/config/database-url';
import type { Secret } from '@ssvirt/base/config/secret';
import { clientConfig } from './client.ts';
import { describeOnce } from './prepared-query.ts';

export interface DatabaseOptions {
  /** With or without a password; TLS by `sslmode`, `sslrootcert`, `sslcert` and `sslkey`, as libpq understands them. */
  readonly url: string | DatabaseUrl;
  /** Takes precedence over the password in the URL. */
  readonly password?: Secret | undefined;
  /** The same, under its name in the configuration. */
  readonly passwordFile?: Secret | undefined;
  /** The default is 10. */
  readonly maxConnections?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** PostgreSQL cancels a statement that takes longer. The default is 30 s; 0 means no limit. */
  readonly statementTimeoutMs?: number;
  /** PostgreSQL ends a transaction that was idle for this long. The default is 10 s. */
  readonly idleInTransactionMs?: number;
  /** How long to wait for a connection. The default is 5 s. */
  readonly connectTimeoutMs?: number;
  /** Called for connections that broke while idle; the pool replaces them by itself. */
  readonly onConnectionError?: (error: Error) => void;
}

export interface Connections {
  readonly pool: pg.Pool;
  /** An unconnected client outside the pool, for LISTEN. It has no time limit for statements. */
  readonly client: () => pg.Client;
  /** A pool of one connection without a time limit for statements, for long work. The caller ends it. */
  readonly patient: () => pg.Pool;
  /** Waits briefly for running statements. */
  readonly close: () => Promise<void>;
}

const closeMs = 5_000;
const idleMs = 30_000;

/** `openConnections` connects with the first statement, not here. */
export function openConnections(options: DatabaseOptions): Connections {
  const { url, maxConnections = 10, onConnectionError = () => undefined } = options;
  const place = typeof url === 'string' ? parseDatabaseUrl(url) : url;
  const connecting = { ...options, url: place, password: options.password ?? options.passwordFile };
  const pool = openPool(clientConfig(connecting), maxConnections, onConnectionError);
  let closed: Promise<void> | undefined;
  const withoutLimit = (): pg.ClientConfig => clientConfig({ ...connecting, statementTimeoutMs: 0 });
  const client = (): pg.Client => new pg.Client(withoutLimit());
  const patient = (): pg.Pool => openPool(withoutLimit(), 1, onConnectionError);
  return { pool, client, patient, close: () => (closed ??= closeInTime(pool)) };
}

function openPool(config: pg.ClientConfig, max: number, onConnectionError: (error: Error) => void): pg.Pool {
  // Idle connections do not keep the process alive.
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: idleMs, allowExitOnIdle: true });
  // Without these two handlers a server that goes away would end the process: the first is for idle connections, the
  // second for those in use.
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    describeOnce(client);
  });
  return pool;
}

/** The process can end although a statement hangs. */
async function closeInTime(pool: pg.Pool): Promise<void> {
  const timer = new AbortController();
  const late = sleep(closeMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([pool.end(), late]);
  timer.abort();
}
