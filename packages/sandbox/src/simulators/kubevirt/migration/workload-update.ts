/**
 * Selects the VMIs that virt-controller's workload updater migrates: those that run with fewer CPUs or less memory than
 * they should have by now.
 */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { annotations } from './names.ts';
import { isDeleting, isMigrating } from './state.ts';

/** True if KubeVirt exists and is configured to migrate workloads; by default it is not. */
export function movesWorkloads(kubeVirt: Unstructured | undefined): boolean {
  const { spec, status } = (kubeVirt ?? {}) as { readonly spec?: JsonObject; readonly status?: JsonObject };
  if (textAt(status, 'phase') !== 'Deployed') return false;
  return textsAt(objectAt(spec, 'workloadUpdateStrategy'), 'workloadUpdateMethods').includes('LiveMigrate');
}

export function isToMove(vmi: VirtualMachineInstance): boolean {
  const { phase, conditions } = vmi.status ?? {};
  if (phase !== 'Running' || isDeleting(vmi) || isMigrating(vmi)) return false;
  const isChanged =
    has(conditions, 'HotVCPUChange') ||
    has(conditions, 'HotMemoryChange', 'True') ||
    has(conditions, 'MigrationRequired', 'True');
  return isChanged && has(conditions, 'LiveMigratable', 'True');
}

export function workloadUpdateOf({ metadata }: VirtualMachineInstance): VirtualMachineInstanceMigration {
  const { namespace = '', name = '' } = metadata;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: {
      generateName: 'kubevirt-workload-update-',
      namespace,
      annotations: { [annotations.workloadUpdate]: '' },
    },
    spec: { vmiName: name },
  };
}
