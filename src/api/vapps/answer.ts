/** A vApp that its cluster has to follow, and the task that it does so by. */
import type { ShownTask } from '../../db/tasks.ts';
import { getVapp, type Vapp } from '../../db/vapps.ts';
import { callerOf } from '../http/app-types.ts';
import { accept, awaited, baseOf, type Exchange } from '../tasks/answer.ts';
import { taskBody } from '../tasks/render.ts';
import { asToldTo } from '../tasks/told.ts';
import { vappBody, vappHref } from './render.ts';
import type { ChangedVappShape } from './schemas.ts';

/** What was asked for is in the rows, and a task brings it to the cluster. */
export interface StartedVapp {
  readonly vapp: Vapp;
  readonly task: ShownTask;
}

/** 201 when it is made within the time that the caller would wait, or where nothing has to be done for it; 202 else. */
export async function answerCreated(
  exchange: Exchange,
  { vapp, task }: Pick<StartedVapp, 'vapp'> & Partial<StartedVapp>,
): Promise<ChangedVappShape> {
  const last = task === undefined ? undefined : await awaited(exchange, task);
  if (last !== undefined && last.status !== 'success') return accepted(exchange, vapp, last);
  void exchange.reply.status(201).header('location', vappHref(vapp, baseOf(exchange)));
  return bodyOf(exchange, await asItIsNow(exchange, vapp), last);
}

/** 200 where nothing had to be done, or all of it is; 202 else. */
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

/** Out of what was read with the rows: a database that is busy must not make an error of what is written down already. */
function bodyOf(exchange: Exchange, vapp: Vapp, task?: ShownTask): ChangedVappShape {
  const base = baseOf(exchange);
  const caller = callerOf(exchange.request);
  const body = vappBody(vapp, caller, base);
  return task === undefined ? body : { ...body, task: taskBody(asToldTo(caller, task), base) };
}

/** Where somebody has deleted it meanwhile, as it was. */
async function asItIsNow({ context }: Exchange, vapp: Vapp): Promise<Vapp> {
  return (await getVapp(context.database.db, 'all', vapp.id)) ?? vapp;
}
