/**
 * Waits for the end of a task by its events, and shows a progress line. It waits through temporary outages of the
 * server.
 */
import type { Schemas } from '@ssvirt/api-client/client';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDuration } from '@ssvirt/base/config/duration';
import { changes, isPassing } from '../api/changes.ts';
import type { ApiClient } from '../api/client.ts';
import { tasks } from '../api/entity-kinds.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { ProgressLine } from '../output/progress.ts';

type Task = Schemas['Task'];

const againMs = 500;

const ended = new Set<Task['status']>(['success', 'error', 'canceled', 'aborted']);

export function isEnded({ status }: Pick<Task, 'status'>): boolean {
  return ended.has(status);
}

/** Resolves to the task when it ends with success; throws if it ends otherwise, or on timeout. */
export async function followTask(client: ApiClient, id: string, timeoutMs: number): Promise<Task> {
  const progress = new ProgressLine();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  let waitsFor = '';
  try {
    const last = await lastOf(client, id, stop.signal, (task) => {
      waitsFor = detailOf(task);
      progress.show(lineOf(task));
    });
    progress.end();
    if (last === undefined)
      throw new CliFailure(
        `the task has not ended after ${formatDuration(timeoutMs)}${waitsFor === '' ? '' : ` (${waitsFor})`}, and continues: "ssvirt task wait ${id}".`,
        exitCodes.timeout,
      );
    return succeeded(last);
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
  const read = async (): Promise<Task | undefined> => {
    while (!signal.aborted) {
      try {
        const task = await tasks.get(client.api, id);
        show(task);
        return task;
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      await pause(againMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  };
  try {
    for await (const _ of changes(client, { kinds: ['task'], entity: id }, signal)) {
      const task = await read();
      if (task !== undefined && isEnded(task)) return task;
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

export function succeeded(task: Task): Task {
  if (task.status === 'success') return task;
  const why =
    task.status === 'error' ? (task.error?.message ?? 'the server gave no reason.') : `the task was ${task.status}.`;
  throw new CliFailure(`${task.operation}: ${why}`, exitCodes.taskFailed);
}

function detailOf({ step, message }: Task): string {
  return [step, message].filter((one) => one !== '').join(': ');
}

function lineOf(task: Task): string {
  const { operation, status, progress } = task;
  const detail = detailOf(task);
  return `${operation}: ${status} ${progress} %${detail === '' ? '' : ` (${detail})`}`;
}
