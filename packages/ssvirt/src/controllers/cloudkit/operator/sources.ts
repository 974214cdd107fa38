/** What wakes an order: the order itself, its children, and what it depends on. Nothing is polled. */
import type { Projected } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { enqueueMapped, enqueueObject, type Target } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import { keyOf, keyOfObject } from '@ssvirt/kube/object';
import { parentOf } from '@ssvirt/kube/reconcile/owners';
import { labels } from '../../../kubevirt/order/resource.ts';
import { byTarget, byTemplate, byTenant } from './caches.ts';
import { orders, type Order, type OrderTemplate } from './order-types.ts';
import type { OrderOperatorContext } from './operator.ts';

export function sourcesOf(operator: OrderOperatorContext, cluster: Cluster): readonly Source[] {
  const caches = operator.caches(cluster);
  const keysOf = (those: readonly Order[]): readonly Target[] => those.map(keyOfObject);
  /** The order that an object names as its parent, or else the order of the same name in that tenant namespace. */
  const orderOf = ({ metadata }: Projected): readonly Target[] => {
    const parent = parentOf({ metadata }, orders);
    if (parent !== undefined) return [parent];
    const name = metadata.labels?.[labels.order] ?? metadata.labels?.[labels.instance];
    if (name === undefined || metadata.namespace === undefined) return [];
    return keysOf(caches.orders.byIndex(byTarget, keyOf({ namespace: metadata.namespace, name })));
  };
  /** Orders that may be waiting for the changed object. */
  const unready = (those: readonly Order[]): readonly Target[] =>
    keysOf(those.filter(({ status }) => status?.phase !== 'Ready'));
  const children = enqueueMapped(orderOf);
  return [
    watches(caches.orders, enqueueObject),
    ...caches.vms.sources(children),
    ...caches.instances.sources(children),
    ...caches.dataVolumes.sources(children),
    watches(caches.claims, children),
    watches(caches.services, children),
    caches.secrets.source({
      handler: children,
      opened: (namespace) => keysOf(caches.orders.byIndex(byTenant, namespace)),
    }),
    watches(caches.configMaps, children),
    watches(
      caches.classes,
      enqueueMapped(() => unready(caches.orders.list())),
    ),
    watches(
      caches.namespaces,
      enqueueMapped(({ metadata }: Projected) => unready(caches.orders.byIndex(byTenant, metadata.name ?? ''))),
    ),
    watches(
      caches.templates,
      enqueueMapped(({ spec }: OrderTemplate) => keysOf(caches.orders.byIndex(byTemplate, spec.templateID))),
    ),
  ];
}
