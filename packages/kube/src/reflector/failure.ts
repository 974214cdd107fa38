/** Classifies errors for a reflector. */
import { KubeError } from '../errors.ts';
import type { ErrorKind, Status } from '../errors.ts';
import type { Unstructured } from '../object.ts';
import { statusError } from '../transport/refusal.ts';
import type { Failure } from './state-machine.ts';

const byKind: Partial<Record<ErrorKind, Failure>> = {
  Gone: 'expired',
  TooManyRequests: 'unavailable',
  ServiceUnavailable: 'unavailable',
  Timeout: 'unavailable',
  Unreachable: 'unavailable',
  DeadlineExceeded: 'unavailable',
  Unauthorized: 'unauthorized',
  Credentials: 'unauthorized',
  Forbidden: 'forbidden',
  NotFound: 'absent',
  InternalError: 'internal',
  Malformed: 'malformed',
};

export function failureOf(error: unknown): Failure {
  if (!(error instanceof KubeError)) return 'other';
  if (isTooLarge(error)) return 'expired';
  if (refusesWatchList(error)) return 'unsupported';
  return byKind[error.kind] ?? 'other';
}

/** `errorOfStatus` converts the Status of an ERROR event to the error that the same answer to a request would be. */
export function errorOfStatus(object: Unstructured): KubeError {
  const { code, ...status } = object as unknown as Status;
  return statusError('the server ended the watch', typeof code === 'number' ? { ...status, code } : status);
}

/** Servers before 1.22 say it only in the message. */
function isTooLarge(error: KubeError): boolean {
  return (
    error.hasCause('ResourceVersionTooLarge') ||
    (error.kind === 'Timeout' && error.message.includes('Too large resource version'))
  );
}

/** Servers before 1.27 know neither parameter, and complain about the one that they know from lists. */
function refusesWatchList(error: KubeError): boolean {
  const refused = error.kind === 'BadRequest' || error.kind === 'Invalid';
  return refused && /sendInitialEvents|resourceVersionMatch/.test(error.message);
}
