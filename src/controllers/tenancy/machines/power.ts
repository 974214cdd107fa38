/** A power operation on a machine, from what the cluster says now to the state that is asked for. */
import { noteInTask, reportTasks } from '../../../db/claimed-tasks.ts';
import type { VmSeen, VmTask } from '../../../db/vm-work.ts';
import { isConflict, isKind, isNotFound } from '../../../kube/errors.ts';
import type { Unstructured } from '../../../kube/object.ts';
import { powerPlan, sentOnce, type PowerPlan, type SubresourceStep } from '../../../virt/power/plan.ts';
import { powerOperations, type PowerOperation } from '../../../virt/power/table.ts';
import { Refused } from '../failures.ts';
import { reportTask, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { patchMachine, put, wordsOf } from './machine-hand.ts';

const operations: ReadonlyMap<string, PowerOperation> = new Map(
  powerOperations.map((one) => [`vm${one[0]?.toUpperCase()}${one.slice(1)}`, one]),
);

export function operationOf({ operation }: VmTask): PowerOperation | undefined {
  return operations.get(operation);
}

export async function power(
  attempt: VmAttempt,
  live: Unstructured,
  task: VmTask,
  operation: PowerOperation,
): Promise<TaskOutcome> {
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

const waitingToBeSeen = 'waiting until its status is shown';

/** The cluster says so; what is shown follows. Where nobody writes that down, its word is enough after a while. */
async function confirm(
  attempt: VmAttempt,
  live: Unstructured,
  task: VmTask,
  operation: PowerOperation,
): Promise<TaskOutcome> {
  const { observed } = attempt.work;
  const isSeen = observed !== undefined && isOf(observed, live) && observed.status === goals[operation];
  const sinceMs = task.step === waitingToBeSeen ? task.sinceMs : 0;
  if (isSeen || sinceMs >= attempt.settings.confirmMs) return { kind: 'done', live };
  await reportTask(attempt, task, waitingToBeSeen, 90);
  return { kind: 'waiting', live, message: 'waits until its status is shown', sinceMs };
}

const goals: Partial<Readonly<Record<PowerOperation, VmSeen['status']>>> = {
  powerOn: 'POWERED_ON',
  resume: 'POWERED_ON',
  powerOff: 'POWERED_OFF',
  shutdown: 'POWERED_OFF',
  suspend: 'SUSPENDED',
};

type Acting = PowerPlan & { readonly kind: 'act' };

/** Attempts in a row: more than races are lost in, and within seconds. */
const manyFailures = 4;

async function drive(
  attempt: VmAttempt,
  live: Unstructured,
  task: VmTask,
  operation: PowerOperation,
  plan: Acting,
): Promise<TaskOutcome> {
  const { db, claim } = attempt;
  const step = `waiting for ${plan.waitsFor}`;
  // The machine has had no time where its cluster was away: that counts from now on.
  const wasAway = claim.failures > manyFailures;
  const sinceMs = task.step === step && !wasAway ? task.sinceMs : 0;
  const failure = whyNot(attempt, live, task, operation, plan, sinceMs);
  if (failure !== undefined) return failed(live, failure);
  if (wasAway) await reportTasks(db, claim, [task.id], { step, progress: 40 });
  else await reportTask(attempt, task, step, 40);
  let now = live;
  for (const one of plan.steps) {
    if (one.kind === 'patch') now = await patchMachine(attempt, now, one.patch);
    else await call(attempt, one);
  }
  return { kind: 'waiting', live: now, message: `waits for ${plan.waitsFor}`, sinceMs };
}

/** A conflict that means that nothing is left to do, or that the machine has moved on, is looked at again. */
async function call(attempt: VmAttempt, step: SubresourceStep): Promise<void> {
  try {
    await put(attempt, step);
  } catch (error) {
    if (isConflict(error) && step.conflict === 'refused') throw new Refused('CONFLICT', wordsOf(error), error);
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

/** It fails, or has not come to the state for so long that nobody waits any more. */
function whyNot(
  { work: { observed }, settings }: VmAttempt,
  live: Unstructured,
  task: VmTask,
  operation: PowerOperation,
  { waitsFor, steps }: Acting,
  sinceMs: number,
): string | undefined {
  const isOn = operation === 'powerOn' || operation === 'resume';
  if (isOn && steps.length === 0 && observed?.status === 'FAILED' && isOf(observed, live)) {
    // A failure of before, where nothing has to be changed to try again, is given a while.
    const isNews = observed.statusAgeMs < task.ageMs || sinceMs >= settings.failureMs;
    if (isNews) return observed.fault ?? 'the machine has failed, and the cluster does not say why';
  }
  if (sinceMs < settings.powerMs) return undefined;
  const said = observed === undefined ? '' : `; its status is ${observed.status}`;
  return `it took longer than ${Math.round(settings.powerMs / 60_000)} minutes: waited for ${waitsFor}${said}. It may still come to that`;
}

/** Seen after the last change of what is asked of it. */
function isOf({ uid, generation }: VmSeen, { metadata }: Unstructured): boolean {
  return uid === metadata.uid && generation >= (metadata.generation ?? 0);
}

/** Nobody sees afterwards whether it was done, so it is put down before it is sent, and never sent again. */
async function send(attempt: VmAttempt, live: Unstructured, task: VmTask, { steps }: Acting): Promise<TaskOutcome> {
  const { db, claim } = attempt;
  if (task.details['sent'] === true)
    return failed(live, 'it was sent to the cluster, which did not answer: it is not known whether it was done');
  for (const step of steps) {
    if (step.kind !== 'subresource') continue;
    await reportTask(attempt, task, `sending "${step.subresource}" to the cluster`, 50);
    await noteInTask(db, claim, task.id, { sent: true });
    try {
      await put(attempt, step);
    } catch (error) {
      // It has not come to the machine: may be tried again.
      if (isKind(error, 'ServiceUnavailable', 'TooManyRequests')) await noteInTask(db, claim, task.id, { sent: false });
      if (isKind(error, 'Conflict', 'NotFound', 'BadRequest')) return failed(live, wordsOf(error));
      throw error;
    }
  }
  return { kind: 'done', live };
}

function failed(live: Unstructured, message: string): TaskOutcome {
  return { kind: 'failed', live, failure: { minorErrorCode: 'CONFLICT', message } };
}
