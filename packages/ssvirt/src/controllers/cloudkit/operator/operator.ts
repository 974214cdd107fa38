/** What all controllers of the operator share. */
import type { Logger } from 'pino';
import type { Config } from '../../../config/keys.ts';
import type { Cluster } from '../../../kube/cluster.ts';
import type { EventType } from '../../../kube/events/event.ts';
import type { Metrics } from '../../../kube/metrics/metrics.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Applier } from '../../../kube/reconcile/apply-child.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import type { Aap } from '../aap/aap.ts';
import type { OrderCaches } from './caches.ts';
import type { OrderMetrics } from './metrics.ts';

export interface OrderOperatorContext {
  readonly config: Config['cloudkit'];
  readonly surroundings: { readonly log: Logger; readonly metrics: Metrics };
  readonly metrics: OrderMetrics;
  readonly applier: Applier;
  readonly aap: Aap;
  readonly caches: (cluster: Cluster) => OrderCaches;
}

/** Drops the Event if the leader's term has ended. */
export function tellEvent<T extends KubeObject>(
  { recorder }: Cluster,
  type: ResourceType<T>,
  object: T,
  [kind, reason, message]: readonly [EventType, string, string],
): void {
  const apiVersion = `${type.group}/${type.version}`;
  recorder.event({ ...object, apiVersion, kind: type.kind }, kind, reason, message);
}
