/** What the operator knows of a cluster without a request: the orders, their children, and what they depend on. */
import { defined } from '@ssvirt/base/values/defined';
import { withoutBallast, type WithFacts } from '../../../fleet/projections.ts';
import type { Informer, Projected } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { NamespacedKind } from '@ssvirt/kube/controller/namespaced-kind';
import { perCluster } from '@ssvirt/kube/per-cluster';
import { childrenOfKindSelector } from '@ssvirt/kube/reconcile/owners';
import {
  claims,
  configMaps,
  dataVolumes,
  instances,
  namespaces,
  secrets,
  services,
  storageClasses,
  virtualMachines,
} from '../../../fleet/kinds.ts';
import type { StorageClassFacts } from '../../../kubevirt/machine/storage-class.ts';
import { tenantOf } from '../../../kubevirt/order/tenant.ts';
import {
  childProjection,
  claimProjection,
  classProjection,
  dataVolumeProjection,
  instanceProjection,
  namespaceProjection,
  orderProjection,
  serviceProjection,
  vmProjection,
  type ProjectedOrderClaim,
  type ProjectedOrderDataVolume,
  type OrderInstance,
  type ProjectedService,
  type OrderVm,
} from './projections.ts';
import { orders, orderTemplates, type Order, type OrderTemplate } from './order-types.ts';
import { LabelledKind } from './labelled-kind.ts';
import { withParents } from '../parents.ts';
import { byTemplateId } from '../custom/templates.ts';

export interface OrderCaches {
  readonly orders: Informer<Order>;
  readonly templates: Informer<OrderTemplate>;
  readonly vms: LabelledKind<OrderVm>;
  readonly instances: LabelledKind<OrderInstance>;
  readonly dataVolumes: LabelledKind<ProjectedOrderDataVolume>;
  readonly claims: Informer<ProjectedOrderClaim>;
  readonly services: Informer<ProjectedService>;
  /** Only metadata is cached, never the contents. Covers the namespaces in which a RoleBinding grants access. */
  readonly secrets: NamespacedKind<KubeObject>;
  readonly configMaps: Informer<KubeObject>;
  readonly classes: Informer<WithFacts<StorageClassFacts>>;
  readonly namespaces: Informer<Projected>;
}

/** `<tenant namespace>/<name>`: finds the order of an object that does not carry our labels. */
export const byTarget = 'target';
export const byTenant = 'tenant namespace';
export const byTemplate = 'template';

export interface CacheOptions {
  /** The only namespace whose orders are reconciled. The default is all namespaces. */
  readonly orderNamespace?: string | undefined;
  /** The interval at which all orders are reconciled. The default is never. */
  readonly resyncMs?: number | undefined;
}

export function orderCaches({ orderNamespace, resyncMs }: CacheOptions): (cluster: Cluster) => OrderCaches {
  const children = { labelSelector: childrenOfKindSelector(orders), consistent: true } as const;
  return perCluster((cluster) => {
    const { informers } = cluster;
    const orderCache = indexed(
      informers.informer(orders, {
        projection: orderProjection,
        // An outdated list may contain an order that is already gone. Children created for it would belong to no order.
        consistent: true,
        ...(orderNamespace === undefined ? {} : { namespaces: [orderNamespace] }),
        ...(resyncMs === undefined || resyncMs === 0 ? {} : { resyncMs }),
      }),
    );
    const secretCaches = new NamespacedKind(secrets, (namespace) =>
      withParents(
        informers.informer(secrets, {
          ...children,
          namespaces: [namespace],
          metadataOnly: true,
          projection: childProjection,
        }),
      ),
    );
    orderCache.addHandler({
      name: 'secrets of orders',
      added: () => undefined,
      updated: () => undefined,
      deleted(order) {
        const namespace = tenantOf(order);
        if (orderCache.byIndex(byTenant, namespace).length === 0) secretCaches.release(namespace);
      },
    });
    return {
      orders: orderCache,
      templates: byId(
        informers.informer(orderTemplates, {
          projection: { name: 'order template', project: withoutBallast<OrderTemplate> },
        }),
      ),
      vms: new LabelledKind(cluster, virtualMachines, vmProjection),
      instances: new LabelledKind(cluster, instances, instanceProjection),
      dataVolumes: new LabelledKind(cluster, dataVolumes, dataVolumeProjection),
      claims: withParents(informers.informer(claims, { ...children, projection: claimProjection })),
      services: withParents(informers.informer(services, { ...children, projection: serviceProjection })),
      secrets: secretCaches,
      configMaps: withParents(
        informers.informer(configMaps, { ...children, metadataOnly: true, projection: childProjection }),
      ),
      classes: informers.informer(storageClasses, { projection: classProjection }),
      namespaces: informers.informer(namespaces, { metadataOnly: true, projection: namespaceProjection }),
    };
  });
}

function indexed(cache: Informer<Order>): Informer<Order> {
  cache.addIndex(byTarget, (order) => [
    keyOf({ namespace: tenantOf(order), ...defined({ name: order.metadata.name }) }),
  ]);
  cache.addIndex(byTenant, (order) => [tenantOf(order)]);
  cache.addIndex(byTemplate, ({ spec }) => [spec.templateID]);
  return cache;
}

function byId(cache: Informer<OrderTemplate>): Informer<OrderTemplate> {
  cache.addIndex(byTemplateId, ({ spec }) => [spec.templateID]);
  return cache;
}
