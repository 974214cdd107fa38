/** The log fields of an error. For an unreachable database only the message is logged, without our stack trace. */
import { isRetryable } from '../../db/connection/errors.ts';
import { Fenced } from '../../db/observations/contracts.ts';
import { OutcomeUnknown } from '../../db/observations/connection.ts';
import { errorFields as fieldsOfKube, type ErrorFields } from '@ssvirt/kube/error-fields';

export function errorFields(thrown: unknown): ErrorFields {
  const expected = thrown instanceof Fenced || thrown instanceof OutcomeUnknown || isRetryable(thrown);
  return expected && thrown instanceof Error ? { type: thrown.name, message: thrown.message } : fieldsOfKube(thrown);
}
