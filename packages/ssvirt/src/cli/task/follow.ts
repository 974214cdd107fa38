/**
 * Waits for the end of a task by its events, and shows its progress. It waits through temporary outages of the server.
 */
import type { Schemas } from '@ssvirt/api-client/client';
import { formatDuration } from '@ssvirt/base/config/duration';
import { changes, isPassing } from '../api/changes.ts';
import type { ApiClient } from '../api/client.ts';
import { tasks } from '../api/entity-kinds.ts';
import { readAgain } from '../api/read-again.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { ProgressLine } from '../output/progress.ts';

type Task = Schemas['Task'];

const ended = new Set<Task['status']>(['success', 'error', 'canceled', 'aborted']);

function isEnded({ status }: Pick<Task, 'status'>): boolean {
  return ended.has(status);
}

/** `followTask` resolves to the task when it ends with success; throws if it ends otherwise, or on timeout. */
export async function followTask(
  client: ApiClient,
  id: string,
  timeoutMs: number,
  progress: ProgressLine = new ProgressLine(),
): Promise<Task> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  let waitsFor = '';
  let furthest = 0;
  try {
    const last = await lastOf(client, id, stop.signal, (task) => {
      waitsFor = detailOf(task);
      // A task that tries a step again reports a smaller progress.
      furthest = Math.max(furthest, task.progress);
      progress.show(lineOf(task, furthest));
    });
    if (last === undefined)
      throw new CliFailure(
        `the task has not ended after ${formatDuration(timeoutMs)}${waitsFor === '' ? '' : ` (${waitsFor})`}, and continues: "ssvirt task wait ${id}".`,
        exitCodes.timeout,
      );
    requireSuccess(last);
    progress.end(`${last.operation}: success 100 %`);
    return last;
  } finally {
    clearTimeout(timer);
    stop.abort();
    progress.end();
  }
}

async function lastOf(
  client: ApiClient,
  id: string,
  signal: AbortSignal,
  show: (task: Task) => void,
): Promise<Task | undefined> {
  try {
    for await (const _ of changes(client, { kinds: ['task'], entity: id }, signal)) {
      const task = await readAgain(() => tasks.get(client.api, id), signal);
      if (task === undefined) continue;
      if (isEnded(task)) return task;
      show(task);
    }
  } catch (error) {
    throw isPassing(error) && error instanceof CliFailure ? goesOn(error, id) : error;
  }
  return undefined;
}

/** The server has accepted the request, so the user can wait for the task again. */
function goesOn({ message, exitCode }: CliFailure, id: string): CliFailure {
  return new CliFailure(`${message} The task continues: "ssvirt task wait ${id}".`, exitCode);
}

function requireSuccess(task: Task): void {
  if (task.status === 'success') return;
  const why =
    task.status === 'error' ? (task.error?.message ?? 'the server gave no reason.') : `the task was ${task.status}.`;
  throw new CliFailure(`${task.operation}: ${why}`, exitCodes.taskFailed);
}

function detailOf({ step, message }: Task): string {
  return [step, message].filter((one) => one !== '').join(': ');
}

function lineOf(task: Task, progress: number): string {
  const { operation, status } = task;
  const detail = detailOf(task);
  return `${operation}: ${status} ${progress} %${detail === '' ? '' : ` (${detail})`}`;
}
