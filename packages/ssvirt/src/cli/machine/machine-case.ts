/**
 * Everything known about a Machine: collected by gather.ts, printed by debug-page.ts. It contains nothing from Secrets.
 */
import type { DerivedVmStatus } from '../../kubevirt/status/vm-status.ts';
import type { SeenObject } from '../cluster/child.ts';
import type { SeenEvent } from '../cluster/events.ts';
import type { Leader } from '../cluster/leader.ts';
import type { Nearby } from '../cluster/nearby.ts';
import type { ShownMachine } from './shown-machine.ts';

export interface MachineCase {
  readonly namespace: string;
  readonly name: string;
  /** In milliseconds. */
  readonly now: number;
  /** Absent if it does not exist; then `near` is set. */
  readonly machine?: ShownMachine;
  readonly near?: Nearby;
  /** The desired state in words, or what is wrong with it. */
  readonly asked?: { readonly words: string } | { readonly problem: string };
  /** The clusters on which a Machine can be placed. */
  readonly configs: readonly SeenConfig[];
  /** Absent if the Machine is not placed. */
  readonly member?: SeenMember;
  /** Of the supervisor and of the cluster, newest first. */
  readonly events: readonly SeenEvent[];
  readonly leader?: Leader;
  /** Kinds that could not be read in the supervisor. */
  readonly unread: readonly string[];
}

export interface SeenConfig {
  readonly name: string;
  readonly phase: string;
  readonly message?: string;
}

/** `SeenMember` is the cluster on which the Machine is placed. */
export interface SeenMember {
  readonly name: string;
  /** Why its content is unknown; then `found` is absent. */
  readonly unreached?: string;
  readonly found?: FoundInMember;
}

export interface FoundInMember {
  readonly children: readonly SeenMachineChild[];
  /** Absent if the Machine has no VirtualMachine. */
  readonly vm?: SeenVm;
  readonly unread: readonly string[];
}

export interface SeenMachineChild extends SeenObject {
  readonly whose?: "the Machine's" | 'shared' | "another's";
}

export interface SeenVm {
  readonly printableStatus?: string;
  readonly status: DerivedVmStatus;
  readonly node?: string;
  readonly addresses: readonly string[];
  /** What blocks it, as a sentence. */
  readonly fault?: string;
}
