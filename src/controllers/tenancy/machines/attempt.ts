/** One attempt on a machine: what was seen of it, and how those are told who wait. */
import type { DroppedWish, MadeVm } from '../../../db/vm-applied.ts';
import type { TaskFailure } from '../../../db/claimed-tasks.ts';
import { completeClaim } from '../../../db/reconciliations.ts';
import type { VmTask, VmWork } from '../../../db/vm-work.ts';
import type { Unstructured } from '../../../kube/object.ts';
import { labels, type MachineIdentity } from '../../../virt/machine/labels.ts';
import type { MachineSpec } from '../../../virt/machine/spec.ts';
import { reportStep, type Context, type Result } from '../context.ts';
import type { TenancySettings } from '../settings.ts';

export interface VmAttempt extends Context {
  readonly work: VmWork;
  readonly identity: MachineIdentity;
  /** Of one that was discovered it has nothing. */
  readonly spec: Partial<MachineSpec>;
  /** What stands in the cluster under its name, seen before the desired state was read; whosesoever. */
  readonly live: Unstructured | undefined;
}

/** What an attempt has done for a task, and the machine as it is then. */
export type TaskOutcome =
  | { readonly kind: 'done'; readonly live: Unstructured }
  | {
      readonly kind: 'failed';
      readonly live: Unstructured;
      readonly failure: TaskFailure;
      /** Asked for with it, and not to be had. */
      readonly dropped?: DroppedWish;
    }
  | {
      readonly kind: 'waiting';
      readonly live: Unstructured;
      readonly message: string;
      /** For so long by now. */
      readonly sinceMs: number;
    };

export function attemptOf(context: Context, work: VmWork, live: Unstructured | undefined): VmAttempt {
  const { vm, vapp, vdc, installationId } = work;
  const identity: MachineIdentity = {
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
  // Written by the API server, after all of it has been checked.
  return { ...context, work, identity, live, spec: vm.spec };
}

/** The one that was made for the row; before that is recorded, one that says so itself. */
export function ownMachine({ work: { uid, vm, installationId }, live }: VmAttempt): Unstructured | undefined {
  if (live === undefined) return undefined;
  if (uid !== null) return live.metadata.uid === uid ? live : undefined;
  const found = live.metadata.labels ?? {};
  return found[labels.vmId] === vm.id && found[labels.installationId] === installationId ? live : undefined;
}

export function madeOf({ metadata }: Unstructured): MadeVm {
  return { uid: metadata.uid ?? '', generation: metadata.generation ?? 0 };
}

export function reportTask(attempt: VmAttempt, task: VmTask, step: string, progress: number): Promise<void> {
  return reportStep(attempt, [task], step, progress);
}

/** The longer it has taken, the less often it is looked: what the vm-controller sees meanwhile wakes the work. */
export function pauseSince(sinceMs: number, { waitMs, maxWaitMs }: TenancySettings): number {
  return Math.min(Math.max(sinceMs / 2, waitMs), maxWaitMs);
}

export async function waitOn(attempt: VmAttempt, message: string, sinceMs: number): Promise<Result> {
  const { db, claim, settings } = attempt;
  await completeClaim(db, claim, { dueInMs: pauseSince(sinceMs, settings), message });
  return 'waiting';
}

/** How long those wait who wait longest. */
export function longestWait({ work: { tasks } }: VmAttempt): number {
  return Math.max(0, ...tasks.map(({ sinceMs }) => sinceMs));
}
