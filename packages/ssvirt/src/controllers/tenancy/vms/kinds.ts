/** The kinds that make up a VM in its cluster. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

export const virtualMachines: ResourceType = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  namespaced: true,
};

export { eventType as events } from '@ssvirt/kube/events/event';
export { dataVolumes } from '../../../fleet/kinds.ts';

/** Secrets are created and deleted, and never read. */
export const secrets: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};

/** The API with the subresources of VMs and instances: start, stop, pause … */
export const subresources = 'subresources.kubevirt.io/v1';

/** The APIs that process KubeVirt's templates, the newest first. */
export const templateSubresources = [
  'subresources.template.kubevirt.io/v1beta1',
  'subresources.template.kubevirt.io/v1alpha1',
] as const;
