/**
 * Troubles that pass by themselves: the queue tries again, soon and then less soon. After the last of these tries the order says so, and is tried on slowly, for
 * ever; a change of it starts anew.
 */
import { isConflict } from '../../kube/errors.ts';
import { LeadershipLost } from '../../kube/leader/term.ts';
import { Halted, refused } from './halted.ts';
import type { Failures, Memory } from './memory.ts';
import { logFields, type Work } from './work.ts';

/** Where it has failed too often a moment ago, nothing is tried: only its status is told. */
export function restOf(memory: Memory, work: Work, version: string): Halted | undefined {
  const { resting } = failuresOf(memory, work, version);
  const left = (resting?.until ?? 0) - performance.now();
  return resting === undefined || left <= 0 ? undefined : refused(resting.problem, Math.ceil(left));
}

/** What to tell of a failure; it is thrown again where the queue shall try once more. */
export function countFailure(memory: Memory, work: Work, version: string, error: unknown): Halted {
  if (error instanceof Halted) return error;
  // What befell us and not the order, or what another try mends at once, is no failure of it.
  if (work.signal.aborted || isConflict(error) || error instanceof LeadershipLost || !(error instanceof Error))
    throw error;
  const { max, slow } = work.operator.config.retries;
  const count = failuresOf(memory, work, version).count + 1;
  const uid = work.identity.uid;
  if (count <= max) {
    memory.failures.set(uid, { version, count });
    throw error;
  }
  // The same each time: what is new is told and counted anew.
  const message = `${sentence(error)} It was tried ${max + 1} times, and is tried again every ${seconds(slow)}.`;
  const problem = { reason: 'RetriesExhausted', message } as const;
  memory.failures.set(uid, { version, count, resting: { problem, until: performance.now() + slow } });
  if (count === max + 1)
    work.context.log.error({ ...logFields(work), err: error, count }, 'order keeps failing, backing off');
  return refused(problem, slow);
}

function failuresOf({ failures }: Memory, { identity }: Work, version: string): Failures {
  const known = failures.get(identity.uid);
  return known?.version === version ? known : { version, count: 0 };
}

function sentence(error: Error): string {
  const { message } = error;
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/[\s.]+$/, '')}.`;
}

function seconds(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 1000)} s`;
}
