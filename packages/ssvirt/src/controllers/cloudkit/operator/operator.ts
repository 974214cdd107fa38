/** What all controllers of the operator share. */
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { Logger } from 'pino';
import type { Config } from '@ssvirt/base/config/keys';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { EventType } from '@ssvirt/kube/events/event';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { KubeObject } from '@ssvirt/kube/object';
import type { Applier } from '@ssvirt/kube/reconcile/apply-child';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Aap } from '../aap/aap.ts';
import type { OrderCaches } from './caches.ts';
import type { OrderMetrics } from './metrics.ts';

export interface OrderOperatorContext {
  readonly config: Config['cloudkit'];
  readonly instruments: { readonly log: Logger; readonly metrics: Metrics };
  readonly metrics: OrderMetrics;
  readonly applier: Applier;
  readonly aap: Aap;
  /** Where images of disks may be imported from. */
  readonly images: UrlFilter;
  readonly caches: (cluster: Cluster) => OrderCaches;
}

/** `tellEvent` drops the Event if the leader's term has ended. */
export function tellEvent<T extends KubeObject>(
  { recorder }: Cluster,
  type: ResourceType<T>,
  object: T,
  [kind, reason, message]: readonly [EventType, string, string],
): void {
  const apiVersion = `${type.group}/${type.version}`;
  recorder.event({ ...object, apiVersion, kind: type.kind }, kind, reason, message);
}
