/** What is remembered of orders between two rounds: nothing that a new leader could not do without. */
import { BoundedMap } from '../../kube/bounded-map.ts';
import { Lasting } from '../../kube/lasting.ts';
import type { Problem } from '../../virt/order/resource.ts';
import type { TroubleWord } from '../../virt/status/troubles.ts';

/** Of one version of an order: a change of the spec starts anew. */
export interface Failures {
  readonly version: string;
  readonly count: number;
  /** Since when it is tried slowly: until then it rests, and only its status is told. */
  readonly resting?: { readonly problem: Problem; readonly until: number };
}

export interface Memory {
  /** By uid. */
  readonly failures: BoundedMap<string, Failures>;
  readonly troubles: Lasting<TroubleWord>;
  /** When a version was first seen that is not done yet, by uid: how long it takes is told. */
  readonly begun: BoundedMap<string, { readonly version: string; readonly at: number }>;
}

/** An order that goes while another leads is never forgotten by its name. */
const remembered = 20_000;

export function createMemory(): Memory {
  return {
    failures: new BoundedMap(remembered),
    troubles: new Lasting(remembered),
    begun: new BoundedMap(remembered),
  };
}

export function forget({ failures, troubles, begun }: Memory, uid: string): void {
  failures.delete(uid);
  troubles.note(uid, undefined);
  begun.delete(uid);
}
