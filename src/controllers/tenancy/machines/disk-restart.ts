/** Starts a machine that waited for a disk once more, without the disk. */
import { noteInTask } from '../../../db/claimed-tasks.ts';
import type { VmTask } from '../../../db/vm-work.ts';
import type { Unstructured } from '../../../kube/object.ts';
import { vmFacts } from '../../../virt/facts/vm.ts';
import { precondition, strategyOf, strategyPatch } from '../../../virt/machine/live.ts';
import { powerPlan } from '../../../virt/power/plan.ts';
import { reportTask, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { patchMachine } from './machine-hand.ts';
import { call } from './power.ts';

/** In the details of the task: the run strategy that the machine goes back to. */
const restartKey = 'restartAs';

/** Before the disk is taken out: afterwards nobody sees that the machine waited for it. */
export async function noteRestart({ db, claim }: VmAttempt, live: Unstructured, task: VmTask): Promise<void> {
  await noteInTask(db, claim, task.id, { [restartKey]: strategyOf(live) });
}

/** Its instance has no pod yet, and KubeVirt changes the disks of instances that run only: one that was made with the disk waits for it for ever. */
export function waitsForItsDisks(live: Unstructured): boolean {
  const { created, printableStatus = '' } = vmFacts(live);
  return created === true && beforeItsPod.has(printableStatus);
}

const beforeItsPod = new Set(['ErrorPvcNotFound', 'ErrorUnschedulable', 'WaitingForVolumeBinding']);

/** The guest has never run, so nothing is lost. Who has powered it off meanwhile keeps it off. */
export async function restartWithoutDisk(attempt: VmAttempt, live: Unstructured, task: VmTask): Promise<TaskOutcome> {
  const strategy = task.details[restartKey];
  const isWanted = attempt.work.vm.desired_power !== 'off' && strategy !== 'Halted';
  if (typeof strategy !== 'string' || !isWanted) return { kind: 'done', live };
  const isHalted = strategyOf(live) === 'Halted';
  const hasInstance = vmFacts(live).created === true;
  if (!isHalted && !waitsForItsDisks(live)) return { kind: 'done', live };
  if (!hasInstance)
    return {
      kind: 'done',
      live: await patchMachine(attempt, live, { metadata: precondition(live), spec: strategyPatch(live, strategy) }),
    };
  const message = 'waits until the machine is started without the disk';
  await reportTask(attempt, task, 'starting the machine without the disk', 80);
  const plan = powerPlan('powerOff', live);
  let now = live;
  for (const step of plan.kind === 'act' ? plan.steps : []) {
    if (step.kind === 'patch') now = await patchMachine(attempt, now, step.patch);
    else await call(attempt, step);
  }
  return { kind: 'waiting', live: now, message, sinceMs: task.sinceMs };
}
