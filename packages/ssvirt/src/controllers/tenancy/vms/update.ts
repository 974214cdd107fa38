/** Changes an existing VM: sets the requested fields to their values in the row if they differ. */
import { defined } from '@ssvirt/base/values/defined';
import type { TaskFailure } from '../../../db/work-queue/claimed-tasks.ts';
import type { ObservedSettings } from '../../../db/vms/vm-applied.ts';
import type { OpenVmTask } from '../../../db/vms/vm-work.ts';
import type { Unstructured } from '@ssvirt/kube/object';
import { fields, text } from '../../../kubevirt/facts/reading.ts';
import { vmFacts } from '../../../kubevirt/facts/vm.ts';
import { changeOf, type DesiredVm } from '../../../kubevirt/tenant-vm/change.ts';
import { specOf } from '../../../kubevirt/tenant-vm/live.ts';
import { refusalOf } from '../engine/failures.ts';
import { reportTask, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { patchVm } from './vm-client.ts';

export async function update(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  const { patch, refusal } = changeOf(live, desiredVm(attempt, task));
  if (refusal !== undefined) return refused(live, { minorErrorCode: 'CONFLICT', message: refusal });
  if (patch === undefined) return { kind: 'done', live };
  await reportTask(attempt, task, 'changing the machine', 50);
  try {
    return { kind: 'done', live: await patchVm(attempt, live, patch) };
  } catch (error) {
    const why = refusalOf(error, attempt.claim.cluster);
    if (why === undefined) throw error;
    return refused(live, why.failure);
  }
}

/** Only requested fields. Other differences are changes that were made in the cluster, and stay. */
function desiredVm({ work: { vm }, spec, identity }: VmAttempt, { details }: OpenVmTask): DesiredVm {
  const { changed } = details;
  const asked: readonly unknown[] = Array.isArray(changed) ? changed : [];
  const all: DesiredVm = {
    name: identity.name,
    description: identity.description,
    vappName: identity.vappName,
    ...(vm.cpu_count === null ? {} : { cpus: vm.cpu_count }),
    ...(vm.memory_mb === null ? {} : { memoryMb: vm.memory_mb }),
    ...defined({ instancetype: spec.instancetype }),
  };
  const wanted = Object.entries(all).filter(([field]) => asked.includes(field) || field === 'vappName');
  return Object.fromEntries(wanted);
}

function refused(live: Unstructured, failure: TaskFailure): TaskOutcome {
  return { kind: 'failed', live, failure, dropped: { size: sizeOf(live), spec: (spec) => withType(spec, live) } };
}

function sizeOf(live: Unstructured): NonNullable<ObservedSettings['size']> {
  const { cpuCount, memoryMb } = vmFacts(live);
  return defined({ cpuCount, memoryMb });
}

/** If the row names an instance type, sets it to the one that the VM has. */
function withType(spec: Readonly<Record<string, unknown>>, live: Unstructured): Readonly<Record<string, unknown>> {
  const { name, kind } = fields(specOf(live)['instancetype']);
  const found = text(name);
  if (spec['instancetype'] === undefined || found === undefined) return spec;
  const foundKind = text(kind);
  return { ...spec, instancetype: { name: found, ...defined({ kind: foundKind }) } };
}
