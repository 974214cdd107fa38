/** The result of checking one aspect of a cluster: a condition without times. */
import type { ConditionStatus } from '@ssvirt/kube/reconcile/conditions';
import type { Reason } from '../kubevirtconfig/reasons.ts';

export interface CheckResult {
  readonly status: ConditionStatus;
  readonly reason: Reason;
  readonly message: string;
}
