/**
 * The kinds, labels and annotations that AAP reads and writes. An order is a `VirtualMachine` of CloudKit; the objects
 * that are created for it are KubeVirt's and Kubernetes' own kinds.
 */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

const core = { group: '', version: 'v1', namespaced: true } as const;
const kubevirt = { group: 'kubevirt.io', version: 'v1', namespaced: true } as const;

export const orders: ResourceType<KubeObject> = {
  group: 'cloudkit.openshift.io',
  version: 'v1alpha1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};

export const secrets: ResourceType<KubeObject> = { ...core, kind: 'Secret', plural: 'secrets' };
export const services: ResourceType<KubeObject> = { ...core, kind: 'Service', plural: 'services' };

export const dataVolumes: ResourceType<KubeObject> = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'DataVolume',
  plural: 'datavolumes',
  namespaced: true,
};

export const virtualMachines: ResourceType<KubeObject> = {
  ...kubevirt,
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
};

export const instances: ResourceType<KubeObject> = {
  ...kubevirt,
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
};

export const storageClasses: ResourceType<KubeObject> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};

/**
 * The label on what the role creates; its value is the name of the order. The key depends on the generation of the
 * role.
 */
export const labelKeys = {
  computeinstance: 'cloudkit.openshift.io/computeinstance',
  virtualmachine: 'cloudkit.openshift.io/virtualmachine',
} as const;

/** Annotations that AAP writes to the order: what it created, and the address at which the VM is reached. */
export const annotations = {
  reconciledConfigVersion: 'cloudkit.openshift.io/reconciled-config-version',
  floatingIp: 'cloudkit.openshift.io/floating-ip-address',
} as const;
