/** Classifies errors of PostgreSQL: whether all writes fail now, or only these rows. */
import { isUnavailable } from '../../../db/connection/errors.ts';
import { OutcomeUnknown } from '../../../db/observations/connection.ts';
import { Fenced } from '../../../db/observations/contracts.ts';

export type DatabaseFailure =
  /** Another process leads: nothing may be written any more. */
  | 'fenced'
  /** One or more of these rows: a rule refuses the data, or a row is locked. */
  | 'rows'
  /** Every write: the server is unreachable, read-only or full, or its schema is not the expected one. */
  | 'database';

/**
 * SQLSTATE classes and codes that a single row can cause: data exceptions, violated constraints, exceptions of
 * triggers, values that are too large, locks that are not available, and statement timeouts.
 */
const ofRows = /^(21|22|23|P0|44|54)|^(55P03|57014|40P01|40001)$/;

export function databaseFailure(error: unknown): DatabaseFailure {
  if (error instanceof Fenced) return 'fenced';
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && ofRows.test(code) ? 'rows' : 'database';
}

/** `errorType` returns a closed set of values for metrics. */
export function errorType(error: unknown): string {
  // The driver's own errors have no code: a connection that broke, or that could not be made in time.
  if (error instanceof OutcomeUnknown || isUnavailable(error)) return 'database_unavailable';
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code !== 'string') return 'unexpected';
  if (/^(55P03|57014)$/.test(code)) return 'database_row_locked';
  return databaseFailure(error) === 'rows' ? 'database_update_refused' : 'database_unavailable';
}
