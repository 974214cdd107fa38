/**
 * Responses to requests that a cluster has to carry out: at once with a task, or after its end if the caller prefers to
 * wait. Each resource renders its own body.
 */
import { Type } from 'typebox';
import { isEnded, type ShownTask } from '../../db/tasks/tasks.ts';
import type { ApiContext } from '../deps.ts';
import { ApiError, errorCodes, type ErrorCode } from '../errors.ts';
import { callerOf, type Reply, type Request } from '../http/app-types.ts';
import { baseUrl } from '../http/base-url.ts';
import { waitSeconds } from '../http/prefer.ts';
import { taskHref } from './render.ts';
import { redactedFor } from './redaction.ts';

export interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly context: ApiContext;
}

/** `preferHeaders` are the headers of a route that starts a task. */
export const preferHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description: 'wait=N waits up to N seconds (1 to 60) for the task; without it the response is an immediate 202',
      examples: ['wait=30'],
    }),
  ),
});

export function baseOf({ request, context }: Exchange): string {
  return baseUrl(request, context.settings);
}

/** The task did not succeed: nothing more is to be expected of the request. */
export class TaskFailedError extends ApiError {}

/** Answers 202 with the task, which the caller can follow. */
export function accept(exchange: Exchange, task: ShownTask): void {
  void exchange.reply.status(202).header('location', taskHref(task, baseOf(exchange)));
}

/**
 * Returns the task when it has ended or the time is up, or at once if the caller does not wait. Throws `TaskFailedError` if
 * the task did not succeed.
 */
export async function awaited({ request, reply, context }: Exchange, task: ShownTask): Promise<ShownTask> {
  const seconds = waitSeconds(request);
  if (seconds === undefined) return task;
  const { scope } = callerOf(request);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  reply.raw.once('close', leave);
  try {
    const last = await context.tasks.wait(context.database.db, scope, task.id, seconds * 1000, gone.signal);
    void reply.header('preference-applied', 'wait');
    if (isEnded(last.status) && last.status !== 'success') throw errorOf(redactedFor(callerOf(request), last));
    return last;
  } finally {
    reply.raw.off('close', leave);
  }
}

/** The caller can correct what the cluster refused, so it is not a server error. */
function errorOf({ status, error }: ShownTask): TaskFailedError {
  if (status !== 'error')
    return new TaskFailedError('CONFLICT', `The request was not completed: its task was ${status}.`);
  const { minorErrorCode, message } = error ?? {};
  const code =
    typeof minorErrorCode === 'string' && minorErrorCode in errorCodes ? (minorErrorCode as ErrorCode) : 'CONFLICT';
  const text =
    typeof message === 'string' && message !== '' ? message : 'The task failed; the server log has the cause.';
  return new TaskFailedError(errorCodes[code].status < 500 ? code : 'CONFLICT', text);
}
