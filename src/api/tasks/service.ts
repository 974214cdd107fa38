/** Tasks are made by those who ask for something, and ended by those who do it; here they are shown, and given up. */
import type { Kysely, Transaction } from 'kysely';
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import { requestReconciliation } from '../../db/reconciliations.ts';
import type { Tables, TaskId, VdcId } from '../../db/schema.ts';
import { advanceTask, getTask, isEnded, listTasks, showTasks, type ShownTask } from '../../db/tasks.ts';
import { inTransaction } from '../../db/transaction.ts';
import { getUser } from '../../db/users.ts';
import { askForVdcRemoval } from '../../db/vdc-removal-request.ts';
import { lockVdc, type Vdc } from '../../db/vdcs.ts';
import { recordAudit } from '../audit/record.ts';
import { hasRole, isSystemAdministrator, type Caller } from '../caller.ts';
import { ApiError, conflict, found, noAccess } from '../errors.ts';

export async function tasksPage(db: Kysely<Tables>, caller: Caller, asked: ListRequest): Promise<ListPage<ShownTask>> {
  const { rows, total } = await listTasks(db, caller.scope, asked);
  return { rows: (await showTasks(db, rows)).map((one) => asToldTo(caller, one)), total };
}

export async function task(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<ShownTask> {
  return asToldTo(caller, found(await getTask(db, caller.scope, id)));
}

/** What a cluster has said of a virtual data center is for the provider, who alone knows of clusters; the VDC tells its tenants no more. */
function asToldTo(caller: Caller, shown: ShownTask): ShownTask {
  if (isSystemAdministrator(caller) || shown.owner_kind !== 'vdc') return shown;
  return {
    ...shown,
    waits_for: shown.waits_for === '' ? '' : 'It waits for its cluster; ask the provider where that takes long.',
    error: shown.error === null ? null : { ...shown.error, message: 'It could not be done; ask the provider.' },
  };
}

/**
 * Only the creation of a virtual data center that is not there yet can be given up: what has been made of it is removed again, so nothing is orphaned.
 * Whatever else is under way ends by itself.
 */
export function cancelTask(db: Kysely<Tables>, caller: Caller, id: TaskId): Promise<ShownTask> {
  return inTransaction(db, async (tx) => {
    const asked = found(await getTask(tx, caller.scope, id));
    await requireMayCancel(tx, caller, asked);
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
    return asToldTo(caller, found(await getTask(tx, caller.scope, id)));
  });
}

/** Administrators what somebody of their organisation has asked for, others what they have. Who gives up what the provider makes would remove it. */
async function requireMayCancel(tx: Transaction<Tables>, caller: Caller, { user_id }: ShownTask): Promise<void> {
  if (isSystemAdministrator(caller) || user_id === caller.userId) return;
  if (!hasRole(caller, 'Organization Administrator')) throw noAccess();
  if (user_id === null || (await getUser(tx, caller.organizationId, user_id)) === undefined)
    throw new ApiError(
      'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
      'Nobody of your organization has asked for this, so only a system administrator may cancel it.',
    );
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
