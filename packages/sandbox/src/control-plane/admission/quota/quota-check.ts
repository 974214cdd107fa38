/** Checks whether a write fits the quotas of its namespace, and computes its usage of each. */
import type { StatusError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { listAt, objectAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import { compareQuantity } from '../../../objects/schema/quantity.ts';
import type { AdmissionRequest } from '../admission.ts';
import { amountsAt, growth, isZero, only, plus, printAmounts, type Amounts } from './amounts.ts';
import { evaluatorOf, type QuotaEvaluator } from './quota-evaluators.ts';
import { refuse } from '../refusal.ts';

export interface Charge {
  readonly quota: KubeObject;
  /** `status.used` after the write. */
  readonly used: Amounts;
}

/** `checkQuotas` returns what the write adds to each quota; throws when it exceeds one. */
export function checkQuotas(request: AdmissionRequest, quotas: () => readonly KubeObject[]): Charge[] {
  const evaluator = evaluatorOf(request.resource.group, request.resource.plural);
  const { object } = request;
  if (evaluator === undefined || object === undefined || !evaluator.handles(request)) return [];
  const matching = quotas().filter((quota) => appliesTo(quota, evaluator, object));
  if (matching.length === 0) return [];
  for (const quota of matching) checkKnown(request, quota, evaluator, object);
  const usage = evaluator.usage(object);
  const negative = [...usage].filter(([, amount]) => amount.value < 0n).map(([name]) => name);
  if (negative.length > 0)
    throw refuse(request, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  return matching.flatMap((quota) => {
    const charge = chargeOf(request, quota, addedTo(quota, request, evaluator, usage));
    return charge === undefined ? [] : [charge];
  });
}

/** `spec.scopes` and `spec.scopeSelector` in one common form. */
export function scopesOf(quota: KubeObject): JsonObject[] {
  const spec = objectAt(quota, 'spec');
  const simple = textsAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...simple, ...listAt(objectAt(spec, 'scopeSelector'), 'matchExpressions')];
}

function appliesTo(quota: KubeObject, evaluator: QuotaEvaluator, object: KubeObject): boolean {
  return (
    restricted(quota, evaluator).length > 0 && scopesOf(quota).every((scope) => evaluator.matchesScope(scope, object))
  );
}

const hardOf = (quota: KubeObject): Amounts => amountsAt(objectAt(quota, 'status'), 'hard');
const usedOf = (quota: KubeObject): Amounts => amountsAt(objectAt(quota, 'status'), 'used');

const restricted = (quota: KubeObject, evaluator: QuotaEvaluator): string[] =>
  [...hardOf(quota).keys()].filter((name) => evaluator.measures(name)).sort();

function checkKnown(request: AdmissionRequest, quota: KubeObject, evaluator: QuotaEvaluator, object: KubeObject): void {
  const name = quota.metadata.name ?? '';
  const names = restricted(quota, evaluator);
  const missing = evaluator.missing?.(names, object);
  if (missing !== undefined) throw refuse(request, `failed quota: ${name}: ${missing}`);
  const used = usedOf(quota);
  if (names.every((resource) => used.has(resource))) return;
  throw refuse(request, `status unknown for quota: ${name}, resources: ${names.join(',')}`);
}

/** For an update, only the growth counts, if the quota already counted the old object. */
function addedTo(quota: KubeObject, request: AdmissionRequest, evaluator: QuotaEvaluator, usage: Amounts): Amounts {
  const old = request.oldObject;
  const counted = request.operation === 'UPDATE' && old !== undefined && appliesTo(quota, evaluator, old);
  return only(counted ? growth(usage, evaluator.usage(old)) : usage, (_, amount) => !isZero(amount));
}

function chargeOf(request: AdmissionRequest, quota: KubeObject, added: Amounts): Charge | undefined {
  const hard = hardOf(quota);
  const requested = only(added, (name) => hard.has(name));
  if (requested.size === 0) return undefined;
  const before = usedOf(quota);
  const used = plus(before, requested);
  const over = (name: string): boolean => {
    const limit = hard.get(name);
    const wanted = used.get(name);
    return requested.has(name) && limit !== undefined && wanted !== undefined && compareQuantity(wanted, limit) > 0;
  };
  if (request.subresource !== 'status' && [...requested.keys()].some(over))
    throw exceeded(request, quota, requested, before, hard, over);
  return { quota, used };
}

function exceeded(
  request: AdmissionRequest,
  quota: KubeObject,
  requested: Amounts,
  used: Amounts,
  hard: Amounts,
  over: (name: string) => boolean,
): StatusError {
  const print = (amounts: Amounts): string => printAmounts(only(amounts, over));
  const why = `exceeded quota: ${quota.metadata.name ?? ''}, requested: ${print(requested)}, used: ${print(used)}, limited: ${print(hard)}`;
  return refuse(request, why);
}
