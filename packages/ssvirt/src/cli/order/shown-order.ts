/** The resources that the order commands read in the supervisor. They write nothing. */
import type { KubeObject } from '@ssvirt/kube/object';
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

export const orders: ResourceType<ShownOrder> = { group, version, kind, plural: 'virtualmachines', namespaced: true };

export const orderTemplates: ResourceType<ShownOrderTemplate> = {
  group,
  version,
  kind: 'OrderTemplate',
  plural: 'ordertemplates',
  namespaced: false,
};

/** Stands for the uid of an order that does not exist yet. */
export const noUid = '00000000-0000-0000-0000-000000000000';

export function identityOf(order: ShownOrder): OrderIdentity {
  const { uid = noUid } = order.metadata;
  const known = { ...order, metadata: { ...order.metadata, uid } };
  return orderIdentity(known, parentMarks(orders, known), controllerReference(orders, known));
}
