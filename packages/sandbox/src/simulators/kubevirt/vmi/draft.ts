/** The input of a decision about a VMI, and the draft that it changes. */
import type {
  DataVolume,
  PersistentVolumeClaim,
  Pod,
  VirtualMachineInstance,
  VirtualMachineInstanceStatus,
} from '../objects.ts';
import type { Conditions, VmiSyncError } from './conditions.ts';
import { isTemporary } from './pods.ts';

export interface VmiScene {
  readonly vmi: VirtualMachineInstance;
  /** All pods that the VMI controls, including migration targets. */
  readonly pods: readonly Pod[];
  readonly pod: Pod | undefined;
  /** The attachment pods of the current launcher. */
  readonly attachments: readonly Pod[];
  readonly dataVolumes: readonly DataVolume[];
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly hasOwnerVm: boolean;
  readonly now: string;
}

export interface VmiEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface VmiDecision {
  readonly vmi: VirtualMachineInstance;
  readonly events: readonly VmiEvent[];
}

/** A mutable status. */
type Status = { -readonly [K in keyof VirtualMachineInstanceStatus]: VirtualMachineInstanceStatus[K] };

/** The changes that a decision collects. */
export interface Draft {
  readonly status: Status;
  conditions: Conditions;
  labels: Readonly<Record<string, string>> | undefined;
  finalizers: readonly string[] | undefined;
  error: VmiSyncError | undefined;
  readonly events: VmiEvent[];
}

/** True if virt-handler writes the VMI too: then only differences are sent. */
export function isHandedOver({ status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running' || status?.phase === 'Scheduled';
}

export const launcherOf = ({ pod }: VmiScene): Pod | undefined =>
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
