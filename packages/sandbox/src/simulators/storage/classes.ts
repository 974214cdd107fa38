/** The storage classes of a sandbox: one that binds at once, and one that waits for the first consumer. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

export const DRIVER = 'csi.sandbox.ssvirt.io';
export const STANDARD = 'standard';
export const LOCAL = 'local';

export const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
export const DEFAULT_VIRT_CLASS = 'storageclass.kubevirt.io/is-default-virt-class';

export const csiDrivers: ResourceType = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  namespaced: false,
};

export function csiDriver(): Unstructured {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: DRIVER },
    spec: { attachRequired: false, podInfoOnMount: false, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] },
  };
}

/** If the cluster has a default class of its own, that remains the default. */
export function storageClass(name: string, isDefault: boolean): Unstructured {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name,
      ...(isDefault ? { annotations: { [DEFAULT_CLASS]: 'true', [DEFAULT_VIRT_CLASS]: 'true' } } : {}),
    },
    provisioner: DRIVER,
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
    volumeBindingMode: name === LOCAL ? 'WaitForFirstConsumer' : 'Immediate',
  };
}
