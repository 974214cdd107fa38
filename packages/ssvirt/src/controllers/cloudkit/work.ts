/** One order and its cluster, as the steps receive them. */
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { EventType } from '@ssvirt/kube/events/event';
import { controllerReference, parentMarks } from '@ssvirt/kube/reconcile/owners';
import { orderIdentity, type OrderIdentity } from '../../kubevirt/order/identity.ts';
import type { OrderCaches } from './operator/caches.ts';
import { Journal } from './operator/journal.ts';
import { orders, type Order } from './operator/order-types.ts';
import { tellEvent, type OrderOperatorContext } from './operator/operator.ts';

export interface OrderWork {
  readonly operator: OrderOperatorContext;
  /** The order at the start of the reconcile; `journal.order` is its current state. */
  readonly order: Order;
  readonly journal: Journal;
  readonly identity: OrderIdentity;
  /** Its client refuses to write when leadership may be lost. */
  readonly cluster: Cluster;
  readonly caches: OrderCaches;
  readonly context: ClusterContext;
  readonly signal: AbortSignal;
}

export function workOn(operator: OrderOperatorContext, order: Order, context: ClusterContext): OrderWork {
  const { cluster, signal } = context;
  return {
    operator,
    order,
    journal: new Journal(cluster.client, order, signal),
    identity: identityOf(order),
    cluster,
    caches: operator.caches(cluster),
    context,
    signal,
  };
}

export function identityOf(order: Order): OrderIdentity {
  return orderIdentity(order, parentMarks(orders, order), controllerReference(orders, order));
}

/** `logFields` returns the fields that identify an order in the log. */
export function logFields({ identity }: Pick<OrderWork, 'identity'>): Readonly<Record<string, string>> {
  return { order: identity.name, namespace: identity.namespace };
}

export function tell(work: OrderWork, type: EventType, reason: string, message: string): void {
  tellEvent(work.cluster, orders, work.journal.order, [type, reason, message]);
}
