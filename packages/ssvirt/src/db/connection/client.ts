/** How each connection is made: address, user, TLS, time limits, and how values are parsed. */
import { defined } from '@ssvirt/base/values/defined';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { DatabaseTls, DatabaseUrl } from '@ssvirt/base/config/database-url';
import type { Secret } from '@ssvirt/base/config/secret';

export interface ClientOptions {
  readonly url: DatabaseUrl;
  readonly password?: Secret | undefined;
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly idleInTransactionMs?: number;
}

/**
 * An answer that is still missing this long after PostgreSQL should have ended the statement will never come: the
 * connection is dead.
 */
const graceMs = 5_000;

export function clientConfig({
  url: { host, port, user, database, password: inUrl, tls },
  password = inUrl,
  applicationName = 'ssvirt',
  statementTimeoutMs = 30_000,
  connectTimeoutMs = 5_000,
  idleInTransactionMs = 10_000,
}: ClientOptions): pg.ClientConfig {
  return {
    host,
    port,
    user,
    database,
    // A function, because inspecting the configuration never shows its result.
    ...(password === undefined ? {} : { password: () => password.reveal() }),
    ...(tls === undefined ? {} : { ssl: tlsOptions(tls) }),
    application_name: applicationName,
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: connectTimeoutMs,
    ...(statementTimeoutMs === 0
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + graceMs }),
    // A process that is paused in a transaction would otherwise keep its locks and stop the change log's horizon for as
    // long as it is paused.
    idle_in_transaction_session_timeout: idleInTransactionMs,
    // Firewalls forget idle connections, and keepalive detects a peer that is gone without closing the connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  };
}

function tlsOptions({ ca, cert, key, check }: DatabaseTls): ConnectionOptions {
  return {
    ...defined({ ca, cert, key }),
    rejectUnauthorized: check !== 'nothing',
    ...(check === 'authority' ? { checkServerIdentity: () => undefined } : {}),
  };
}

/** Sizes, epochs and sequences are far below 2^53. A larger value must fail rather than be rounded. */
export function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`cannot read the bigint ${text} as a number: it is above 2^53`);
  return number;
}

const int8 = 20;
const timestamptz = 1184;

const parseAnyTime = pg.types.getTypeParser(timestamptz, 'text') as (text: string) => Date;

/**
 * In UTC, which our connections set, a timestamp is ISO 8601 except for two characters, and Date parses that natively.
 * The driver's parser takes several times as long.
 */
export function timeOf(text: string): Date {
  const isPlain = text.length >= 22 && text.charCodeAt(4) === 45 && text.charCodeAt(10) === 32 && text.endsWith('+00');
  return isPlain ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAnyTime(text);
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === int8) return safeInteger;
    if (format !== 'binary' && oid === timestamptz) return timeOf;
    return pg.types.getTypeParser(oid, format) as unknown;
  }) as typeof pg.types.getTypeParser,
};
