/** The kinds that an order is told by and made of. */
import type { KubeObject } from '../../kube/object.ts';
import type { ShapedStatus } from '../../kube/reconcile/shape.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { group, kind, version, type OrderFacts, type OrderSpec } from '../../virt/order/resource.ts';
import type { OrderTemplateSpec } from '../../virt/order/template.ts';

/** Who owns our fields. Never to be changed: fields that were applied under another name would stay behind. */
export const fieldManager = 'ssvirt-cloudkit-operator';

/** In logs and metrics. */
export const controllerName = 'Order';

export interface OrderStatus extends OrderFacts, ShapedStatus {}

export interface Order extends KubeObject {
  readonly spec: OrderSpec;
  readonly status?: OrderStatus;
}

export const orders: ResourceType<Order> = { group, version, kind, plural: 'virtualmachines', namespaced: true };

export interface OrderTemplate extends KubeObject {
  readonly spec: OrderTemplateSpec;
  readonly status?: ShapedStatus;
}

export const orderTemplates: ResourceType<OrderTemplate> = {
  group,
  version,
  kind: 'OrderTemplate',
  plural: 'ordertemplates',
  namespaced: false,
};

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

export const services: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
};

export const configMaps: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export const storageClasses: ResourceType<KubeObject> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
};
