/** Why the sandbox cannot start, for the person who started it: no defect, so it is said without a stack. */
import { getSystemErrorMessage } from 'node:util';

export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The system's own words for what went wrong with a file. */
export function systemWords(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'errno' in cause && typeof cause.errno === 'number' ? getSystemErrorMessage(cause.errno) : cause.message;
}
