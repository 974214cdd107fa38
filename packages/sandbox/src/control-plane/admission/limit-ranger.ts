/**
 * LimitRanger: fills in missing requests and limits of containers, and checks pods and claims against the LimitRanges
 * of the namespace.
 */
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, listAt, objectAt, textAt, textMapAt } from '../../objects/kinds/values/fields.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { amountsAt, type Amounts } from './quota/amounts.ts';
import { atLeast, atMost, requestAtMost, withinRatio } from './limit-constraints.ts';
import { podLimits, podRequests } from './pod-resources.ts';
import { aggregate, refuse } from './refusal.ts';
import { isCore, storedIn } from './stored.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

export function limitRanger(store: Store): AdmissionPlugin {
  const limits = (request: AdmissionRequest): JsonObject[][] => {
    if (request.oldObject?.metadata.deletionTimestamp !== undefined) return [];
    return storedIn(store, '/limitranges', request.namespace).map((range) => listAt(objectAt(range, 'spec'), 'limits'));
  };
  return {
    name: 'LimitRanger',
    mutate(request) {
      if (!isCore(request, 'pods') || request.operation !== 'CREATE' || request.object === undefined) return;
      for (const range of limits(request)) setDefaults(range, request.object);
    },
    validate(request) {
      const { object, operation } = request;
      if (object === undefined) return;
      const isPod = isCore(request, 'pods') && operation === 'CREATE';
      if (!isPod && !isCore(request, 'persistentvolumeclaims')) return;
      for (const range of limits(request)) {
        const problems = range.flatMap((limit) => (isPod ? podProblems(limit, object) : claimProblems(limit, object)));
        if (problems.length > 0) throw refuse(request, aggregate(problems));
      }
    },
  };
}

/** Sets the containers' defaults and records them in an annotation. */
function setDefaults(range: readonly JsonObject[], pod: KubeObject): void {
  const ofContainers = range.filter((limit) => textAt(limit, 'type') === 'Container');
  const merged = (key: string): { [name: string]: string } =>
    Object.fromEntries(ofContainers.flatMap((limit) => Object.entries(textMapAt(limit, key))));
  const requests = merged('defaultRequest');
  const limits = merged('default');
  const spec = objectAt(pod, 'spec');
  const notes: string[] = [];
  for (const [kind, what] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    for (const container of listAt(spec, kind)) {
      const setLimits = fill(container, 'limits', limits);
      const setRequests = fill(container, 'requests', requests);
      const of = `${what} ${textAt(container, 'name')}`;
      if (setRequests.length > 0) notes.push(`${setRequests.join(', ')} request for ${of}`);
      if (setLimits.length > 0) notes.push(`${setLimits.join(', ')} limit for ${of}`);
    }
  }
  if (notes.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
}

function fill(container: JsonObject, key: string, defaults: { readonly [name: string]: string }): string[] {
  const given = textMapAt(objectAt(container, 'resources'), key);
  const set = Object.keys(defaults)
    .filter((name) => given[name] === undefined)
    .sort();
  if (set.length === 0) return [];
  const amounts = ensureObject(ensureObject(container, 'resources'), key);
  for (const name of set) amounts[name] = defaults[name];
  return set;
}

function podProblems(limit: JsonObject, pod: KubeObject): string[] {
  const spec = objectAt(pod, 'spec');
  switch (textAt(limit, 'type')) {
    case 'Container':
      return [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')].flatMap((container) => {
        const resources = objectAt(container, 'resources');
        return boundsProblems(limit, amountsAt(resources, 'requests'), amountsAt(resources, 'limits'));
      });
    case 'Pod': {
      const options = { withStatus: false, withOverhead: false };
      return boundsProblems(limit, podRequests(pod, options), podLimits(pod, options));
    }
    default:
      return [];
  }
}

function boundsProblems(limit: JsonObject, requests: Amounts, limits: Amounts): string[] {
  const type = textAt(limit, 'type');
  return [
    ...each(limit, 'min', (name, bound) => atLeast(type, name, bound, requests, limits)),
    ...each(limit, 'max', (name, bound) => atMost(type, name, bound, requests, limits)),
    ...each(limit, 'maxLimitRequestRatio', (name, bound) => withinRatio(type, name, bound, requests, limits)),
  ];
}

function claimProblems(limit: JsonObject, claim: KubeObject): string[] {
  const type = textAt(limit, 'type');
  if (type !== 'PersistentVolumeClaim') return [];
  const requests = amountsAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests');
  return [
    ...each(limit, 'min', (name, bound) => atLeast(type, name, bound, requests, new Map())),
    ...each(limit, 'max', (name, bound) => requestAtMost(type, name, bound, requests)),
  ];
}

type Bound = Parameters<typeof atLeast>[2];

function each(limit: JsonObject, key: string, check: (name: string, bound: Bound) => string | undefined): string[] {
  return [...amountsAt(limit, key)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bound]) => check(name, bound))
    .filter((problem) => problem !== undefined);
}
