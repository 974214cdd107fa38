/** The status of a PodDisruptionBudget as a value: what the disruption controller and the eviction API write to it. */
import { timestamp } from '../../server/api/write/write.ts';
import { jsonEqual, type JsonObject, type KubeObject } from '../../values/json.ts';
import { listAt, numberAt, objectAt, textAt, textMapAt } from '../../objects/kinds/values/fields.ts';
import type { ExpectedPods } from './expected-pods.ts';

/** How long a pod whose eviction was allowed counts as gone, in milliseconds; after that it is assumed to stay. */
const DELETION_TIMEOUT = 120_000;
const CONDITION = 'DisruptionAllowed';

/** `countedStatus` returns the new status; undefined when the current one is equal. */
export function countedStatus(
  budget: KubeObject,
  pods: readonly KubeObject[],
  expected: ExpectedPods,
): JsonObject | undefined {
  const status = objectAt(budget, 'status');
  const generation = budget.metadata.generation ?? 0;
  const disruptedPods = stillExpectedToGo(pods, textMapAt(status, 'disruptedPods'));
  const currentHealthy = pods.filter(
    (pod) => isHealthy(pod) && !Object.hasOwn(disruptedPods, pod.metadata.name ?? ''),
  ).length;
  const spare = currentHealthy - expected.desiredHealthy;
  const next: JsonObject = {
    observedGeneration: generation,
    ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
    // A budget without pods allows no disruptions, so that its first pods are protected.
    disruptionsAllowed: expected.count <= 0 || spare <= 0 ? 0 : spare,
    currentHealthy,
    desiredHealthy: expected.desiredHealthy,
    expectedPods: expected.count,
    conditions: listAt(status, 'conditions'),
  };
  setAllowedCondition(next);
  return jsonEqual(next, status) ? undefined : next;
}

/** While the expected number of pods is unknown, no disruptions are allowed. */
export function failedStatus(budget: KubeObject, why: string): JsonObject | undefined {
  const status = objectAt(budget, 'status') ?? {};
  const next: JsonObject = { ...status, disruptionsAllowed: 0, conditions: listAt(status, 'conditions') };
  setCondition(next, { status: 'False', reason: 'SyncFailed', message: why });
  return jsonEqual(next, status) ? undefined : next;
}

/** `setAllowedCondition` sets the condition according to the number of allowed disruptions. */
export function setAllowedCondition(status: JsonObject): void {
  const allowed = numberAt(status, 'disruptionsAllowed') > 0;
  setCondition(status, {
    status: allowed ? 'True' : 'False',
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  });
}

/** Milliseconds until an evicted pod that is still there counts again; undefined without such a pod. */
export function recheckAfter(status: JsonObject | undefined): number | undefined {
  const times = Object.values(textMapAt(status, 'disruptedPods')).map(
    (time) => Date.parse(time) + DELETION_TIMEOUT - Date.now(),
  );
  return times.length === 0 ? undefined : Math.max(0, Math.min(...times));
}

export function allowedCondition(status: JsonObject | undefined): JsonObject | undefined {
  return listAt(status, 'conditions').find(({ type }) => type === CONDITION);
}

export function isReady(pod: KubeObject): boolean {
  return listAt(objectAt(pod, 'status'), 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
}

const isHealthy = (pod: KubeObject): boolean => pod.metadata.deletionTimestamp === undefined && isReady(pod);

function stillExpectedToGo(pods: readonly KubeObject[], disrupted: { readonly [pod: string]: string }): JsonObject {
  const kept: JsonObject = {};
  for (const { metadata } of pods) {
    const name = metadata.name ?? '';
    const time = Object.hasOwn(disrupted, name) ? disrupted[name] : undefined;
    if (time === undefined || metadata.deletionTimestamp !== undefined) continue;
    if (Date.parse(time) + DELETION_TIMEOUT >= Date.now()) kept[name] = time;
  }
  return kept;
}

/** The transition time of a condition changes only with its status. */
function setCondition(status: JsonObject, condition: { status: string; reason: string; message: string }): void {
  const conditions = listAt(status, 'conditions');
  const old = allowedCondition(status);
  const generation = numberAt(status, 'observedGeneration');
  const next: JsonObject = {
    type: CONDITION,
    status: condition.status,
    ...(generation === 0 ? {} : { observedGeneration: generation }),
    lastTransitionTime: textAt(old, 'status') === condition.status ? textAt(old, 'lastTransitionTime') : timestamp(),
    reason: condition.reason,
    message: condition.message,
  };
  status['conditions'] =
    old === undefined ? [...conditions, next] : conditions.map((item) => (item === old ? next : item));
}
