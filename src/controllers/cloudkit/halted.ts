/** Why an order is not what it asks for, thrown by the step that finds it: what comes behind builds on it. It is no failure, and is not tried again in a moment. */
import { ApiError, isRefusal, type ErrorKind } from '../../kube/errors.ts';
import type { Problem } from '../../virt/order/resource.ts';
import { refusalSubject } from '../../virt/status/api-refusal.ts';
import { quotaFault } from '../../virt/status/quota.ts';
import { sentenceOf } from '../../virt/declared-machine/trouble-words.ts';

/** For what only the outside can change, and of which nobody tells us. */
export const lookAgainMs = 60_000;

export interface Wait {
  readonly reason: string;
  readonly message: string;
}

export class Halted extends Error {
  override readonly name = 'Halted';
  /** One of them: what is wrong, or what is only waited for. */
  readonly problem: Problem | undefined;
  readonly waits: Wait | undefined;
  /** Look again after this time; what is watched wakes the order anyway. */
  readonly requeueAfterMs: number | undefined;

  constructor(why: { readonly problem: Problem } | { readonly waits: Wait }, requeueAfterMs?: number) {
    super('problem' in why ? why.problem.message : why.waits.message);
    this.problem = 'problem' in why ? why.problem : undefined;
    this.waits = 'waits' in why ? why.waits : undefined;
    this.requeueAfterMs = requeueAfterMs;
  }
}

export function refused(problem: Problem, requeueAfterMs?: number): Halted {
  return new Halted({ problem }, requeueAfterMs);
}

export function waiting(reason: string, message: string, requeueAfterMs: number = lookAgainMs): Halted {
  return new Halted({ waits: { reason, message } }, requeueAfterMs);
}

/** Another was first, or the caller gave up: no word on the cluster. */
const passing: ReadonlySet<ErrorKind> = new Set(['Conflict', 'Aborted']);

/** What a cluster's refusal means for an order: no other try in a moment changes it, unless it was the cluster's own trouble. */
export async function asked<T>(what: string, slowMs: number, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || passing.has(error.kind)) throw error;
    const quota = quotaFault(error.message);
    if (quota !== undefined) {
      const message = `cannot ${what}: ${sentenceOf({ fault: quota.sentence })}`;
      throw refused({ reason: 'InsufficientResources', message }, slowMs);
    }
    const told = `cannot ${what}: ${error.message}`;
    if (isRefusal(error)) throw refused({ reason: 'Refused', message: `${told}. ${wayOut(error)}` }, slowMs);
    throw new Error(told, { cause: error });
  }
}

/** A webhook's denial is a 403, too, and no right of the operator lifts it. */
function wayOut({ kind, code, status, causes }: ApiError): string {
  return kind === 'Forbidden' && refusalSubject({ ...status, code, causes }) !== 'spec'
    ? 'Grant the operator what it lacks, or let whoever refuses it there accept it'
    : 'Change the order, or let whoever refuses it there accept it';
}
