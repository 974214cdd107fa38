/** A task on a vApp that has child tasks on its VMs. It ends when all of them have ended. */
import type { OpenTask, TaskFailure } from '../../../db/work-queue/claimed-tasks.ts';
import type { ChildTask } from '../../../db/vapps/vapp-work.ts';

/** So many VMs are named in the reason; the rest is counted. */
const mostNamed = 5;

export type TaskEnding = 'open' | 'done' | TaskFailure;

/** `endingOf` returns a task without child tasks, as in a vApp without VMs, is done. */
export function endingOf({ id }: Pick<OpenTask, 'id'>, children: readonly ChildTask[]): TaskEnding {
  const own = children.filter(({ parent }) => parent === id);
  if (own.some(({ ended }) => !ended)) return 'open';
  const failed = own.filter(({ status }) => status !== 'success');
  return failed.length === 0 ? 'done' : { minorErrorCode: 'CONFLICT', message: reasonOf(failed, own.length) };
}

function reasonOf(failed: readonly ChildTask[], all: number): string {
  const named = failed.slice(0, mostNamed).map(({ machine, message, status }) => `"${machine}": ${message ?? status}`);
  const more = failed.length > named.length ? ` and ${failed.length - named.length} more` : '';
  if (all === 1) return `it could not be done to its virtual machine ${named.join('')}`;
  return `it could not be done to ${failed.length} of ${all} virtual machines: ${named.join('; ')}${more}`;
}
