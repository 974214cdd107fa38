/** The kinds that are watched. Nothing here is ever written: the controller's RBAC contains no verb for that. */
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';

export { eventType as events } from '../../kube/events/event.ts';
export { dataVolumes, instances, virtualMachines } from '../../fleet/kinds.ts';

export const templateInstances: ResourceType<KubeObject> = {
  group: 'template.openshift.io',
  version: 'v1',
  kind: 'TemplateInstance',
  plural: 'templateinstances',
  namespaced: true,
};
