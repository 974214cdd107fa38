/** Snapshots of VMs, their contents, and restores, with the fields that the simulator reads. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../../values/json.ts';
import type { Condition, VirtualMachine } from '../objects.ts';

export interface VirtualMachineSnapshot extends KubeObject {
  readonly spec: {
    readonly source: { readonly kind: string; readonly name: string };
    readonly deletionPolicy?: string;
    readonly failureDeadline?: string;
  };
  readonly status?: SnapshotStatus;
}

export interface SnapshotStatus {
  readonly phase?: 'InProgress' | 'Succeeded' | 'Failed' | 'Deleting' | 'Unknown';
  readonly readyToUse?: boolean;
  readonly creationTime?: string | null;
  readonly conditions?: readonly Condition[];
  readonly indications?: readonly string[];
  readonly sourceUID?: string;
  readonly virtualMachineSnapshotContentName?: string;
  readonly [field: string]: unknown;
}

export interface VirtualMachineSnapshotContent extends KubeObject {
  readonly spec: {
    readonly virtualMachineSnapshotName?: string;
    readonly source: { readonly virtualMachine?: Pick<VirtualMachine, 'metadata' | 'spec'> };
    readonly volumeBackups?: readonly JsonObject[];
  };
  readonly status?: { readonly readyToUse?: boolean; readonly creationTime?: string | null };
}

export interface VirtualMachineRestore extends KubeObject {
  readonly spec: {
    readonly target: { readonly kind: string; readonly name: string };
    readonly virtualMachineSnapshotName: string;
    readonly targetReadinessPolicy?: string;
    readonly patches?: readonly string[];
  };
  readonly status?: RestoreStatus;
}

export interface RestoreStatus {
  readonly complete?: boolean;
  readonly restoreTime?: string;
  readonly conditions?: readonly Condition[];
  readonly [field: string]: unknown;
}

const of = <T extends KubeObject>(kind: string, plural: string): ResourceType<T> => ({
  group: 'snapshot.kubevirt.io',
  version: 'v1beta1',
  kind,
  plural,
  namespaced: true,
});

export const snapshots = of<VirtualMachineSnapshot>('VirtualMachineSnapshot', 'virtualmachinesnapshots');
export const contents = of<VirtualMachineSnapshotContent>(
  'VirtualMachineSnapshotContent',
  'virtualmachinesnapshotcontents',
);
export const restores = of<VirtualMachineRestore>('VirtualMachineRestore', 'virtualmachinerestores');

export const finalizers = {
  /** The finalizer on the VM while its snapshot is taken. */
  source: 'snapshot.kubevirt.io/snapshot-source-protection',
  snapshot: 'snapshot.kubevirt.io/vmsnapshot-protection',
  content: 'snapshot.kubevirt.io/vmsnapshotcontent-protection',
  restore: 'snapshot.kubevirt.io/vmrestore-protection',
} as const;
