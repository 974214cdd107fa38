/** Restarts a VM that was waiting for a disk, without that disk. */
import { noteInTask } from '../../../db/work-queue/claimed-tasks.ts';
import type { OpenVmTask } from '../../../db/vms/vm-work.ts';
import type { Unstructured } from '@ssvirt/kube/object';
import { vmFacts } from '../../../kubevirt/facts/vm.ts';
import { precondition, strategyOf, strategyPatch } from '../../../kubevirt/tenant-vm/live.ts';
import { powerPlan } from '../../../kubevirt/power/plan.ts';
import { reportTask, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { patchVm } from './vm-client.ts';
import { call } from './power.ts';

/** The key in the details of the task: the run strategy to return to. */
const restartKey = 'restartAs';

/** Call it before the disk is removed. Afterwards it cannot be seen that the VM was waiting for it. */
export async function noteRestart({ db, claim }: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<void> {
  await noteInTask(db, claim, task.id, { [restartKey]: strategyOf(live) });
}

/**
 * Whether the VM waits for its disks: its instance has no pod yet. KubeVirt changes disks only of running instances, so
 * an instance that was created with the disk would wait for it for ever.
 */
export function waitsForItsDisks(live: Unstructured): boolean {
  const { created, printableStatus = '' } = vmFacts(live);
  return created === true && beforeItsPod.has(printableStatus);
}

const beforeItsPod = new Set(['ErrorPvcNotFound', 'ErrorUnschedulable', 'WaitingForVolumeBinding']);

/** The guest has never run, so nothing is lost. A VM that a user has powered off meanwhile stays off. */
export async function restartWithoutDisk(
  attempt: VmAttempt,
  live: Unstructured,
  task: OpenVmTask,
): Promise<TaskOutcome> {
  const strategy = task.details[restartKey];
  const isWanted = attempt.work.vm.desired_power !== 'off' && strategy !== 'Halted';
  if (typeof strategy !== 'string' || !isWanted) return { kind: 'done', live };
  const isHalted = strategyOf(live) === 'Halted';
  const hasInstance = vmFacts(live).created === true;
  if (!isHalted && !waitsForItsDisks(live)) return { kind: 'done', live };
  if (!hasInstance)
    return {
      kind: 'done',
      live: await patchVm(attempt, live, { metadata: precondition(live), spec: strategyPatch(live, strategy) }),
    };
  const message = 'waits until the machine is started without the disk';
  await reportTask(attempt, task, 'starting the machine without the disk', 80);
  const plan = powerPlan('powerOff', live);
  let now = live;
  for (const step of plan.kind === 'act' ? plan.steps : []) {
    if (step.kind === 'patch') now = await patchVm(attempt, now, step.patch);
    else await call(attempt, step);
  }
  return { kind: 'waiting', live: now, message, sinceMs: task.sinceMs };
}
