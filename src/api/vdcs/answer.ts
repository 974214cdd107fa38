/** The answer to what a cluster has to follow: at once with a task, or after its end where the caller prefers to wait. */
import type { Static } from 'typebox';
import { isEnded, type ShownTask } from '../../db/tasks.ts';
import { getVdc, type Vdc } from '../../db/vdcs.ts';
import type { ApiContext } from '../deps.ts';
import { ApiError, conflict, errorCodes, type ErrorCode } from '../errors.ts';
import { callerOf, type Reply, type Request } from '../http/app-types.ts';
import { baseUrl } from '../http/base-url.ts';
import { waitSeconds } from '../http/prefer.ts';
import { taskBody, taskHref } from '../tasks/render.ts';
import { urnOf } from '../urn.ts';
import { adminVdcBody } from './render.ts';
import type { ChangedVdc } from './schemas.ts';
import type { Started } from './service.ts';

export interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly context: ApiContext;
}

type Body = Static<typeof ChangedVdc>;

export async function answerCreated(exchange: Exchange, started: Started): Promise<Body> {
  const task = await awaited(exchange, started.task);
  if (task.status !== 'success') return accepted(exchange, started.vdc, task);
  const { organization_id, id } = started.vdc;
  const self = `/api/admin/org/${urnOf('org', organization_id)}/vdcs/${urnOf('vdc', id)}`;
  void exchange.reply.status(201).header('location', `${baseOf(exchange)}${self}`);
  return bodyOf(exchange, await asItIsNow(exchange, started.vdc), task);
}

export async function answerUpdated(
  exchange: Exchange,
  changed: Pick<Started, 'vdc'> & Partial<Started>,
): Promise<Body> {
  if (changed.task === undefined) return adminVdcBody(changed.vdc);
  const task = await awaited(exchange, changed.task);
  if (task.status !== 'success') return accepted(exchange, changed.vdc, task);
  return bodyOf(exchange, await asItIsNow(exchange, changed.vdc), task);
}

export async function answerDeleted(exchange: Exchange, started: Started): Promise<Body | null> {
  const task = await awaited(exchange, started.task);
  if (task.status !== 'success') return accepted(exchange, started.vdc, task);
  void exchange.reply.status(204);
  return null;
}

function accepted(exchange: Exchange, vdc: Vdc, task: ShownTask): Body {
  void exchange.reply.status(202).header('location', taskHref(task, baseOf(exchange)));
  return bodyOf(exchange, vdc, task);
}

function bodyOf(exchange: Exchange, vdc: Vdc, task: ShownTask): Body {
  return { ...adminVdcBody(vdc), task: taskBody(task, baseOf(exchange)) };
}

/** Where somebody has deleted it meanwhile, as it was. */
async function asItIsNow({ context }: Exchange, vdc: Vdc): Promise<Vdc> {
  return (await getVdc(context.database.db, 'all', vdc.id)) ?? vdc;
}

function baseOf({ request, context }: Exchange): string {
  return baseUrl(request, context.settings);
}

/** The task when it has ended or the time is up, or as it is where the caller would not wait. Throws what the task ended in, where that is not success. */
async function awaited({ request, reply, context }: Exchange, task: ShownTask): Promise<ShownTask> {
  const seconds = waitSeconds(request);
  if (seconds === undefined) return task;
  const { scope } = callerOf(request);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  reply.raw.once('close', leave);
  try {
    const last = await context.tasks.wait(context.database.db, scope, task.id, seconds * 1000, gone.signal);
    void reply.header('preference-applied', 'wait');
    if (isEnded(last.status) && last.status !== 'success') throw errorOf(last);
    return last;
  } finally {
    reply.raw.off('close', leave);
  }
}

/** A refusal by the cluster is the caller's to mend, so it is none of the server's errors. */
function errorOf({ status, error }: ShownTask): ApiError {
  if (status !== 'error') return conflict(`What was asked for was not finished: its task was ${status}.`);
  const { minorErrorCode, message } = error ?? {};
  const code =
    typeof minorErrorCode === 'string' && minorErrorCode in errorCodes ? (minorErrorCode as ErrorCode) : 'CONFLICT';
  const text =
    typeof message === 'string' && message !== '' ? message : 'The task failed; the log of the server says why.';
  return new ApiError(errorCodes[code] < 500 ? code : 'CONFLICT', text);
}
