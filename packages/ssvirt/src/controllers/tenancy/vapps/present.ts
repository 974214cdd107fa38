/**
 * Fulfills the tasks of a vApp. The work on its VMs is done by their own reconcile requests; here their results are
 * collected.
 */
import { endTasks, type OpenTask, type TaskFailure } from '../../../db/work-queue/claimed-tasks.ts';
import { completeClaim, finishClaim } from '../../../db/work-queue/reconciliations.ts';
import { recordCreated, underMachinesAndClaim } from '../../../db/vapps/vapp-applied.ts';
import { idsOf, reportStep, type Result } from '../engine/context.ts';
import { Refused } from '../engine/failures.ts';
import type { VappAttempt } from './attempt.ts';
import { instantiate } from './instantiate.ts';
import { endingOf, type TaskEnding } from './parents.ts';
import { renameInCluster } from './rename.ts';

const creations: readonly string[] = ['vappCreate', 'vappInstantiate'];

export async function makePresent(attempt: VappAttempt): Promise<Result> {
  const { spec, work } = attempt;
  if (spec !== undefined && work.vapp.creation === 'running') return instantiate(attempt, spec);
  const endings = new Map(work.tasks.map((task) => [task, ending(task, attempt)]));
  const broken = work.tasks.map((task) => failureOf(task, endings.get(task))).find((failure) => failure !== undefined);
  if (broken !== undefined) throw new Refused(broken.minorErrorCode, broken.message);
  if (work.tasks.some(({ operation }) => operation === 'vappUpdate')) await renameInCluster(attempt);
  return settle(attempt, endings);
}

/** A vApp that is present is not being deleted: its VDC was to be deleted, and was kept. */
function ending(task: OpenTask, { work }: VappAttempt): TaskEnding {
  if (task.operation !== 'vappDelete') return endingOf(task, work.children);
  return { minorErrorCode: 'CONFLICT', message: 'the vApp is kept, with its virtual data center' };
}

/** If part of a creation fails, all of it is undone. */
function failureOf({ operation }: OpenTask, end: TaskEnding | undefined): TaskFailure | undefined {
  return creations.includes(operation) && typeof end === 'object' ? end : undefined;
}

async function settle(attempt: VappAttempt, endings: ReadonlyMap<OpenTask, TaskEnding>): Promise<Result> {
  const { db, claim, work, settings } = attempt;
  const open = work.tasks.filter((task) => endings.get(task) === 'open');
  const done = work.tasks.filter((task) => endings.get(task) === 'done');
  await reportOpen(attempt, open);
  await underMachinesAndClaim(db, claim, async (tx) => {
    if (done.some(({ operation }) => creations.includes(operation))) await recordCreated(tx, claim);
    await endTasks(tx, claim, idsOf(done));
    for (const [{ id }, end] of endings) if (typeof end === 'object') await endTasks(tx, claim, [id], end);
    if (open.length === 0) await finishClaim(tx, claim);
    // The end of a child task wakes this work.
    else await completeClaim(tx, claim, { dueInMs: 5 * settings.waitMs, message: waitsFor(attempt) });
  });
  return open.length === 0 ? 'done' : 'waiting';
}

async function reportOpen(attempt: VappAttempt, open: readonly OpenTask[]): Promise<void> {
  const { children } = attempt.work;
  for (const task of open) {
    const own = children.filter(({ parent }) => parent === task.id);
    const ended = own.filter((child) => child.ended).length;
    const step = `waiting for its virtual machines (${ended} of ${own.length})`;
    await reportStep(attempt, [task], step, Math.floor((99 * ended) / own.length));
  }
}

function waitsFor({ work }: VappAttempt): string {
  const names = [...new Set(work.children.filter(({ ended }) => !ended).map(({ machine }) => machine))];
  return `waits for its virtual machines: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}`;
}
