/** Kinds of objects that VMs leave in a cluster, besides those that the API server itself creates. */
import type { KubeObject } from '../../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../../packages/kube/src/resource-type.ts';

const core = { group: '', version: 'v1', namespaced: true } as const;

export const namespaces: ResourceType<KubeObject> = {
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export const configMaps: ResourceType = { ...core, kind: 'ConfigMap', plural: 'configmaps' };

export const volumeClaims: ResourceType<KubeObject> = {
  ...core,
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
};

export const machineInstances: ResourceType = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  namespaced: true,
};
