/**
 * `OrderStepHalted` stops a reconcile at a step whose precondition is missing, because later steps build on it. It is no
 * failure and is not retried at once.
 */
import { isRefusal, type KubeError } from '@ssvirt/kube/errors';
import type { OrderProblem } from '../../../kubevirt/order/resource.ts';
import { isAboutCluster, lookAgainMs, quotaText, subjectOf } from '../../operator/cluster-refusal.ts';

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

/**
 * Translates errors of the cluster. A refusal becomes `OrderStepHalted`, since an immediate retry cannot help; other errors
 * of the cluster are retried.
 */
export async function asked<T>(what: string, slowMs: number, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isAboutCluster(error)) throw error;
    const quota = quotaText(error);
    if (quota !== undefined)
      throw refused({ reason: 'InsufficientResources', message: `cannot ${what}: ${quota}` }, slowMs);
    const message = `cannot ${what}: ${error.message}`;
    if (isRefusal(error)) throw refused({ reason: 'Refused', message: `${message}. ${wayOut(error)}` }, slowMs);
    throw new Error(message, { cause: error });
  }
}

function wayOut(error: KubeError): string {
  return error.kind === 'Forbidden' && subjectOf(error) !== 'spec'
    ? 'Grant the operator the missing rights, or change the policy that rejects the request'
    : 'Change the order, or the policy that rejects it';
}
