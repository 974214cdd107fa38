/** What a Service's type and addresses imply for the rest of its spec. */
import type { JsonObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { textAt, textsAt } from '../values/fields.ts';

export const needsClusterIP = (spec: JsonObject): boolean => textAt(spec, 'type') !== 'ExternalName';

export function needsNodePort(spec: JsonObject): boolean {
  const type = textAt(spec, 'type');
  return type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
}

export const needsHealthCheck = (spec: JsonObject): boolean =>
  textAt(spec, 'type') === 'LoadBalancer' && textAt(spec, 'externalTrafficPolicy') === 'Local';

export const isHeadless = (spec: JsonObject): boolean => jsonEqual(spec['clusterIPs'], ['None']);

/** `isExternal` returns whether the Service is reachable from outside the cluster. */
export function isExternal(spec: JsonObject): boolean {
  const type = textAt(spec, 'type');
  return (
    type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0)
  );
}
