/** A power operation on a machine, from what the cluster says now to the state that is asked for. */
import { noteInTask, reportTasks } from '../../../db/claimed-tasks.ts';
import { stalenessText } from '../../../db/staleness.ts';
import type { VmSeen, VmTask } from '../../../db/vm-work.ts';
import { ApiError, isConflict, isKind, isNotFound, isRefusal } from '../../../kube/errors.ts';
import type { Unstructured } from '../../../kube/object.ts';
import { powerPlan, sentOnce, type PowerPlan, type SubresourceStep } from '../../../virt/power/plan.ts';
import { powerOperations, type PowerOperation } from '../../../virt/power/table.ts';
import { Refused, refusalText } from '../failures.ts';
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
  // The cluster has done it, and the machine may be on its way to another state by now.
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

const waitingToBeSeen = 'waiting until its status is shown';

/**
 * The cluster says so; what is shown follows. What was observed before the request proves nothing. Where it is not shown though the cluster was reached
 * since, the word of the cluster is enough after a while; where it was not reached, nothing is.
 */
async function confirm(
  attempt: VmAttempt,
  live: Unstructured,
  task: VmTask,
  operation: PowerOperation,
): Promise<TaskOutcome> {
  const { observed } = attempt.work;
  const isShown = observed !== undefined && isOf(observed, live) && observed.status === goals[operation];
  const sinceMs = sinceReached(task);
  const isLate = task.heard && sinceMs >= attempt.settings.confirmMs;
  if ((isShown && (task.seen || task.heard)) || isLate) return { kind: 'done', live };
  return waitToBeSeen(attempt, live, task);
}

/** Of what nobody sees afterwards: the cluster has done it, and is reached. */
async function reported(attempt: VmAttempt, live: Unstructured, task: VmTask): Promise<TaskOutcome> {
  return task.heard ? { kind: 'done', live } : waitToBeSeen(attempt, live, task);
}

async function waitToBeSeen(attempt: VmAttempt, live: Unstructured, task: VmTask): Promise<TaskOutcome> {
  const { db, claim, work, cluster } = attempt;
  // The clock of the database was set back: the step counts from now on, and contacts from then on are newer.
  if (task.sinceMs < 0) await reportTasks(db, claim, [task.id], { step: waitingToBeSeen, progress: 90 });
  else await reportTask(attempt, task, waitingToBeSeen, 90);
  const why =
    work.staleness === null
      ? ''
      : `, which is not known now: ${stalenessText(work.staleness, `cluster "${cluster.name}"`)}`;
  return { kind: 'waiting', live, message: `waits until its status is shown${why}`, sinceMs: sinceReached(task) };
}

function sinceReached({ step, sinceMs }: VmTask): number {
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
export async function call(attempt: VmAttempt, step: SubresourceStep): Promise<void> {
  try {
    await put(attempt, step);
  } catch (error) {
    if (isConflict(error) && step.conflict === 'refused') throw new Refused('CONFLICT', wordsOf(error), error);
    if (isRefusal(error) || (!isConflict(error) && !isNotFound(error))) throw error;
  }
}

/** It fails, or has not come to the state for so long that nobody waits any more. */
function whyNot(
  { work: { observed, staleness }, settings }: VmAttempt,
  live: Unstructured,
  task: VmTask,
  operation: PowerOperation,
  { waitsFor, steps }: Acting,
  sinceMs: number,
): string | undefined {
  const isOn = operation === 'powerOn' || operation === 'resume';
  if (isOn && steps.length === 0 && observed?.status === 'FAILED' && isOf(observed, live) && staleness === null) {
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
      // Not executed, so it may be sent again.
      if (error instanceof ApiError && notExecuted.has(error.code ?? 0))
        await noteInTask(db, claim, task.id, { sent: false });
      if (isKind(error, 'Conflict', 'NotFound', 'BadRequest')) return failed(live, refusalText(error));
      throw error;
    }
  }
  await noteInTask(db, claim, task.id, { answered: true });
  return reported(attempt, live, task);
}

/** The server answers these before it executes a request: credentials, a request that did not arrive whole, overload, a backend that is down. */
const notExecuted: ReadonlySet<number> = new Set([401, 408, 429, 503]);

function failed(live: Unstructured, message: string): TaskOutcome {
  return { kind: 'failed', live, failure: { minorErrorCode: 'CONFLICT', message } };
}
