/** Why a Machine is not what it asks for, thrown by the step that finds it: what comes behind builds on it. It is no failure, and is not tried again by itself. */
import { ApiError, isKind, type ErrorKind } from '../../kube/errors.ts';
import type { Unfinished } from '../../kube/reconcile/shape.ts';
import type { Fault } from '../../virt/status/faults.ts';
import { quotaFault } from '../../virt/status/quota.ts';
import { sentenceOf } from '../../virt/declared-machine/trouble-words.ts';
import type { Problem } from '../../virt/declared-machine/resource.ts';

/** For what only the outside can change, and of which nobody tells us. */
export const lookAgainMs = 60_000;

export type Part = 'spec' | 'namespace' | 'network' | 'storage' | 'cloud-init' | 'virtual machine';

export class Halted extends Error {
  override readonly name = 'Halted';
  readonly part: Part;
  readonly why: Unfinished;
  /** False where it only has to be waited for. */
  readonly isProblem: boolean;

  constructor(part: Part, why: Unfinished, isProblem: boolean) {
    super(why.message);
    this.part = part;
    this.why = why;
    this.isProblem = isProblem;
  }
}

export function problem(part: Part, { reason, message }: Problem, requeueAfterMs?: number): Halted {
  return new Halted(part, { reason, message, ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }) }, true);
}

export function waiting(part: Part, reason: string, message: string): Halted {
  return new Halted(part, { reason, message, requeueAfterMs: lookAgainMs }, false);
}

/** The cluster of a Machine does not answer; the fleet will say so soon, and wakes us when it is back. */
export class ClusterUnavailable extends Error {
  override readonly name = 'ClusterUnavailable';
}

export class KubeVirtApiError extends Error {
  override readonly name = 'KubeVirtApiError';
}

/** Another was first, or the caller gave up: no word on the cluster. */
const passing: ReadonlySet<ErrorKind> = new Set(['Conflict', 'Aborted']);
const refusals = [
  'Invalid',
  'BadRequest',
  'Forbidden',
  'RequestEntityTooLarge',
  'MethodNotAllowed',
  'NotFound',
] as const;
const silences = ['Unreachable', 'DeadlineExceeded', 'Timeout', 'Credentials', 'Unauthorized', 'Malformed'] as const;

/** What a member's refusal means for the Machine: no other try changes it, unless it was the cluster's own trouble. */
export async function asked<T>(part: Part, cluster: string, what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || passing.has(error.kind)) throw error;
    const message = `Failed to ${what} in remote cluster "${cluster}": ${error.message}`;
    const quota = quotaFault(error.message);
    if (quota !== undefined) throw quotaProblem(part, `Failed to ${what} in remote cluster "${cluster}"`, quota);
    if (isKind(error, ...refusals))
      throw problem(part, { reason: 'KubeVirtApiError', message: `${message}. ${wayOut(error)}` }, lookAgainMs);
    if (isKind(error, ...silences)) throw new ClusterUnavailable(message, { cause: error });
    throw new KubeVirtApiError(message, { cause: error });
  }
}

function quotaProblem(part: Part, what: string, { sentence }: Fault): Halted {
  const message = `${what}: ${sentenceOf({ fault: sentence })}`;
  return problem(part, { reason: 'InsufficientResources', message }, lookAgainMs);
}

function wayOut({ kind }: ApiError): string {
  switch (kind) {
    case 'Forbidden':
      return 'Grant the kubeconfig what it lacks there';
    case 'NotFound':
      return 'Check that KubeVirt is installed there, and that the namespace is there';
    default:
      return 'Change the Machine, or check the KubeVirt installation there';
  }
}
