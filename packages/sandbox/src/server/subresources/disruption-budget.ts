/** Decides whether a PodDisruptionBudget allows one more eviction. */
import { errors, StatusError } from '../api/status.ts';
import { timestamp } from '../api/write/write.ts';
import { allowedCondition, setAllowedCondition } from '../../control-plane/controllers/disruption-status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, numberAt, textAt } from '../../objects/kinds/values/fields.ts';

/** The maximum number of evictions that the disruption controller has not seen yet. */
const MAX_DISRUPTED_PODS = 2000;
const OF = { group: 'policy', resource: 'poddisruptionbudget' };

/** `takeDisruption` records the eviction of a pod in the budget's status; throws when the budget does not allow it. */
export function takeDisruption(budget: KubeObject, pod: string): void {
  const status = ensureObject(budget, 'status');
  const name = budget.metadata.name ?? '';
  if (numberAt(status, 'observedGeneration') < (budget.metadata.generation ?? 0)) throw stillProcessed(name);
  const allowed = numberAt(status, 'disruptionsAllowed');
  if (allowed < 0) throw errors.forbidden(OF, name, 'pdb disruptions allowed is negative');
  const disrupted = ensureObject(status, 'disruptedPods');
  if (Object.keys(disrupted).length > MAX_DISRUPTED_PODS) {
    throw errors.forbidden(OF, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed === 0) throw tooMany(refusal(name, status));
  status['disruptionsAllowed'] = allowed - 1;
  if (allowed === 1) setAllowedCondition(status);
  disrupted[pod] = timestamp();
}

export function stillProcessed(name: string): StatusError {
  return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function refusal(name: string, status: JsonObject): string {
  const condition = allowedCondition(status);
  const message = textAt(condition, 'status') === 'False' ? textAt(condition, 'message') : '';
  const reason = textAt(condition, 'reason');
  const current = numberAt(status, 'currentHealthy');
  const desired = numberAt(status, 'desiredHealthy');
  if (message !== '' && reason === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (current <= desired)
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  const why = message === '' ? '' : ` (${reason}): ${message}`;
  return `The disruption budget ${name} does not allow evicting pods currently${why}`;
}

function tooMany(why: string, retryAfterSeconds?: number): StatusError {
  return new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message: why }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
