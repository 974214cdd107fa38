/** Kinds that a cluster with KubeVirt has, shared by all code that works in one. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

export const virtualMachines: ResourceType<KubeObject> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};

export const instances: ResourceType<KubeObject> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  namespaced: true,
};

export const dataVolumes: ResourceType<KubeObject> = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'DataVolume',
  plural: 'datavolumes',
  namespaced: true,
};

export const claims: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
};

export const storageClasses: ResourceType<KubeObject> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};
