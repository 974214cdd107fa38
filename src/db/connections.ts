/** Connections to PostgreSQL, without typed SQL on top of them: a process that does not need it starts sooner and is smaller. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { parseDatabaseUrl, type DatabaseUrl } from '../config/database-url.ts';
import type { Secret } from '../config/secret.ts';
import { clientConfig } from './client.ts';
import { describeOnce } from './prepared-query.ts';

export interface DatabaseOptions {
  /** With or without a password; TLS by `sslmode`, `sslrootcert`, `sslcert` and `sslkey`, as libpq understands them. */
  readonly url: string | DatabaseUrl;
  /** Wins over that of the URL. */
  readonly password?: Secret | undefined;
  /** The same, by its name in the config. */
  readonly passwordFile?: Secret | undefined;
  /** 10 unless said. */
  readonly maxConnections?: number;
  /** What pg_stat_activity shows. */
  readonly applicationName?: string;
  /** PostgreSQL ends a statement that takes longer; 30 s unless said, 0 for no limit. */
  readonly statementTimeoutMs?: number;
  /** PostgreSQL ends a transaction in which nothing was sent for so long; 10 s unless said. */
  readonly idleInTransactionMs?: number;
  /** How long to wait for a connection; 5 s unless said. */
  readonly connectTimeoutMs?: number;
  /** Connections that broke while nobody used them; the pool makes new ones by itself. */
  readonly onConnectionError?: (error: Error) => void;
}

export interface Connections {
  readonly pool: pg.Pool;
  /** A connection apart from the pool, not yet connected, for who listens; it has no time limit for statements. */
  readonly client: () => pg.Client;
  /** One connection apart from the pool, for what takes as long as it takes: it has no time limit for statements. Who has asked for it ends it. */
  readonly patient: () => pg.Pool;
  /** Waits a moment for statements under way. */
  readonly close: () => Promise<void>;
}

const closeMs = 5_000;
const idleMs = 30_000;

/** Connects when the first statement is sent, not here. */
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
  // Idle connections keep no process from ending.
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: idleMs, allowExitOnIdle: true });
  // Without these two a server that goes away would end the process: the one is for idle connections, the other for those in use.
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    describeOnce(client);
  });
  return pool;
}

/** The process may go on to end though a statement hangs. */
async function closeInTime(pool: pg.Pool): Promise<void> {
  const timer = new AbortController();
  const late = sleep(closeMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([pool.end(), late]);
  timer.abort();
}
