/** The kinds that are watched. Nothing here is ever written: the controller's RBAC contains no verb for that. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

export { eventType as events } from '@ssvirt/kube/events/event';
export { dataVolumes, instances, virtualMachines } from '../../fleet/kinds.ts';

export const templateInstances: ResourceType<KubeObject> = {
  group: 'template.openshift.io',
  version: 'v1',
  kind: 'TemplateInstance',
  plural: 'templateinstances',
  namespaced: true,
};
