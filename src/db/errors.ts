/** What an error of PostgreSQL, or of the way to it, means for who gets it. */

/** Nobody is there to ask: gone, not up yet, about to end, full, or a standby that takes no writes. The same statement may well succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some((one) => isUnavailable(one));
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return connectionLost.test(error.message);
  return networkCodes.has(code) || unavailableStates.has(code) || code.startsWith('08');
}

/** Sent again as it is, the statement may succeed: also where another transaction was in the way. */
export function isRetryable(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  if (isOutdated(error)) return true;
  const code = error instanceof Error ? codeOf(error) : undefined;
  return code !== undefined && (retryableStates.has(code) || code.startsWith('53'));
}

/** A migration has added a column to what `*` stands for: the statement that was prepared is to be prepared again. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/** SQLSTATE of PostgreSQL, or the code of a network error. */
export function codeOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Errors of pg itself have no code. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout)/;

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
  // A Unix socket whose server is not up.
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
  '57014', // query_canceled: the statement's time was up
  '25P03', // idle_in_transaction_session_timeout
]);
