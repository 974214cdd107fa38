/** The kinds that the order commands read. They write nothing. */
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { controllerReference, parentMarks } from '@ssvirt/kube/reconcile/owners';
import type { ShapedStatus } from '@ssvirt/kube/reconcile/shape';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { orderIdentity, type OrderIdentity } from '../../kubevirt/order/identity.ts';
import { group, kind, version, type OrderFacts, type OrderSpec } from '../../kubevirt/order/resource.ts';
import type { OrderTemplateSpec } from '../../kubevirt/order/parameters/template.ts';

export interface ShownOrder extends KubeObject {
  readonly spec: OrderSpec;
  readonly status?: OrderFacts & ShapedStatus;
}

export interface ShownOrderTemplate extends KubeObject {
  readonly spec: OrderTemplateSpec;
}

function namespaced<T extends KubeObject = Unstructured>(
  group: string,
  version: string,
  kind: string,
  plural: string,
): ResourceType<T> {
  return { group, version, kind, plural, namespaced: true };
}

function clusterWide<T extends KubeObject = Unstructured>(
  group: string,
  version: string,
  kind: string,
  plural: string,
): ResourceType<T> {
  return { group, version, kind, plural, namespaced: false };
}

export const orders = namespaced<ShownOrder>(group, version, kind, 'virtualmachines');
export const orderTemplates = clusterWide<ShownOrderTemplate>(group, version, 'OrderTemplate', 'ordertemplates');
export const virtualMachines = namespaced('kubevirt.io', 'v1', 'VirtualMachine', 'virtualmachines');
export const instances = namespaced('kubevirt.io', 'v1', 'VirtualMachineInstance', 'virtualmachineinstances');
export const dataVolumes = namespaced('cdi.kubevirt.io', 'v1beta1', 'DataVolume', 'datavolumes');
export const claims = namespaced('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const services = namespaced('', 'v1', 'Service', 'services');
export const secrets = namespaced('', 'v1', 'Secret', 'secrets');
export const configMaps = namespaced('', 'v1', 'ConfigMap', 'configmaps');
export const namespaces = clusterWide('', 'v1', 'Namespace', 'namespaces');
export const storageClasses = clusterWide('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses');

/** Stands for the uid of an order that does not exist yet. */
export const noUid = '00000000-0000-0000-0000-000000000000';

export function identityOf(order: ShownOrder): OrderIdentity {
  const { uid = noUid } = order.metadata;
  const known = { ...order, metadata: { ...order.metadata, uid } };
  return orderIdentity(known, parentMarks(orders, known), controllerReference(orders, known));
}
