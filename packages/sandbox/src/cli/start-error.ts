/** An error for the person who starts the sandbox: it is no defect, so it is printed without a stack. */
import { getSystemErrorMessage } from 'node:util';

export class StartError extends Error {
  override readonly name = 'StartError';
}

/** `systemWords` returns the system's text for a failed file operation. */
export function systemWords(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'errno' in cause && typeof cause.errno === 'number' ? getSystemErrorMessage(cause.errno) : cause.message;
}
