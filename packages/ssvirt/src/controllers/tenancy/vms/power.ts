/** Drives a VM from the state that the cluster reports to the state that a power operation requests. */
import { noteInTask, reportTasks } from '../../../db/work-queue/claimed-tasks.ts';
import { stalenessText } from '../../../db/clusters/staleness.ts';
import type { VmSeen, OpenVmTask } from '../../../db/vms/vm-work.ts';
import { KubeError, isConflict, isKind, isNotFound, isRefusal } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { powerPlan, sentOnce, type PowerPlan, type SubresourceStep } from '../../../kubevirt/power/plan.ts';
import { powerOperations, type PowerOperation } from '../../../kubevirt/power/table.ts';
import { Refused, refusalText } from '../engine/failures.ts';
import { reportTask, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { patchVm, put, wordsOf } from './vm-client.ts';

const operations: ReadonlyMap<string, PowerOperation> = new Map(
  powerOperations.map((one) => [`vm${one[0]?.toUpperCase()}${one.slice(1)}`, one]),
);

export function operationOf({ operation }: OpenVmTask): PowerOperation | undefined {
  return operations.get(operation);
}

export async function power(
  attempt: VmAttempt,
  live: Unstructured,
  task: OpenVmTask,
  operation: PowerOperation,
): Promise<TaskOutcome> {
  // The cluster has executed the operation, and the VM may already be changing to another state.
  if (task.details['answered'] === true) return reported(attempt, live, task);
  const plan = powerPlan(operation, live);
  switch (plan.kind) {
    case 'reached':
      return confirm(attempt, live, task, operation);
    case 'refused':
      return failed(live, plan.reason);
    case 'act':
      return sentOnce.has(operation) ? send(attempt, live, task, plan) : drive(attempt, live, task, operation, plan);
  }
}

const waitingToBeSeen = 'waiting for its status';

/**
 * The cluster reports the requested state; the shown status follows. Observations from before the request prove
 * nothing. If the status is not shown although the cluster was contacted since, the cluster's answer is enough after
 * `confirmMs`. Without contact the task keeps waiting.
 */
async function confirm(
  attempt: VmAttempt,
  live: Unstructured,
  task: OpenVmTask,
  operation: PowerOperation,
): Promise<TaskOutcome> {
  const { observed } = attempt.work;
  const isShown = observed !== undefined && isOf(observed, live) && observed.status === goals[operation];
  const sinceMs = sinceReached(task);
  const isLate = task.heard && sinceMs >= attempt.settings.confirmMs;
  if ((isShown && (task.seen || task.heard)) || isLate) return { kind: 'done', live };
  return waitToBeSeen(attempt, live, task);
}

/**
 * For operations whose effect is not visible afterwards: done when the cluster has executed it and was contacted since.
 */
async function reported(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  return task.heard ? { kind: 'done', live } : waitToBeSeen(attempt, live, task);
}

async function waitToBeSeen(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  const { db, claim, work, cluster } = attempt;
  // The database clock was set back. The step counts from now on, and later contacts are newer than it.
  if (task.sinceMs < 0) await reportTasks(db, claim, [task.id], { step: waitingToBeSeen, progress: 90 });
  else await reportTask(attempt, task, waitingToBeSeen, 90);
  const why =
    work.staleness === null
      ? ''
      : `, which is not known now: ${stalenessText(work.staleness, `cluster "${cluster.name}"`)}`;
  return { kind: 'waiting', live, message: `waits for its status${why}`, sinceMs: sinceReached(task) };
}

function sinceReached({ step, sinceMs }: OpenVmTask): number {
  return step === waitingToBeSeen ? Math.max(0, sinceMs) : 0;
}

const goals: Partial<Readonly<Record<PowerOperation, VmSeen['status']>>> = {
  powerOn: 'POWERED_ON',
  resume: 'POWERED_ON',
  powerOff: 'POWERED_OFF',
  shutdown: 'POWERED_OFF',
  suspend: 'SUSPENDED',
};

type Acting = PowerPlan & { readonly kind: 'act' };

/** Consecutive failed attempts: more than races explain, and reached within seconds. */
const manyFailures = 4;

async function drive(
  attempt: VmAttempt,
  live: Unstructured,
  task: OpenVmTask,
  operation: PowerOperation,
  plan: Acting,
): Promise<TaskOutcome> {
  const { db, claim } = attempt;
  const step = `waiting for ${plan.waitsFor}`;
  // The time while the cluster was unreachable does not count against the VM, so the step starts again.
  const wasAway = claim.failures > manyFailures;
  const sinceMs = task.step === step && !wasAway ? task.sinceMs : 0;
  const failure = whyNot(attempt, live, task, operation, plan, sinceMs);
  if (failure !== undefined) return failed(live, failure);
  if (wasAway) await reportTasks(db, claim, [task.id], { step, progress: 40 });
  else await reportTask(attempt, task, step, 40);
  let now = live;
  for (const one of plan.steps) {
    if (one.kind === 'patch') now = await patchVm(attempt, now, one.patch);
    else await call(attempt, one);
  }
  return { kind: 'waiting', live: now, message: `waits for ${plan.waitsFor}`, sinceMs };
}

/**
 * A conflict means that nothing is left to do or that the VM has changed. Either way the next attempt reads it again.
 */
export async function call(attempt: VmAttempt, step: SubresourceStep): Promise<void> {
  try {
    await put(attempt, step);
  } catch (error) {
    if (isConflict(error) && step.conflict === 'refused') throw new Refused('CONFLICT', wordsOf(error), error);
    if (isRefusal(error) || (!isConflict(error) && !isNotFound(error))) throw error;
  }
}

/** Why the operation has failed, or has taken too long; undefined if it may still succeed. */
function whyNot(
  { work: { observed, staleness }, settings }: VmAttempt,
  live: Unstructured,
  task: OpenVmTask,
  operation: PowerOperation,
  { waitsFor, steps }: Acting,
  sinceMs: number,
): string | undefined {
  const isOn = operation === 'powerOn' || operation === 'resume';
  if (isOn && steps.length === 0 && observed?.status === 'FAILED' && isOf(observed, live) && staleness === null) {
    // A failure from before the request may still resolve if nothing has to be changed, so it counts only after
    // `failureMs`.
    const isNews = observed.statusAgeMs < task.ageMs || sinceMs >= settings.failureMs;
    if (isNews) return observed.fault ?? 'the machine has failed, and the cluster does not say why';
  }
  if (sinceMs < settings.powerMs) return undefined;
  const said = observed === undefined ? '' : `; its status is ${observed.status}`;
  return `it took longer than ${Math.round(settings.powerMs / 60_000)} minutes: waited for ${waitsFor}${said}. It may still happen`;
}

/** Whether the observation was made after the last change of the VM's spec. */
function isOf({ uid, generation }: VmSeen, { metadata }: Unstructured): boolean {
  return uid === metadata.uid && generation >= (metadata.generation ?? 0);
}

/**
 * For operations whose effect is not visible afterwards. The attempt is recorded before it is sent, and it is never
 * sent twice.
 */
async function send(attempt: VmAttempt, live: Unstructured, task: OpenVmTask, { steps }: Acting): Promise<TaskOutcome> {
  const { db, claim } = attempt;
  if (task.details['sent'] === true)
    return failed(live, 'it was sent to the cluster, which did not answer: the outcome is unknown');
  for (const step of steps) {
    if (step.kind !== 'subresource') continue;
    await reportTask(attempt, task, `sending "${step.subresource}" to the cluster`, 50);
    await noteInTask(db, claim, task.id, { sent: true });
    try {
      await put(attempt, step);
    } catch (error) {
      // The request was not executed, so it may be sent again.
      if (error instanceof KubeError && notExecuted.has(error.code ?? 0))
        await noteInTask(db, claim, task.id, { sent: false });
      if (isKind(error, 'Conflict', 'NotFound', 'BadRequest')) return failed(live, refusalText(error));
      if (isUnclear(error)) return failed(live, unclearText(error));
      throw error;
    }
  }
  await noteInTask(db, claim, task.id, { answered: true });
  return reported(attempt, live, task);
}

/**
 * The server gives these answers before it executes a request: bad credentials, an incomplete request, overload, an
 * unavailable backend.
 */
const notExecuted: ReadonlySet<number> = new Set([401, 408, 429, 503]);

/** The server failed while it executed the request, so only its answer can tell what has happened. */
function isUnclear(error: unknown): error is KubeError {
  return error instanceof KubeError && error.code !== undefined && error.code >= 500 && !notExecuted.has(error.code);
}

function unclearText(error: KubeError): string {
  return `the cluster answered ${refusalText(error)}: the outcome is unknown. Look at the VM before you repeat the operation`;
}

function failed(live: Unstructured, message: string): TaskOutcome {
  return { kind: 'failed', live, failure: { minorErrorCode: 'CONFLICT', message } };
}
