/** Converts the reason for a missing answer to a KubeError. */
import { defined } from '@ssvirt/base/values/defined';
import { KubeError, type KubeErrorDetails } from '../errors.ts';
import { UnreadableBody } from './body.ts';
import type { Deadline } from './deadline.ts';

export function failure(prefix: string, error: unknown, deadline: Pick<Deadline, 'endedBy'>): KubeError {
  // The end takes precedence: whatever failed then failed because of it.
  if (deadline.endedBy === 'deadline') return new KubeError('DeadlineExceeded', `${prefix}: no answer in time`);
  if (deadline.endedBy === 'caller') return new KubeError('Aborted', `${prefix}: the caller aborted the request`);
  if (error instanceof UnreadableBody)
    return new KubeError('Malformed', `${prefix}: ${error.message}`, { cause: error });
  if (error instanceof KubeError)
    return new KubeError(error.kind, `${prefix}: ${error.message}`, { ...detailsOf(error), cause: error });
  return new KubeError('Unreachable', `${prefix}: ${textOf(error)}`, { cause: error });
}

function detailsOf({ code, status, words, retryAfterSeconds, auditId }: KubeError): KubeErrorDetails {
  return {
    ...defined({ code, status, words, retryAfterSeconds, auditId }),
  };
}

/** Several addresses of one host fail as an AggregateError, whose own text is empty. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(textOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The error codes in the chain of causes. */
function* codesOf(error: unknown): Generator<string> {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ('code' in at && typeof at.code === 'string') yield at.code;
}

const resets: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The connection existed and was lost: the server restarted, or closed an idle socket just when it was used. */
export function isReset(error: unknown): boolean {
  return [...codesOf(error)].some((code) => resets.has(code));
}
