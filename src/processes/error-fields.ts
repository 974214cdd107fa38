/** What the log says of an error: of a database or a cluster that is away the message, and no page of our own lines. */
import { isRetryable } from '../db/errors.ts';
import { errorFields as fieldsOfKube, type ErrorFields } from '../kube/error-fields.ts';

export function errorFields(thrown: unknown): ErrorFields {
  if (isRetryable(thrown) && thrown instanceof Error) return { type: thrown.name, message: messageOf(thrown) };
  return fieldsOfKube(thrown);
}

/** Several addresses of one name were tried. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map((one) => String(one)).join('; ') : error.message;
}
