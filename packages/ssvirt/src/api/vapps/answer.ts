/** A vApp that its cluster has to follow, and the task for that. */
import type { ShownTask } from '../../db/tasks/tasks.ts';
import { getVapp, type Vapp } from '../../db/vapps/vapps.ts';
import { callerOf } from '../http/app-types.ts';
import { accept, awaited, baseOf, TaskFailedError, type Exchange } from '../tasks/answer.ts';
import { taskBody } from '../tasks/render.ts';
import { redactedFor } from '../tasks/redaction.ts';
import { vappBody, vappHref } from './render.ts';
import type { ChangedVappShape } from './schemas.ts';

/** The request is recorded in rows, and the task applies it to the cluster. */
export interface StartedVapp {
  readonly vapp: Vapp;
  readonly task: ShownTask;
}

/** 201 if it is created within the time that the caller waits, or if there is nothing to do; otherwise 202. */
export async function answerCreated(
  exchange: Exchange,
  { vapp, task }: Pick<StartedVapp, 'vapp'> & Partial<StartedVapp>,
): Promise<ChangedVappShape> {
  const last = task === undefined ? undefined : await awaited(exchange, task);
  if (last !== undefined && last.status !== 'success') return accepted(exchange, vapp, last);
  void exchange.reply.status(201).header('location', vappHref(vapp, baseOf(exchange)));
  return bodyOf(exchange, await asItIsNow(exchange, vapp), last);
}

/**
 * The same for an answer that must not be lost, since it has what no later answer has. Only the failure of the task is an
 * error; if its state or the vApp cannot be read, the answer is 202.
 */
export async function answerCreatedOnce(exchange: Exchange, started: StartedVapp): Promise<ChangedVappShape> {
  try {
    return await answerCreated(exchange, started);
  } catch (error) {
    if (error instanceof TaskFailedError) throw error;
    exchange.request.log.warn({ err: error }, 'cannot wait for task, answering 202');
    return accepted(exchange, started.vapp, started.task);
  }
}

/** 200 if nothing had to be done or everything is done; otherwise 202. */
export async function answerChanged(
  exchange: Exchange,
  { vapp, task }: Pick<StartedVapp, 'vapp'> & Partial<StartedVapp>,
): Promise<ChangedVappShape> {
  if (task === undefined) return bodyOf(exchange, vapp);
  const last = await awaited(exchange, task);
  return last.status === 'success'
    ? bodyOf(exchange, await asItIsNow(exchange, vapp), last)
    : accepted(exchange, vapp, last);
}

export async function answerDeleted(exchange: Exchange, { vapp, task }: StartedVapp): Promise<ChangedVappShape | null> {
  const last = await awaited(exchange, task);
  if (last.status !== 'success') return accepted(exchange, vapp, last);
  void exchange.reply.status(204);
  return null;
}

function accepted(exchange: Exchange, vapp: Vapp, task: ShownTask): ChangedVappShape {
  accept(exchange, task);
  return bodyOf(exchange, vapp, task);
}

/** Built from rows that were already read: a busy database must not turn a recorded request into an error. */
function bodyOf(exchange: Exchange, vapp: Vapp, task?: ShownTask): ChangedVappShape {
  const base = baseOf(exchange);
  const caller = callerOf(exchange.request);
  const body = vappBody(vapp, caller, base);
  return task === undefined ? body : { ...body, task: taskBody(redactedFor(caller, task), base) };
}

/** If it was deleted in the meantime, the last known row. */
async function asItIsNow({ context }: Exchange, vapp: Vapp): Promise<Vapp> {
  return (await getVapp(context.database.db, 'all', vapp.id)) ?? vapp;
}
