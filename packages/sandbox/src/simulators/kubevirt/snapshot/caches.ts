/** The objects that the controllers of snapshots and restores read. */
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { perCluster } from '@ssvirt/kube/per-cluster';
import {
  persistentVolumeClaims,
  virtualMachineInstances,
  virtualMachines,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '../objects.ts';
import {
  contents,
  restores,
  snapshots,
  type VirtualMachineRestore,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
} from './kinds.ts';

export interface SnapshotCaches {
  readonly snapshots: Informer<VirtualMachineSnapshot>;
  readonly contents: Informer<VirtualMachineSnapshotContent>;
  readonly restores: Informer<VirtualMachineRestore>;
  readonly vms: Informer<VirtualMachine>;
  readonly vmis: Informer<VirtualMachineInstance>;
  readonly claims: Informer<PersistentVolumeClaim>;
}

/** Indexes snapshots and restores by `namespace/name` of their VM. */
export const VM_INDEX = 'kubevirt-snapshotted-vm';

export const cachesOf: (cluster: Cluster) => SnapshotCaches = perCluster(({ informers }) => {
  const caches = {
    snapshots: informers.informer(snapshots),
    contents: informers.informer(contents),
    restores: informers.informer(restores),
    vms: informers.informer(virtualMachines),
    vmis: informers.informer(virtualMachineInstances),
    claims: informers.informer(persistentVolumeClaims),
  };
  caches.snapshots.addIndex(VM_INDEX, ({ metadata, spec }) => [`${metadata.namespace ?? ''}/${spec.source.name}`]);
  caches.restores.addIndex(VM_INDEX, ({ metadata, spec }) => [`${metadata.namespace ?? ''}/${spec.target.name}`]);
  return caches;
});
