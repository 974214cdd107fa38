/** A virtual data center that a cluster has to follow, and the task for that. */
import type { Static } from 'typebox';
import type { ShownTask } from '../../db/tasks/tasks.ts';
import { getVdc, type Vdc } from '../../db/vdcs/vdcs.ts';
import { callerOf } from '../http/app-types.ts';
import { accept, awaited, baseOf, type Exchange } from '../tasks/answer.ts';
import { taskBody } from '../tasks/render.ts';
import { urnOf } from '../urn.ts';
import { adminVdcBody } from './render.ts';
import type { ChangedVdc } from './schemas.ts';
import type { Started } from './service.ts';

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
  if (changed.task === undefined) return adminVdcBody(changed.vdc, callerOf(exchange.request));
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
  accept(exchange, task);
  return bodyOf(exchange, vdc, task);
}

function bodyOf(exchange: Exchange, vdc: Vdc, task: ShownTask): Body {
  return { ...adminVdcBody(vdc, callerOf(exchange.request)), task: taskBody(task, baseOf(exchange)) };
}

/** If it was deleted in the meantime, the last known row. */
async function asItIsNow({ context }: Exchange, vdc: Vdc): Promise<Vdc> {
  return (await getVdc(context.database.db, 'all', vdc.id)) ?? vdc;
}
