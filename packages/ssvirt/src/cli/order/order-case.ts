/**
 * Everything known about an order: collected by gather.ts, printed by debug-page.ts. It contains nothing from Secrets.
 */
import type { MachineState } from '../../kubevirt/order/machine-state.ts';
import type { NamespaceFacts } from '../../kubevirt/order/namespace.ts';
import type { SeenObject } from '../cluster/child.ts';
import type { SeenEvent } from '../cluster/events.ts';
import type { Leader } from '../cluster/leader.ts';
import type { Nearby } from '../cluster/nearby.ts';
import type { Judged } from './check-order.ts';
import type { ShownOrder } from './shown-order.ts';

export interface OrderCase {
  readonly namespace: string;
  readonly name: string;
  /** In milliseconds. */
  readonly now: number;
  /** Absent if it does not exist; then `near` is set. */
  readonly order?: ShownOrder;
  readonly near?: Nearby;
  readonly tenantNamespace?: string;
  readonly tenant?: NamespaceFacts | undefined;
  /** The result of the operator's rules, as far as the cluster could be read. */
  readonly judged?: Judged;
  readonly children: readonly SeenOrderChild[];
  readonly machine?: SeenMachine;
  readonly disk?: SeenDisk;
  /** Newest first. */
  readonly events: readonly SeenEvent[];
  /** The leader; absent if there is no Lease or it cannot be read. */
  readonly leader?: Leader;
  readonly unread: readonly string[];
}

export interface SeenOrderChild extends SeenObject {
  /** `AAP's` has the order's name, but no label of the controller. */
  readonly whose?: "the order's" | "AAP's" | "another's";
}

export interface SeenMachine {
  readonly printableStatus?: string | undefined;
  readonly ready: boolean;
  readonly phase?: string | undefined;
  readonly node?: string | undefined;
  readonly addresses: readonly string[];
  readonly state: MachineState;
}

export interface SeenDisk {
  readonly phase?: string | undefined;
  readonly progress?: string | undefined;
  readonly restarts?: number | undefined;
  readonly claim?: string | undefined;
}
