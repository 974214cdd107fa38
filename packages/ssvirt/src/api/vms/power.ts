/**
 * Power operations on a VM. One table (kubevirt/power) says which operation each state permits; here it is applied to the
 * shown state.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Tables, VmId } from '../../db/schema/schema.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { getVdc } from '../../db/vdcs/vdcs.ts';
import { lockVm, startVmTask } from '../../db/vms/vm-requests.ts';
import { openTask } from '../../db/tasks/tasks.ts';
import { getVm, updateVm, type Vm } from '../../db/vms/vms.ts';
import { powerDecision, type PowerOperation } from '../../kubevirt/power/table.ts';
import type { Caller } from '../caller.ts';
import { requireAvailable } from '../clusters/available.ts';
import { conflict, found } from '../errors.ts';
import { requireEnabled, requireStaying } from '../vdcs/allocation.ts';
import type { StartedVm } from './create.ts';
import { isMomentary, powerTask, powerTasks, powerWanted } from './power-tasks.ts';
import { deployments, requireVmQuotas } from './user-quotas.ts';
import { audited, livingVm, type VmServiceContext } from './service.ts';

/**
 * The newest request wins: tasks of older ones are aborted. A VM that shows the state already gets a task, too: the row
 * may be older than what happened to the VM since, and the task ends when the cluster confirms the state.
 */
export function powerMachine(
  db: Kysely<Tables>,
  caller: Caller,
  id: VmId,
  { operation, around }: { readonly operation: PowerOperation; readonly around: Pick<VmServiceContext, 'clusters'> },
): Promise<StartedVm> {
  return inTransaction(db, async (tx) => {
    const vm = (await lockVm(tx, caller.scope, id)) ?? (await livingVm(tx, caller, id));
    await requirePossible(tx, caller, vm, { operation, around });
    const open = await openTask(tx, id, powerTasks);
    if (open?.operation === powerTask(operation) && !isMomentary(operation)) return { vm, task: open };
    const decision = powerDecision(operation, vm.status, vm.stale);
    if (!decision.allowed) throw conflict(decision.reason);
    const desired_power = powerWanted(operation);
    if (desired_power === 'on') await requireVmQuotas(tx, await deployments(tx, [id]));
    if (desired_power !== undefined && vm.desired_power !== desired_power) await updateVm(tx, id, { desired_power });
    const started = { operation: powerTask(operation), user_id: caller.userId };
    const task = await startVmTask(tx, vm, started, { operations: powerTasks, by: operation });
    await audited(tx, caller, vm, `vms.${operation}`);
    return { vm: found(await getVm(tx, 'all', id)), task };
  });
}

async function requirePossible(
  tx: Transaction<Tables>,
  caller: Caller,
  vm: Vm,
  { operation, around }: { readonly operation: PowerOperation; readonly around: Pick<VmServiceContext, 'clusters'> },
): Promise<void> {
  const vdc = found(await getVdc(tx, 'all', vm.vdc_id));
  if (operation === 'powerOn') requireEnabled(vdc);
  else requireStaying(vdc);
  const what = `the power state of the VM "${vm.name}" cannot be changed`;
  requireAvailable(caller, around.clusters, vm.cluster, what);
}
