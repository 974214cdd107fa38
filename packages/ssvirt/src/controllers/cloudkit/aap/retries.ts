/**
 * Retries of transient failures. The work queue retries with growing pauses. After the last of these attempts the
 * order's status says so, and it is retried slowly for ever. A change of the order starts again at zero.
 */
import { isConflict } from '@ssvirt/kube/errors';
import { LeadershipLost } from '@ssvirt/kube/leader-election/term';
import { OrderStepHalted, refused } from '../operator/step-halted.ts';
import type { Failures, Memory } from '../operator/memory.ts';
import { logFields, type OrderWork } from '../work.ts';

/** Set while the order rests after too many failures: nothing is tried, only the status is updated. */
export function restOf(memory: Memory, work: OrderWork, version: string): OrderStepHalted | undefined {
  const { resting } = failuresOf(memory, work, version);
  const left = (resting?.until ?? 0) - performance.now();
  return resting === undefined || left <= 0 ? undefined : refused(resting.problem, Math.ceil(left));
}

/** `countFailure` returns the `Halted` to report; rethrows the error if the work queue is to retry. */
export function countFailure(memory: Memory, work: OrderWork, version: string, error: unknown): OrderStepHalted {
  if (error instanceof OrderStepHalted) return error;
  // An abort, a lost term or a conflict is no failure of the order.
  if (work.signal.aborted || isConflict(error) || error instanceof LeadershipLost || !(error instanceof Error))
    throw error;
  const { max, slow } = work.operator.config.retries;
  const count = failuresOf(memory, work, version).count + 1;
  const uid = work.identity.uid;
  if (count <= max) {
    memory.failures.set(uid, { version, count });
    throw error;
  }
  // The message must not change from attempt to attempt: each change is reported and counted as a new problem.
  const message = `${sentence(error)} It failed ${max + 1} times and is retried every ${seconds(slow)}.`;
  const problem = { reason: 'RetriesExhausted', message } as const;
  memory.failures.set(uid, { version, count, resting: { problem, until: performance.now() + slow } });
  if (count === max + 1)
    work.context.log.error({ ...logFields(work), err: error, count }, 'order keeps failing, backing off');
  return refused(problem, slow);
}

function failuresOf({ failures }: Memory, { identity }: OrderWork, version: string): Failures {
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
