/** What the functions of the VM controller work with. */
import type { Client } from '@ssvirt/kube/client/client';
import { regarding } from '@ssvirt/kube/events/event';
import type { EventRecorder } from '@ssvirt/kube/events/recorder';
import { virtualMachines, type VirtualMachine } from '../objects.ts';
import type { Retries } from '../vmi/retries.ts';
import type { VmCaches } from './caches.ts';
import type { Instancetypes } from './instancetypes.ts';

/** `RetryTime` is the uid of the failed VMI. */
export interface RetryTime {
  readonly failed: string;
  readonly at: string;
}

export interface Shell {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly caches: VmCaches;
  readonly instancetypes: Instancetypes;
  readonly scaled: (milliseconds: number) => number;
  /**
   * When VMs are retried after a failed start, by the key of the VM; kept here because the status has whole seconds
   * only.
   */
  readonly retryAt: Map<string, RetryTime>;
  /** The retries of VMs whose reconcile failed. */
  readonly retries: Retries;
  readonly signal: AbortSignal;
}

export function say(shell: Shell, vm: VirtualMachine, type: 'Normal' | 'Warning', reason: string, text: string): void {
  shell.recorder.event(regarding(virtualMachines, vm), type, reason, text);
}
