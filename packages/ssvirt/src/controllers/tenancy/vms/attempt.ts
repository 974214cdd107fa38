/** One attempt on a VM: what was observed, and how it reports to its tasks. */
import type { ObservedSettings, MadeVm } from '../../../db/vms/vm-applied.ts';
import type { TaskFailure } from '../../../db/work-queue/claimed-tasks.ts';
import { completeClaim } from '../../../db/work-queue/reconciliations.ts';
import type { OpenVmTask, VmWork } from '../../../db/vms/vm-work.ts';
import type { Unstructured } from '@ssvirt/kube/object';
import { labels, type VmIdentity } from '../../../kubevirt/tenant-vm/labels.ts';
import type { VmSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { reportStep, type Context, type Result } from '../engine/context.ts';
import type { TenancySettings } from '../engine/settings.ts';

export interface VmAttempt extends Context {
  readonly work: VmWork;
  readonly identity: VmIdentity;
  /** Empty for a VM that was discovered in a cluster. */
  readonly spec: Partial<VmSpec>;
  /** The object of that name in the cluster, whoever owns it. Read before the desired state. */
  readonly live: Unstructured | undefined;
}

/** `TaskOutcome` is the result of an attempt for one task, with the VM as it is afterwards. */
export type TaskOutcome =
  | { readonly kind: 'done'; readonly live: Unstructured }
  | {
      readonly kind: 'failed';
      readonly live: Unstructured;
      readonly failure: TaskFailure;
      /** The part of the desired state that cannot be fulfilled. */
      readonly dropped?: ObservedSettings;
    }
  | {
      readonly kind: 'waiting';
      readonly live: Unstructured;
      readonly message: string;
      /** How long the task has waited. */
      readonly sinceMs: number;
    };

export function attemptOf(context: Context, work: VmWork, live: Unstructured | undefined): VmAttempt {
  const { vm, vapp, vdc, installationId } = work;
  const identity: VmIdentity = {
    installationId,
    organizationId: vdc.organizationId,
    vdcId: vdc.id,
    namespace: vm.namespace,
    vappId: vapp.id,
    vappName: vapp.name,
    vmId: vm.id,
    vmName: vm.vm_name,
    name: vm.name,
    description: vm.description,
  };
  // The API server wrote the spec and validated all of it.
  return { ...context, work, identity, live, spec: vm.spec };
}

/** `ownMachine` returns the VM that was created for the row. Before its uid is recorded, the VM whose labels name the row. */
export function ownMachine({ work: { uid, vm, installationId }, live }: VmAttempt): Unstructured | undefined {
  if (live === undefined) return undefined;
  if (uid !== null) return live.metadata.uid === uid ? live : undefined;
  const found = live.metadata.labels ?? {};
  return found[labels.vmId] === vm.id && found[labels.installationId] === installationId ? live : undefined;
}

export function madeOf({ metadata }: Unstructured): MadeVm {
  return { uid: metadata.uid ?? '', generation: metadata.generation ?? 0 };
}

export function reportTask(attempt: VmAttempt, task: OpenVmTask, step: string, progress: number): Promise<void> {
  return reportStep(attempt, [task], step, progress);
}

/** The longer it takes, the longer the pause. Observations of the vm-controller wake the work earlier. */
export function pauseSince(sinceMs: number, { waitMs, maxWaitMs }: TenancySettings): number {
  return Math.min(Math.max(sinceMs / 2, waitMs), maxWaitMs);
}

export async function waitOn(attempt: VmAttempt, message: string, sinceMs: number): Promise<Result> {
  const { db, claim, settings } = attempt;
  await completeClaim(db, claim, { dueInMs: pauseSince(sinceMs, settings), message });
  return 'waiting';
}

/** How long the oldest task has waited. */
export function longestWait({ work: { tasks } }: VmAttempt): number {
  return Math.max(0, ...tasks.map(({ sinceMs }) => sinceMs));
}
