/**
 * `StepHalted` stops a reconcile at a step whose precondition is missing, because later steps build on it. It is no
 * failure and is not retried at once.
 */
import { defined } from '@ssvirt/base/values/defined';
import { KubeError, isKind, isNotFound, isRefusal } from '@ssvirt/kube/errors';
import type { Unfinished } from '@ssvirt/kube/reconcile/shape';
import type { RefusalSubject } from '../../kubevirt/status/api-refusal.ts';
import { isAboutCluster, lookAgainMs, quotaText, subjectOf } from '../operator/cluster-refusal.ts';
import type { MachineProblem } from '../../kubevirt/machine/resource.ts';

export type MachinePart = 'spec' | 'namespace' | 'network' | 'storage' | 'cloud-init' | 'virtual machine';

export class StepHalted extends Error {
  override readonly name = 'Halted';
  readonly part: MachinePart;
  readonly why: Unfinished;
  /** False if the step only has to wait. */
  readonly isProblem: boolean;

  constructor(part: MachinePart, why: Unfinished, isProblem: boolean) {
    super(why.message);
    this.part = part;
    this.why = why;
    this.isProblem = isProblem;
  }
}

export function problem(part: MachinePart, { reason, message }: MachineProblem, requeueAfterMs?: number): StepHalted {
  return new StepHalted(part, { reason, message, ...defined({ requeueAfterMs }) }, true);
}

export function waiting(part: MachinePart, reason: string, message: string): StepHalted {
  return new StepHalted(part, { reason, message, requeueAfterMs: lookAgainMs }, false);
}

/**
 * The cluster of a Machine does not answer. The fleet will notice soon, and wakes the Machine when the cluster is back.
 */
export class ClusterUnavailable extends Error {
  override readonly name = 'ClusterUnavailable';
}

export class KubeVirtApiError extends Error {
  override readonly name = 'KubeVirtApiError';
}

const silences = ['Unreachable', 'DeadlineExceeded', 'Timeout', 'Credentials', 'Unauthorized', 'Malformed'] as const;

/**
 * Translates errors of a member. A refusal becomes `StepHalted`, since an immediate retry cannot help; other errors of
 * the cluster are retried.
 */
export async function asked<T>(
  part: MachinePart,
  cluster: string,
  what: string,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw meaningOf(part, `Failed to ${what} in remote cluster "${cluster}"`, error);
  }
}

/** `askedToApply` is `asked` for a write that carries the spec: a refusal of the object is a refusal of the spec. */
export async function askedToApply<T>(
  part: MachinePart,
  cluster: string,
  what: string,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const failed = `Failed to ${what} in remote cluster "${cluster}"`;
    if (!(error instanceof KubeError) || subjectOf(error) !== 'spec') throw meaningOf(part, failed, error);
    const message = `${failed}: ${wordsOf(error)}. Change the Machine, or the policy that rejects it`;
    throw problem(part, { reason: 'InvalidSpec', message }, lookAgainMs);
  }
}

/** The server's own text. */
function wordsOf({ words, message }: KubeError): string {
  return (words ?? message).replace(/[\s.]+$/, '');
}

/** The error to throw instead of `error`. */
function meaningOf(part: MachinePart, failed: string, error: unknown): unknown {
  if (!isAboutCluster(error)) return error;
  const message = `${failed}: ${error.message}`;
  const subject = subjectOf(error);
  if (subject === 'quota') {
    const why = quotaText(error) ?? wordsOf(error);
    return problem(part, { reason: 'InsufficientResources', message: `${failed}: ${why}` }, lookAgainMs);
  }
  if (isRefusal(error) || isNotFound(error))
    return problem(part, { reason: 'KubeVirtApiError', message: `${message}. ${wayOut(error, subject)}` }, lookAgainMs);
  if (isKind(error, ...silences)) return new ClusterUnavailable(message, { cause: error });
  return new KubeVirtApiError(message, { cause: error });
}

function wayOut({ kind }: KubeError, subject: RefusalSubject): string {
  if (subject === 'busy') return 'It is tried again';
  switch (kind) {
    case 'Forbidden':
      return 'Grant the account of the kubeconfig the missing rights';
    case 'NotFound':
      return 'Check that KubeVirt is installed there, and that the namespace exists';
    default:
      return 'Change the Machine, or check the KubeVirt installation there';
  }
}
