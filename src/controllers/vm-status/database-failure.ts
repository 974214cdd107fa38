/** What an error of PostgreSQL says about the rest: whether all writes fail now, or these rows only. */
import { Fenced } from '../../db/observations/contracts.ts';

export type DatabaseFailure =
  /** Another leads: nothing may be written any more. */
  | 'fenced'
  /** These rows, or one of them: data that a rule refuses, a row that somebody holds. */
  | 'rows'
  /** Everything: the server is away, read-only, full, or not what we need it to be. */
  | 'database';

/**
 * SQLSTATE classes and codes that a single row can cause: data exceptions, broken constraints, what a trigger raises, a value that is too large, locks that are
 * not had and statements that take too long.
 */
const ofRows = /^(21|22|23|P0|44|54)|^(55P03|57014|40P01|40001)$/;

export function databaseFailure(error: unknown): DatabaseFailure {
  if (error instanceof Fenced) return 'fenced';
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && ofRows.test(code) ? 'rows' : 'database';
}

/** For metrics: a closed set. */
export function errorType(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code !== 'string') return 'unexpected';
  if (/^(55P03|57014)$/.test(code)) return 'database_row_locked';
  return databaseFailure(error) === 'rows' ? 'database_update_refused' : 'database_unavailable';
}
