/** A VM that its cluster has to follow, and the task for that. */
import type { ShownTask } from '../../db/tasks/tasks.ts';
import { getVm, type Vm } from '../../db/vms/vms.ts';
import { callerOf } from '../http/app-types.ts';
import { accept, awaited, baseOf, type Exchange } from '../tasks/answer.ts';
import { taskBody } from '../tasks/render.ts';
import { redactedFor } from '../tasks/redaction.ts';
import type { StartedVm } from './create.ts';
import { vmBody } from './render.ts';
import type { ChangedVmShape, VmBodyShape } from './schemas.ts';

/** 201 if it is created within the time that the caller waits, otherwise 202. */
export async function answerCreated(exchange: Exchange, { vm, task }: StartedVm): Promise<ChangedVmShape> {
  const last = await awaited(exchange, task);
  if (last.status !== 'success') return accepted(exchange, vm, last);
  const now = await asItIsNow(exchange, vm);
  void exchange.reply.status(201).header('location', bodyOf(exchange, now).href);
  return withTask(exchange, now, last);
}

/** 200 if nothing had to be done or everything is done, otherwise 202. */
export async function answerChanged(
  exchange: Exchange,
  { vm, task }: Pick<StartedVm, 'vm'> & Partial<StartedVm>,
): Promise<ChangedVmShape> {
  if (task === undefined) return bodyOf(exchange, vm);
  const last = await awaited(exchange, task);
  return last.status === 'success'
    ? withTask(exchange, await asItIsNow(exchange, vm), last)
    : accepted(exchange, vm, last);
}

export async function answerDeleted(exchange: Exchange, { vm, task }: StartedVm): Promise<ChangedVmShape | null> {
  const last = await awaited(exchange, task);
  if (last.status !== 'success') return accepted(exchange, vm, last);
  void exchange.reply.status(204);
  return null;
}

function accepted(exchange: Exchange, vm: Vm, task: ShownTask): ChangedVmShape {
  accept(exchange, task);
  return withTask(exchange, vm, task);
}

function withTask(exchange: Exchange, vm: Vm, task: ShownTask): ChangedVmShape {
  const redacted = redactedFor(callerOf(exchange.request), task);
  return { ...bodyOf(exchange, vm), task: taskBody(redacted, baseOf(exchange)) };
}

function bodyOf(exchange: Exchange, vm: Vm): VmBodyShape {
  return vmBody(vm, callerOf(exchange.request), baseOf(exchange));
}

/** If it was deleted in the meantime, the last known row. */
async function asItIsNow({ context }: Exchange, vm: Vm): Promise<Vm> {
  return (await getVm(context.database.db, 'all', vm.id)) ?? vm;
}
