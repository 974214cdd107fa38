/** What a look at one aspect of a cluster gave: a condition without the times. */
import type { ConditionStatus } from '../kube/reconcile/conditions.ts';
import type { Reason } from './reasons.ts';

export interface Verdict {
  readonly status: ConditionStatus;
  readonly reason: Reason;
  readonly message: string;
}
