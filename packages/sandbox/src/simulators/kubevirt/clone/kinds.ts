/** The kind VirtualMachineClone, with the fields that the simulator reads. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Condition } from '../objects.ts';

export type ClonePhase = 'SnapshotInProgress' | 'RestoreInProgress' | 'CreatingTargetVM' | 'Succeeded' | 'Failed';

export interface VirtualMachineClone extends KubeObject {
  readonly spec: {
    readonly source: { readonly kind: string; readonly name: string };
    readonly target?: { readonly kind: string; readonly name: string };
    readonly labelFilters?: readonly string[];
    readonly annotationFilters?: readonly string[];
    readonly newMacAddresses?: Readonly<Record<string, string>>;
    readonly newSMBiosSerial?: string;
    readonly patches?: readonly string[];
  };
  readonly status?: CloneStatus;
}

export interface CloneStatus {
  readonly phase?: ClonePhase;
  readonly conditions?: readonly Condition[];
  readonly snapshotName?: string;
  readonly restoreName?: string;
  readonly targetName?: string;
  readonly [field: string]: unknown;
}

export const clones: ResourceType<VirtualMachineClone> = {
  group: 'clone.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineClone',
  plural: 'virtualmachineclones',
  namespaced: true,
};
