/** All that is known of a Machine when it is explained: gathered by gather.ts, told by debug-page.ts. There is nothing of any Secret in it. */
import type { MachineStatus } from '../../virt/status/machine-status.ts';
import type { SeenObject } from '../cluster/child.ts';
import type { SeenEvent } from '../cluster/events.ts';
import type { Leader } from '../cluster/leader.ts';
import type { Nearby } from '../cluster/nearby.ts';
import type { Machine } from './kinds.ts';

export interface MachineCase {
  readonly namespace: string;
  readonly name: string;
  /** In milliseconds. */
  readonly now: number;
  /** Absent where there is none; then `near` is there. */
  readonly machine?: Machine;
  readonly near?: Nearby;
  /** In words, or what is wrong with it. */
  readonly asked?: { readonly words: string } | { readonly problem: string };
  /** Those that a Machine may be placed on. */
  readonly configs: readonly SeenConfig[];
  /** Absent where it is placed nowhere. */
  readonly member?: SeenMember;
  /** The newest first, of the supervisor and of the cluster. */
  readonly events: readonly SeenEvent[];
  readonly leader?: Leader;
  /** Of the supervisor. */
  readonly unread: readonly string[];
}

export interface SeenConfig {
  readonly name: string;
  readonly phase: string;
  readonly message?: string;
}

/** The cluster that it is placed on. */
export interface SeenMember {
  readonly name: string;
  /** Why nothing can be said of what is there; `found` is absent then. */
  readonly unreached?: string;
  readonly found?: FoundInMember;
}

export interface FoundInMember {
  readonly children: readonly SeenChild[];
  /** Absent where there is no VirtualMachine of it. */
  readonly vm?: SeenVm;
  readonly unread: readonly string[];
}

export interface SeenChild extends SeenObject {
  readonly whose?: "the Machine's" | 'shared' | "another's";
}

export interface SeenVm {
  readonly printableStatus?: string;
  readonly status: MachineStatus;
  readonly node?: string;
  readonly addresses: readonly string[];
  /** What hinders it, as a sentence. */
  readonly fault?: string;
}
