/** The kinds that are watched. Nothing here is ever written: the controller's RBAC has no verb for it. */
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';

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

export const templateInstances: ResourceType<KubeObject> = {
  group: 'template.openshift.io',
  version: 'v1',
  kind: 'TemplateInstance',
  plural: 'templateinstances',
  namespaced: true,
};
