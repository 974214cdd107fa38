/** Everything that an order's status is computed from. */
import { saying } from '../facts/condition.ts';
import { fields } from '../facts/reading.ts';
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import type { MachineObservation } from '../status/observe.ts';
import type { ChildCondition, Mode, OrderProblem, WebhookRecord } from './resource.ts';

export interface OrderObservation {
  readonly name: string;
  readonly tenantNamespace: string;
  readonly deleting: boolean;
  /** The annotation's value, unchecked. */
  readonly managementState?: string | undefined;
  /** Absent if the order is too malformed to have one. */
  readonly desired?: string | undefined;
  /** The annotation's value. */
  readonly reconciled?: string | undefined;
  /** Set if a version is pinned: see pinned-spec.ts. */
  readonly reconciledSpecVersion?: string | undefined;
  /** The order has changed since its pinned version was applied. */
  readonly isStale?: boolean;
  /** The mode that applies now; absent if it could not be decided. */
  readonly mode?: Mode | undefined;
  readonly takesOver?: Mode | undefined;
  /** As recorded after this reconcile. */
  readonly provisionedBy?: Mode | undefined;
  readonly fallbackConfigVersion?: string | undefined;
  /** What could not be done as ordered, including `RetriesExhausted`. */
  readonly problem?: OrderProblem | undefined;
  /** What the order waits for; this is no problem. */
  readonly waiting?: { readonly reason: string; readonly message: string } | undefined;
  /** The children that the order needs, in sequence. In controller mode each has a condition. */
  readonly children: readonly ChildState[];
  /** A sentence of further information on an order that is as ordered. */
  readonly note?: string | undefined;
  /** A template without a VM: then its children alone decide. */
  readonly machineless?: boolean;
  /** The VM with the order's name that is its own, or that AAP created for it. */
  readonly vm?: VmFacts | undefined;
  /** Set if it differs from the order's name: a template may choose another. */
  readonly vmName?: string | undefined;
  /** Its condition Ready is True: see `isMachineReady`. */
  readonly vmReady: boolean;
  readonly vmi?: VmiFacts | undefined;
  readonly dataVolume?: DataVolumeFacts | undefined;
  /** Computed by observeMachine of packages/ssvirt/src/kubevirt/status; present if `vm` is. */
  readonly observation?: MachineObservation | undefined;
  readonly webhook?: WebhookRecord | undefined;
  readonly loadBalancerAddress?: string | undefined;
  /** What a deletion waits for, as a sentence. */
  readonly deletionWaits?: string | undefined;
}

export interface ChildState {
  readonly condition: ChildCondition;
  /** It exists as ordered. */
  readonly applied: boolean;
  /**
   * For a child that has to become ready, such as a Service that needs an address. If absent, being applied is enough.
   */
  readonly ready?: boolean;
  /** A sentence, if there is something to report. */
  readonly message?: string;
}

/** `vm` is a VirtualMachine as it came over the wire. */
export function isMachineReady(vm: unknown): boolean {
  return saying(fields(fields(vm)['status'])['conditions'], 'Ready', 'True') !== undefined;
}
