/**
 * Works on the tasks of an existing VM, one after the other. A task that waits for a state does not block later ones.
 */
import { restoreObserved, endVmTasks, type VmTaskEnd } from '../../../db/vms/vm-applied.ts';
import { finishClaim } from '../../../db/work-queue/reconciliations.ts';
import type { OpenVmTask } from '../../../db/vms/vm-work.ts';
import type { Unstructured } from '@ssvirt/kube/object';
import { idsOf, type Result } from '../engine/context.ts';
import { refusalOf } from '../engine/failures.ts';
import { madeOf, ownMachine, waitOn, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { addDisk, removeDisk } from './disks.ts';
import { operationOf, power } from './power.ts';
import { update } from './update.ts';

export async function doTasks(attempt: VmAttempt): Promise<Result> {
  const { db, claim } = attempt;
  let live = ownMachine(attempt);
  if (live === undefined) return endAll(attempt, 'the machine was deleted in its cluster');
  if (live.metadata.deletionTimestamp !== undefined)
    return endAll(attempt, 'the machine is being deleted in its cluster');
  const waiting: (TaskOutcome & { readonly kind: 'waiting' })[] = [];
  for (const task of attempt.work.tasks) {
    const outcome = await tryTask(attempt, live, task);
    live = outcome.live;
    if (outcome.kind === 'waiting') waiting.push(outcome);
    else await end(attempt, task, outcome);
  }
  const [first] = waiting;
  if (first !== undefined) return waitOn(attempt, first.message, Math.min(...waiting.map(({ sinceMs }) => sinceMs)));
  await finishClaim(db, claim);
  return 'done';
}

/** A refusal by the cluster fails only the task that caused it. */
async function tryTask(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  try {
    return await work(attempt, live, task);
  } catch (error) {
    const refused = refusalOf(error, attempt.claim.cluster);
    if (refused === undefined) throw error;
    attempt.log.warn({ err: refused.cause ?? refused, task: task.id }, 'cluster refused a VM operation');
    return { kind: 'failed', live, failure: refused.failure };
  }
}

function work(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  const operation = operationOf(task);
  if (operation !== undefined) return power(attempt, live, task, operation);
  switch (task.operation) {
    case 'vmCreate':
      return Promise.resolve({ kind: 'done', live });
    case 'vmUpdate':
      return update(attempt, live, task);
    case 'vmDiskAdd':
      return addDisk(attempt, live, task);
    case 'vmDiskRemove':
      return removeDisk(attempt, live, task);
    default:
      return Promise.resolve({
        kind: 'failed',
        live,
        failure: {
          minorErrorCode: 'INTERNAL_SERVER_ERROR',
          message: `unknown operation "${task.operation}" for a machine`,
        },
      });
  }
}

async function end(
  { db, claim, work: { vapp } }: VmAttempt,
  task: OpenVmTask,
  outcome: Exclude<TaskOutcome, { kind: 'waiting' }>,
): Promise<void> {
  const ended: VmTaskEnd = { vapp: vapp.id, tasks: [task.id], made: madeOf(outcome.live) };
  if (outcome.kind === 'done') return endVmTasks(db, claim, ended);
  const { failure, dropped } = outcome;
  const failed = { ...ended, failure };
  return dropped === undefined ? endVmTasks(db, claim, failed) : restoreObserved(db, claim, dropped, failed);
}

/** A VM that is gone is not created again, because the data of its disks is gone, too. */
async function endAll(attempt: VmAttempt, message: string): Promise<Result> {
  const { db, claim, work: vmWork } = attempt;
  const failure = { minorErrorCode: 'CONFLICT', message };
  await endVmTasks(db, claim, { vapp: vmWork.vapp.id, tasks: idsOf(vmWork.tasks), failure });
  await finishClaim(db, claim);
  return 'gone';
}
