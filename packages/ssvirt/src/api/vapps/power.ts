/** Power operations on a vApp: each is applied to those of its VMs that permit it now. */
import type { Kysely, Transaction } from 'kysely';
import type { Tables, VappId } from '../../db/schema/schema.ts';
import { openTask, type ShownTask } from '../../db/tasks/tasks.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { lockMachines, lockVapp, setDesiredPower, startVappPower, type VappVm } from '../../db/vapps/vapp-requests.ts';
import { getVapp, type Vapp } from '../../db/vapps/vapps.ts';
import {
  powerDecision,
  powerOperations,
  type PowerDecision,
  type PowerDecisions,
  type PowerOperation,
} from '../../kubevirt/power/table.ts';
import { recordAudit } from '../audit/record.ts';
import type { Caller } from '../caller.ts';
import { requireAvailable } from '../clusters/available.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { conflict, found } from '../errors.ts';
import { isMomentary, powerTask, powerTasks, powerWanted, vappPowerTask, vappPowerTasks } from '../vms/power-tasks.ts';
import { deployments, requireVmQuotas } from '../vms/user-quotas.ts';
import type { StartedVapp } from './answer.ts';
import { requireLiving, vdcOf } from './living.ts';

/** `powerVapp` returns the newest request wins: tasks of older ones are aborted. */
export function powerVapp(
  db: Kysely<Tables>,
  caller: Caller,
  id: VappId,
  { operation, clusters }: { readonly operation: PowerOperation; readonly clusters: ClusterDirectory },
): Promise<StartedVapp> {
  return inTransaction(db, async (tx) => {
    const vapp = found(await lockVapp(tx, caller.scope, id));
    // In a disabled virtual data center, running VMs may keep running and may be stopped.
    requireLiving(vapp, await vdcOf(tx, vapp), { enabled: operation === 'powerOn' });
    const what = `the power state of the vApp "${vapp.name}" cannot be changed`;
    requireAvailable(caller, clusters, vapp.cluster, what);
    const open = await openTask(tx, id, vappPowerTasks);
    if (open?.operation === vappPowerTask(operation) && !isMomentary(operation)) return { vapp, task: open };
    const chosen = await choose(tx, vapp, operation);
    const desired = powerWanted(operation);
    if (desired === 'on')
      await requireVmQuotas(
        tx,
        await deployments(
          tx,
          chosen.able.map((vm) => vm.id),
        ),
      );
    if (desired !== undefined) await setDesiredPower(tx, chosen.able, desired);
    const task = await start(tx, caller, vapp, { operation, ...chosen });
    return { vapp: found(await getVapp(tx, 'all', id)), task };
  });
}

interface Chosen {
  /** The VMs to change. */
  readonly able: readonly VappVm[];
  /** Why the other VMs cannot. */
  readonly skipped: readonly string[];
}

/** For each operation whether `powerVapp` finds a VM that permits it, and if not, the reason. */
export function vappOperations({ name }: Pick<Vapp, 'name'>, vms: readonly VappVm[]): PowerDecisions {
  const decide = (operation: PowerOperation): PowerDecision => {
    const { able, skipped } = chosenOf(vms, operation);
    return able.length > 0 ? { allowed: true } : { allowed: false, reason: noVm(name, skipped) };
  };
  return Object.fromEntries(powerOperations.map((operation) => [operation, decide(operation)])) as PowerDecisions;
}

function chosenOf(machines: readonly VappVm[], operation: PowerOperation): Chosen {
  const able: VappVm[] = [];
  const skipped: string[] = [];
  for (const machine of machines) {
    const decision = powerDecision(operation, machine.status, machine.stale);
    if (decision.allowed) able.push(machine);
    else skipped.push(`"${machine.name}": ${decision.reason}`);
  }
  return { able, skipped };
}

function noVm(name: string, skipped: readonly string[]): string {
  return skipped.length === 0
    ? `The vApp "${name}" has no VMs; add one first.`
    : `No VM in the vApp "${name}" permits this now. ${skipped.slice(0, 5).join(' ')}`;
}

/** Throws if no VM permits it. */
async function choose(tx: Transaction<Tables>, { id, name }: Vapp, operation: PowerOperation): Promise<Chosen> {
  const chosen = chosenOf(await lockMachines(tx, id), operation);
  if (chosen.able.length === 0) throw conflict(noVm(name, chosen.skipped));
  return chosen;
}

async function start(
  tx: Transaction<Tables>,
  caller: Caller,
  vapp: Vapp,
  { operation, able, skipped }: Chosen & { readonly operation: PowerOperation },
): Promise<ShownTask> {
  const task = await startVappPower(tx, vapp, able, {
    operation: vappPowerTask(operation),
    onMachine: powerTask(operation),
    supersedes: [...vappPowerTasks, ...powerTasks],
    user_id: caller.userId,
    ...(skipped.length === 0 ? {} : { details: { skipped: skipped.slice(0, 20) } }),
  });
  await recordAudit(tx, caller, {
    action: `vapps.${operation}`,
    entity: { kind: 'vapp', id: vapp.id, name: vapp.name },
    organizationId: vapp.organization_id,
    details: { machines: able.length },
  });
  return task;
}
