/**
 * `OrderHalted` stops a reconcile at a step whose precondition is missing, because later steps build on it. It is no
 * failure and is not retried at once.
 */
import { KubeError, isRefusal, type ErrorKind } from '@ssvirt/kube/errors';
import type { OrderProblem } from '../../../kubevirt/order/resource.ts';
import { refusalSubject } from '../../../kubevirt/status/api-refusal.ts';
import { quotaFault } from '../../../kubevirt/status/quota.ts';
import { sentenceOf } from '../../../kubevirt/machine/trouble-words.ts';

/** The retry interval for causes that only change outside and that no watch reports. */
export const lookAgainMs = 60_000;

export interface Wait {
  readonly reason: string;
  readonly message: string;
}

export class OrderStepHalted extends Error {
  override readonly name = 'Halted';
  /** Exactly one of the two is set: what is wrong, or what is being waited for. */
  readonly problem: OrderProblem | undefined;
  readonly waits: Wait | undefined;
  /** Reconcile again after this time. Changes of watched objects wake the order anyway. */
  readonly requeueAfterMs: number | undefined;

  constructor(why: { readonly problem: OrderProblem } | { readonly waits: Wait }, requeueAfterMs?: number) {
    super('problem' in why ? why.problem.message : why.waits.message);
    this.problem = 'problem' in why ? why.problem : undefined;
    this.waits = 'waits' in why ? why.waits : undefined;
    this.requeueAfterMs = requeueAfterMs;
  }
}

export function refused(problem: OrderProblem, requeueAfterMs?: number): OrderStepHalted {
  return new OrderStepHalted({ problem }, requeueAfterMs);
}

export function waiting(reason: string, message: string, requeueAfterMs: number = lookAgainMs): OrderStepHalted {
  return new OrderStepHalted({ waits: { reason, message } }, requeueAfterMs);
}

/** A write conflict, or the caller gave up: these say nothing about the cluster. */
const passing: ReadonlySet<ErrorKind> = new Set(['Conflict', 'Aborted']);

/**
 * Translates errors of the cluster. A refusal becomes `OrderHalted`, since an immediate retry cannot help; other errors
 * of the cluster are retried.
 */
export async function asked<T>(what: string, slowMs: number, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof KubeError) || passing.has(error.kind)) throw error;
    const quota = quotaFault(error.message);
    if (quota !== undefined) {
      const message = `cannot ${what}: ${sentenceOf({ fault: quota.sentence })}`;
      throw refused({ reason: 'InsufficientResources', message }, slowMs);
    }
    const message = `cannot ${what}: ${error.message}`;
    if (isRefusal(error)) throw refused({ reason: 'Refused', message: `${message}. ${wayOut(error)}` }, slowMs);
    throw new Error(message, { cause: error });
  }
}

/** A webhook's denial is a 403, too, but granting the operator more rights does not lift it. */
function wayOut({ kind, code, status, causes }: KubeError): string {
  return kind === 'Forbidden' && refusalSubject({ ...status, code, causes }) !== 'spec'
    ? 'Grant the operator the missing rights, or change the policy that rejects the request'
    : 'Change the order, or the policy that rejects it';
}
