/** What is known of an order when its status is told. */
import { saying } from '../facts/condition.ts';
import { fields } from '../facts/reading.ts';
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import type { MachineObservation } from '../status/observe.ts';
import type { ChildCondition, Mode, Problem, WebhookRecord } from './resource.ts';

export interface OrderObservation {
  readonly name: string;
  readonly tenantNamespace: string;
  readonly deleting: boolean;
  /** The annotation, as it stands. */
  readonly managementState?: string | undefined;
  /** Absent where the order is so wrong that there is none. */
  readonly desired?: string | undefined;
  /** The annotation's value. */
  readonly reconciled?: string | undefined;
  /** Where a version is pinned: see pinned-spec.ts. */
  readonly reconciledSpecVersion?: string | undefined;
  /** The order has changed since its pinned version was applied. */
  readonly isStale?: boolean;
  /** Who looks after it now; absent where that could not be decided. */
  readonly mode?: Mode | undefined;
  readonly takesOver?: Mode | undefined;
  /** As it is recorded after this round. */
  readonly provisionedBy?: Mode | undefined;
  readonly fallbackConfigVersion?: string | undefined;
  /** What could not be done as asked, also `RetriesExhausted`. */
  readonly problem?: Problem | undefined;
  /** What is waited for, which is no problem. */
  readonly waiting?: { readonly reason: string; readonly message: string } | undefined;
  /** Those that the order asks for, in their order. Conditions are told of them in controller mode. */
  readonly children: readonly ChildState[];
  /** What else is to be known of an order that is as ordered, in a sentence. */
  readonly note?: string | undefined;
  /** A template without a machine: then its children alone decide. */
  readonly machineless?: boolean;
  /** The machine of the order's name that is its own, or AAP's for it. */
  readonly vm?: VmFacts | undefined;
  /** Where it is not the order's: a template may call it otherwise. */
  readonly vmName?: string | undefined;
  /** Its condition Ready is True: see `isMachineReady`. */
  readonly vmReady: boolean;
  readonly vmi?: VmiFacts | undefined;
  readonly dataVolume?: DataVolumeFacts | undefined;
  /** By observeMachine of src/virt/status; there where `vm` is. */
  readonly observation?: MachineObservation | undefined;
  readonly webhook?: WebhookRecord | undefined;
  readonly loadBalancerAddress?: string | undefined;
  /** What a deletion waits for, in a sentence. */
  readonly deletionWaits?: string | undefined;
}

export interface ChildState {
  readonly condition: ChildCondition;
  /** It is there as ordered. */
  readonly applied: boolean;
  /** Of one that has to become ready: a Service its address, say. Where it is not said, being applied is all. */
  readonly ready?: boolean;
  /** A sentence, where there is something to say. */
  readonly message?: string;
}

/** Of a VirtualMachine as it came over the wire. */
export function isMachineReady(vm: unknown): boolean {
  return saying(fields(fields(vm)['status'])['conditions'], 'Ready', 'True') !== undefined;
}
