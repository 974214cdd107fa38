/** What an error of PostgreSQL, or of the connection to it, means for the caller. */

/**
 * The server cannot be used now: gone, starting, shutting down, full, or a standby that accepts no writes. The same
 * statement may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some((one) => isUnavailable(one));
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return connectionLost.test(error.message);
  return networkCodes.has(code) || unavailableStates.has(code) || code.startsWith('08');
}

/** The same statement may succeed when it is sent again. This includes conflicts with another transaction. */
export function isRetryable(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  if (isOutdated(error)) return true;
  const code = error instanceof Error ? codeOf(error) : undefined;
  return code !== undefined && (retryableStates.has(code) || code.startsWith('53'));
}

/** `isOutdated` returns a migration added a column to what `*` selects: the statement must be prepared again. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/**
 * What to set if the server does not use TLS as `sslmode` requires, or its certificate is not trusted; undefined for
 * another error. Waiting does not help.
 */
export function tlsAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === 'The server does not support SSL connections')
    return 'the database does not use TLS, which sslmode requires (verify-full by default, if the server is on another machine): turn on TLS in PostgreSQL, or add sslmode=disable to database.url if the network to it is trusted';
  if (!certificateCodes.has(codeOf(error) ?? '')) return undefined;
  return `the certificate of the database is not accepted (${error.message}): add sslrootcert=FILE with the CA of the certificate to database.url, and use a host name that the certificate has`;
}

/** `codeOf` returns the SQLSTATE of PostgreSQL, or the code of a network error. */
export function codeOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Errors of the driver pg itself have no code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Of OpenSSL and Node. */
const certificateCodes = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A Unix socket whose server is not running.
  'ENOENT',
]);

const unavailableStates = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '53300', // too_many_connections
  '25006', // read_only_sql_transaction: a standby, after a failover
]);

const retryableStates = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: the statement timeout
  '25P03', // idle_in_transaction_session_timeout
]);
