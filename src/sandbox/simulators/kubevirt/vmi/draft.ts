/** What a decision about a VMI is made of: what is there, and what is being changed meanwhile. */
import type {
  DataVolume,
  PersistentVolumeClaim,
  Pod,
  VirtualMachineInstance,
  VirtualMachineInstanceStatus,
} from '../objects.ts';
import type { Conditions, SyncError } from './conditions.ts';
import { isTemporary } from './pods.ts';

export interface Scene {
  readonly vmi: VirtualMachineInstance;
  /** All that it controls, targets of migrations too. */
  readonly pods: readonly Pod[];
  readonly pod: Pod | undefined;
  /** Of the current pod. */
  readonly attachments: readonly Pod[];
  readonly dataVolumes: readonly DataVolume[];
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly hasOwnerVm: boolean;
  readonly now: string;
}

export interface Told {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface Decision {
  readonly vmi: VirtualMachineInstance;
  readonly events: readonly Told[];
}

/** A status that is being written. */
type Status = { -readonly [K in keyof VirtualMachineInstanceStatus]: VirtualMachineInstanceStatus[K] };

/** What is being changed while a decision is made. */
export interface Draft {
  readonly status: Status;
  conditions: Conditions;
  labels: Readonly<Record<string, string>> | undefined;
  finalizers: readonly string[] | undefined;
  error: SyncError | undefined;
  readonly events: Told[];
}

/** Others write it too: only what differs is sent. */
export function isHandedOver({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running' || status?.phase === 'Scheduled';
}

export const launcherOf = ({ pod }: Scene): Pod | undefined =>
  pod === undefined || isTemporary(pod) ? undefined : pod;

export function dropLabel(draft: Draft, label: string): void {
  if (draft.labels?.[label] === undefined) return;
  const { [label]: _, ...rest } = draft.labels;
  draft.labels = rest;
}

export function dropFinalizer(draft: Draft, finalizer: string): void {
  if (draft.finalizers?.includes(finalizer) === true)
    draft.finalizers = draft.finalizers.filter((other) => other !== finalizer);
}
