/** The kinds of orders and of their children. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ShapedStatus } from '@ssvirt/kube/reconcile/shape';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { group, kind, version, type OrderFacts, type OrderSpec } from '../../../kubevirt/order/resource.ts';
import type { OrderTemplateSpec } from '../../../kubevirt/order/parameters/template.ts';

/** The field manager of our applies. Never change it: fields applied under another name would stay behind. */
export const fieldManager = 'ssvirt-cloudkit-operator';

/** The controller's name in logs and metrics. */
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
