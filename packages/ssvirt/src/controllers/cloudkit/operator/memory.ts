/** What the operator remembers of orders between reconciles. A new leader can do without all of it. */
import { BoundedMap } from '@ssvirt/kube/bounded-map';
import { ConditionAge } from '@ssvirt/kube/condition-age';
import type { OrderProblem } from '../../../kubevirt/order/resource.ts';
import type { TroubleWord } from '../../../kubevirt/status/troubles.ts';

/** `Failures` belongs to one version of an order: a change of the spec starts again at zero. */
export interface Failures {
  readonly version: string;
  readonly count: number;
  /** Set while the order is retried slowly: until then nothing is tried and only the status is updated. */
  readonly resting?: { readonly problem: OrderProblem; readonly until: number };
}

export interface Memory {
  /** By uid. */
  readonly failures: BoundedMap<string, Failures>;
  readonly troubles: ConditionAge<TroubleWord>;
  /** By uid: when an unfinished version was first seen, to measure how long it takes. */
  readonly provisionTimers: BoundedMap<string, { readonly version: string; readonly at: number }>;
}

/** The maps are bounded, because an order that is deleted under another leader is never removed from them. */
const remembered = 20_000;

export function createMemory(): Memory {
  return {
    failures: new BoundedMap(remembered),
    troubles: new ConditionAge(remembered),
    provisionTimers: new BoundedMap(remembered),
  };
}

export function forget({ failures, troubles, provisionTimers }: Memory, uid: string): void {
  failures.delete(uid);
  troubles.note(uid, undefined);
  provisionTimers.delete(uid);
}
