/** Whether a PodDisruptionBudget lets a pod go. */
import { StatusError } from '../api/status.ts';
import { isObject, type JsonObject, type KubeObject } from '../json.ts';
import { parseEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import { matchesLabelSelector } from './label-selector.ts';

/** The refusal in the eviction API's words, or nothing when the pod may go. */
export function disruptionRefusal(store: Store, pod: KubeObject): StatusError | undefined {
  const namespace = pod.metadata.namespace ?? '';
  const budgets = [...store.table('policy/poddisruptionbudgets').range(`${namespace}/`)]
    .map(parseEntry)
    .filter((budget) => matchesLabelSelector(selectorOf(budget), pod.metadata.labels ?? {}));
  if (budgets.length > 1) {
    return new StatusError(500, 'InternalError', 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  }
  const [budget] = budgets;
  if (budget === undefined) return undefined;
  const status = isObject(budget['status']) ? budget['status'] : {};
  const name = budget.metadata.name ?? '';
  if (Number(status['observedGeneration'] ?? 0) < (budget.metadata.generation ?? 0)) {
    return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (Number(status['disruptionsAllowed'] ?? 0) > 0) return undefined;
  return tooMany(
    `The disruption budget ${name} needs ${Number(status['desiredHealthy'] ?? 0)} healthy pods and has ${Number(status['currentHealthy'] ?? 0)} currently`,
    undefined,
  );
}

function selectorOf(budget: KubeObject): JsonObject | undefined {
  const spec = isObject(budget['spec']) ? budget['spec'] : {};
  return isObject(spec['selector']) ? spec['selector'] : undefined;
}

function tooMany(why: string, retryAfterSeconds: number | undefined): StatusError {
  return new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message: why }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
