/** Tasks are made by those who ask for something, and ended by those who do it; here they are shown, and given up. */
import type { Kysely, Transaction } from 'kysely';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import { requestReconciliation } from '../../db/reconciliations.ts';
import type { Tables, TaskId, VdcId } from '../../db/schema.ts';
import { advanceTask, getTask, isEnded, listTasks, showTasks, type ShownTask } from '../../db/tasks.ts';
import { inTransaction } from '../../db/transaction.ts';
import { askForVdcRemoval } from '../../db/vdc-removal-request.ts';
import { lockVdc, type Vdc } from '../../db/vdcs.ts';
import { recordAudit } from '../audit/record.ts';
import { hasRole, type Caller } from '../caller.ts';
import { conflict, found, noAccess, type ApiError } from '../errors.ts';

export async function tasksPage(
  db: Kysely<Tables>,
  { scope }: Caller,
  asked: ListRequest,
): Promise<ListPage<ShownTask>> {
  const { rows, total } = await listTasks(db, scope, asked);
  return { rows: await showTasks(db, rows), total };
}

export async function task(db: Kysely<Tables>, { scope }: Caller, id: TaskId): Promise<ShownTask> {
  return found(await getTask(db, scope, id));
}

/**
 * Only the creation of a virtual data center that is not there yet can be given up: what has been made of it is removed again, so nothing is orphaned.
 * Whatever else is under way ends by itself.
 */
export function cancelTask(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<ShownTask> {
  return inTransaction(db, async (tx) => {
    const asked = found(await getTask(tx, caller.scope, id));
    const isAdministrator = hasRole(caller, 'System Administrator', 'Organization Administrator');
    if (!isAdministrator && asked.user_id !== caller.userId) throw noAccess();
    if (isEnded(asked.status)) throw hasEnded(asked);
    const vdc = await lockUnfinishedVdc(tx, asked);
    await askForVdcRemoval(tx, vdc.id);
    await requestReconciliation(tx, 'vdc', vdc.id, vdc.cluster);
    // Last, as those do who finish tasks. Where one has just done so, all of this is undone.
    if ((await advanceTask(tx, id, { status: 'canceled' })) === undefined)
      throw hasEnded(found(await getTask(tx, caller.scope, id)));
    await recordAudit(tx, caller, {
      action: 'tasks.cancel',
      entity: { kind: 'task', id, name: asked.operation },
      organizationId: asked.organization_id,
      details: { vdc: vdc.name },
    });
    return found(await getTask(tx, caller.scope, id));
  });
}

/** The row of the VDC before that of the task, as everybody locks them who changes a VDC. */
async function lockUnfinishedVdc(tx: Transaction<Tables>, asked: ShownTask): Promise<Vdc> {
  if (asked.operation !== 'vdcCreate' || asked.owner_kind !== 'vdc')
    throw conflict(`${asked.operation} cannot be canceled, only vdcCreate can; it ends by itself, so wait for it.`);
  const vdc = await lockVdc(tx, 'all', asked.owner_id as VdcId);
  if (vdc === undefined || vdc.desired_state === 'absent')
    throw conflict(`The virtual data center ${asked.owner_name} is being removed already; wait for the task to end.`);
  if (vdc.ready)
    throw conflict(
      `The virtual data center ${vdc.name} is there already, so its creation cannot be canceled; delete it instead.`,
    );
  return vdc;
}

function hasEnded({ status }: ShownTask): ApiError {
  return conflict(`The task has ended (${status}), so it cannot be canceled.`);
}
