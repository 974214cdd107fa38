/** How quotas measure objects: pods, services and claims have their own evaluators, all other kinds are counted. */
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { listAt, numberAt, objectAt, textAt, textMapAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import { isExtended, isHugePages, isNative } from '../../../objects/kinds/values/quantities.ts';
import { compareQuantity, quantityCeil, quantityOfInt, type Quantity } from '../../../objects/schema/quantity.ts';
import type { AdmissionRequest } from '../admission.ts';
import { amountsAt, NONE, ONE, plus, type Amounts } from './amounts.ts';
import { hasPodLevelResources, isBestEffort, podLimits, podRequests } from '../pod-resources.ts';

export interface QuotaEvaluator {
  /** Whether the write can change the measured usage. */
  handles(request: AdmissionRequest): boolean;
  /** Whether this evaluator measures a resource name of `spec.hard`. */
  measures(name: string): boolean;
  matchesScope(scope: JsonObject, object: KubeObject): boolean;
  usage(object: KubeObject): Amounts;
  /** For evaluators that only count objects: the resource names that they count for. */
  readonly countsOnly?: readonly string[];
  /** What the object must specify before these resources can be measured; undefined when nothing is missing. */
  missing?(required: readonly string[], object: KubeObject): string | undefined;
}

/** Kinds that are not stored, and events, which were never counted. */
const IGNORED = new Set([
  '/bindings',
  '/events',
  'events.k8s.io/events',
  'authentication.k8s.io/tokenreviews',
  'authentication.k8s.io/selfsubjectreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
]);

/** Kinds that are also counted under a short name. */
const ALIASES = new Set(['/configmaps', '/resourcequotas', '/replicationcontrollers', '/secrets']);

const counters = new Map<string, QuotaEvaluator>();

/** `evaluatorOf` returns the evaluator of a resource; undefined for resources without quotas. */
export function evaluatorOf(group: string, plural: string): QuotaEvaluator | undefined {
  const key = `${group}/${plural}`;
  const special = SPECIAL[key];
  if (special !== undefined) return special;
  if (IGNORED.has(key)) return undefined;
  let counter = counters.get(key);
  if (counter === undefined) counters.set(key, (counter = objectCount(group, plural)));
  return counter;
}

const countName = (group: string, plural: string): string => `count/${group === '' ? plural : `${plural}.${group}`}`;

function objectCount(group: string, plural: string): QuotaEvaluator {
  const names = [countName(group, plural), ...(ALIASES.has(`${group}/${plural}`) ? [plural] : [])];
  const usage = new Map(names.map((name) => [name, ONE]));
  return {
    handles: (request) => request.subresource === '' && request.operation === 'CREATE',
    measures: (name) => names.includes(name),
    matchesScope: () => false,
    usage: () => usage,
    countsOnly: names,
  };
}

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const POD_RESOURCES = new Set([
  'count/pods',
  'pods',
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** When a quota limits one of these, every container must specify it. */
const MUST_BE_NAMED = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

const pods: QuotaEvaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (subresource !== '') return subresource === 'resize' && operation === 'UPDATE';
    return operation === 'CREATE' || (operation === 'UPDATE' && isTerminating(object) !== isTerminating(oldObject));
  },
  measures: (name) =>
    POD_RESOURCES.has(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-') ||
    (!isNative(name) && name.startsWith('requests.')),
  matchesScope: podMatchesScope,
  usage: podUsage,
  missing: missingOfPod,
};

function podUsage(pod: KubeObject): Amounts {
  const count = new Map([['count/pods', ONE]]);
  if (!isAlive(pod)) return count;
  const options = { withStatus: true, withOverhead: true };
  return plus(count, computeUsage(podRequests(pod, options), podLimits(pod, options)));
}

function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map([['pods', ONE]]);
  for (const name of COMPUTE) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) usage.set(name, request).set(`requests.${name}`, request);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (isHugePages(name)) usage.set(name, request).set(`requests.${name}`, request);
    else if (isExtended(name)) usage.set(`requests.${name}`, request);
  }
  return usage;
}

function missingOfPod(required: readonly string[], pod: KubeObject): string | undefined {
  const needed = required.filter((name) => MUST_BE_NAMED.has(name));
  if (needed.length === 0 || hasPodLevelResources(pod)) return undefined;
  const spec = objectAt(pod, 'spec');
  const lacking = new Map<string, Set<string>>();
  for (const container of [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')]) {
    const resources = objectAt(container, 'resources');
    const given = computeUsage(amountsAt(resources, 'requests'), amountsAt(resources, 'limits'));
    for (const name of needed) {
      if (!given.has(name)) lacking.set(name, (lacking.get(name) ?? new Set()).add(textAt(container, 'name')));
    }
  }
  if (lacking.size === 0) return undefined;
  const parts = [...lacking.keys()]
    .sort()
    .map((name) => `${name} for: ${[...(lacking.get(name) ?? [])].sort().join(',')}`);
  return `must specify ${parts.join('; ')}`;
}

/** Pods that have ended, and pods that outlived their grace period on a lost node, only count as stored objects. */
export function isAlive(pod: KubeObject): boolean {
  const phase = textAt(objectAt(pod, 'status'), 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return Date.now() <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

export function isTerminating(pod: KubeObject | undefined): boolean {
  const deadline = objectAt(pod, 'spec')?.['activeDeadlineSeconds'];
  return typeof deadline === 'number' && deadline >= 0;
}

function podMatchesScope(scope: JsonObject, pod: KubeObject): boolean {
  const spec = objectAt(pod, 'spec');
  switch (textAt(scope, 'scopeName')) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesValues(scope, [textAt(spec, 'priorityClassName')]);
    case 'CrossNamespacePodAffinity':
      return looksIntoOtherNamespaces(objectAt(spec, 'affinity'));
    default:
      return false;
  }
}

/** Matches a scope that has an operator against the object's names; empty names are ignored. */
function matchesValues(scope: JsonObject, names: readonly string[]): boolean {
  const values = textsAt(scope, 'values');
  const given = names.filter((name) => name !== '');
  switch (textAt(scope, 'operator')) {
    case 'In':
      return given.some((name) => values.includes(name));
    case 'NotIn':
      return given.length === 0 || given.some((name) => !values.includes(name));
    case 'DoesNotExist':
      return given.length === 0;
    default:
      return given.length > 0;
  }
}

function looksIntoOtherNamespaces(affinity: JsonObject | undefined): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const of = objectAt(affinity, kind);
    const terms = [
      ...listAt(of, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...listAt(of, 'preferredDuringSchedulingIgnoredDuringExecution').map(
        (term) => objectAt(term, 'podAffinityTerm') ?? {},
      ),
    ];
    return terms.some(
      (term) => textsAt(term, 'namespaces').length > 0 || objectAt(term, 'namespaceSelector') !== undefined,
    );
  });
}

const SERVICE_RESOURCES = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

const services: QuotaEvaluator = {
  handles: (request) =>
    request.subresource === '' && (request.operation === 'CREATE' || request.operation === 'UPDATE'),
  measures: (name) => SERVICE_RESOURCES.includes(name),
  matchesScope: () => false,
  usage(service) {
    const spec = objectAt(service, 'spec');
    const type = textAt(spec, 'type');
    const ports = listAt(spec, 'ports');
    // Counts the node ports that the Service will need, because they are allocated later.
    const counted =
      type === 'LoadBalancer' && spec?.['allocateLoadBalancerNodePorts'] === false
        ? ports.filter((port) => numberAt(port, 'nodePort') !== 0)
        : ports;
    const external = type === 'NodePort' || type === 'LoadBalancer';
    return new Map([
      ['count/services', ONE],
      ['services', ONE],
      ['services.loadbalancers', type === 'LoadBalancer' ? ONE : NONE],
      ['services.nodeports', external ? quantityOfInt(BigInt(counted.length)) : NONE],
    ]);
  },
};

const CLASS_SUFFIX = '.storageclass.storage.k8s.io/';
const CLAIM_RESOURCES = ['persistentvolumeclaims', 'requests.storage'];

const claims: QuotaEvaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (subresource === 'status') return needsRecount(object, oldObject);
    return subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  },
  measures: (name) =>
    name === 'count/persistentvolumeclaims' ||
    CLAIM_RESOURCES.some((resource) => name === resource || name.endsWith(CLASS_SUFFIX + resource)),
  matchesScope: (scope, claim) =>
    textAt(scope, 'scopeName') === 'VolumeAttributesClass' && matchesValues(scope, attributesClasses(claim)),
  usage(claim) {
    const usage = new Map([
      ['persistentvolumeclaims', ONE],
      ['count/persistentvolumeclaims', ONE],
    ]);
    const storageClass = storageClassOf(claim);
    const storage = claimedStorage(claim);
    if (storageClass !== '') usage.set(`${storageClass}${CLASS_SUFFIX}persistentvolumeclaims`, ONE);
    if (storage === undefined) return usage;
    usage.set('requests.storage', storage);
    return storageClass === '' ? usage : usage.set(`${storageClass}${CLASS_SUFFIX}requests.storage`, storage);
  },
};

export const storageClassOf = (claim: KubeObject): string =>
  claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ??
  textAt(objectAt(claim, 'spec'), 'storageClassName');

/** The request, or what a running expansion has allocated if that is more; in whole bytes. */
function claimedStorage(claim: KubeObject): Quantity | undefined {
  const asked = amountsAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests').get('storage');
  const allocated = amountsAt(objectAt(claim, 'status'), 'allocatedResources').get('storage');
  if (asked === undefined) return undefined;
  const most = allocated !== undefined && compareQuantity(allocated, asked) > 0 ? allocated : asked;
  return most.scale >= 0 ? most : { ...quantityOfInt(quantityCeil(most)), format: most.format };
}

function attributesClasses(claim: KubeObject): string[] {
  const status = objectAt(claim, 'status');
  const wanted = textAt(objectAt(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName');
  return [
    textAt(objectAt(claim, 'spec'), 'volumeAttributesClassName'),
    textAt(status, 'currentVolumeAttributesClassName'),
    wanted,
  ];
}

/** `needsRecount` returns whether an update of a claim's status changes its usage. */
export function needsRecount(claim: KubeObject | undefined, old: KubeObject | undefined): boolean {
  if (claim === undefined || old === undefined) return false;
  const allocated = (of: KubeObject): string | undefined =>
    textMapAt(objectAt(of, 'status'), 'allocatedResources')['storage'];
  const classes = (of: KubeObject): string => [...new Set(attributesClasses(of))].sort().join(' ');
  return allocated(claim) !== allocated(old) || classes(claim) !== classes(old);
}

const SPECIAL: { readonly [resource: string]: QuotaEvaluator | undefined } = {
  '/pods': pods,
  '/services': services,
  '/persistentvolumeclaims': claims,
};
