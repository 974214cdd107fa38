/** `createCloudkitOperator` assembles the operator: the controllers, and what they share. */
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { Logger } from 'pino';
import type { Config } from '@ssvirt/base/config/keys';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Controller } from '@ssvirt/kube/controller/controller';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import { Applier } from '@ssvirt/kube/reconcile/apply-child';
import { giveUpRights } from '../../../fleet/health/upgrade-rights.ts';
import { upgradeRights } from './secret-rights.ts';
import { createAap } from '../aap/aap.ts';
import { orderCaches } from './caches.ts';
import { fieldManager } from './order-types.ts';
import { OrderMetrics } from './metrics.ts';
import type { OrderOperatorContext } from './operator.ts';
import { orderController } from '../order.ts';
import { templateController } from '../custom/template-status.ts';

export interface OrderOperatorOptions {
  /** The own cluster. It holds the orders and their children. */
  readonly cluster: Cluster;
  readonly config: Config['cloudkit'];
  readonly images: UrlFilter;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface CloudkitOperator {
  readonly controllers: readonly Controller[];
}

export function createCloudkitOperator({
  cluster,
  config,
  images,
  log,
  metrics,
}: OrderOperatorOptions): CloudkitOperator {
  const caches = orderCaches({ orderNamespace: config.orderNamespace, resyncMs: config.resyncInterval });
  const counted = new OrderMetrics(metrics.registry, {
    *orders() {
      for (const { status } of caches(cluster).orders.list())
        yield { phase: status?.phase ?? 'Progressing', mode: status?.provisionedBy ?? 'none' };
    },
  });
  const operator: OrderOperatorContext = {
    config,
    instruments: { log, metrics },
    metrics: counted,
    applier: new Applier({ fieldManager }),
    aap: createAap(config, log, (action, outcome, seconds) => counted.called(action, outcome, seconds)),
    images,
    caches,
  };
  const controllers = [orderController(operator), templateController(operator)];
  for (const controller of controllers) controller.engage(cluster);
  void giveUpRights(upgradeRights(operator, cluster), cluster.signal);
  return { controllers };
}
