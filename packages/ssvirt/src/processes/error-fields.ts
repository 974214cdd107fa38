/** The log fields of an error. An unavailable database or cluster gives only its message, not our stack trace. */
import { isRetryable } from '../db/connection/errors.ts';
import { errorFields as fieldsOfKube, type ErrorFields } from '@ssvirt/kube/error-fields';

export function errorFields(thrown: unknown): ErrorFields {
  if (isRetryable(thrown) && thrown instanceof Error) return { type: thrown.name, message: messageOf(thrown) };
  return fieldsOfKube(thrown);
}

/** Several addresses of one name were tried. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map((one) => String(one)).join('; ') : error.message;
}
