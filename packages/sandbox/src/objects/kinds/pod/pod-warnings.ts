/** Warnings for pods and pod templates: valid, but probably not intended. */
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { goQuote } from '../../schema/go/go-text.ts';
import { isDNS1123Label } from '../../schema/names.ts';
import { quantityAsInt64 } from '../../schema/quantity.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textMapAt, valueAt } from '../values/fields.ts';
import { quantity } from '../values/quantities.ts';

const NODE_LABELS: { readonly [label: string]: string } = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};
const ANNOTATIONS: { readonly [annotation: string]: string } = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
/** The volume source, and its name in the warning if that differs. */
const VOLUMES: readonly (readonly [string, string, string?])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Names that become part of hostnames should be DNS labels. */
export function hostnameWarnings(object: KubeObject, where: string): string[] {
  const problems = isDNS1123Label(object.metadata.name ?? '');
  if (problems.length === 0) return [];
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: this is used in ${where}, ${advice}: [${problems.join(' ')}]`];
}

/** `path` is empty for a pod, and `spec.template` for a template. */
export function podWarnings(pod: JsonObject, path: string): string[] {
  const spec = objectAt(pod, 'spec');
  const at = path === '' ? 'spec' : `${path}.spec`;
  return [
    ...placementWarnings(spec, at),
    ...annotationWarnings(pod, path),
    ...volumeWarnings(spec, at),
    ...duplicates(listAt(spec, 'hostAliases'), 'ip', `${at}.hostAliases`),
    ...pullSecretWarnings(spec, at),
    ...containersOf(spec, at).flatMap(([container, field]) => containerWarnings(container, field)),
    ...portWarnings(spec, at),
    ...(numberAt(spec, 'terminationGracePeriodSeconds') < 0
      ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...podAffinityWarnings(spec, at),
  ];
}

function placementWarnings(spec: JsonObject | undefined, path: string): string[] {
  const lines = Object.keys(textMapAt(spec, 'nodeSelector')).flatMap((key) => {
    const message = valueAt(NODE_LABELS, key);
    return message === undefined ? [] : [`${path}.nodeSelector[${key}]: ${message}`];
  });
  lines.push(
    ...nodeAffinityWarnings(objectAt(objectAt(spec, 'affinity'), 'nodeAffinity'), `${path}.affinity.nodeAffinity`),
  );
  listAt(spec, 'topologySpreadConstraints').forEach((constraint, i) => {
    const key = textAt(constraint, 'topologyKey');
    const at = `${path}.topologySpreadConstraints[${i}]`;
    const message = valueAt(NODE_LABELS, key);
    if (message !== undefined) lines.push(`${at}.topologyKey: ${key} is ${message}`);
    if (!isSet(constraint, 'labelSelector'))
      lines.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
  });
  return lines;
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function nodeAffinityWarnings(affinity: JsonObject | undefined, path: string): string[] {
  const term = (value: JsonObject | undefined, at: string): string[] =>
    listAt(value, 'matchExpressions').flatMap((expression, i) => {
      const key = textAt(expression, 'key');
      const message = valueAt(NODE_LABELS, key);
      return message === undefined ? [] : [`${at}.matchExpressions[${i}].key: ${key} is ${message}`];
    });
  return [
    ...listAt(objectAt(affinity, REQUIRED), 'nodeSelectorTerms').flatMap((value, i) =>
      term(value, `${path}.${REQUIRED}.nodeSelectorTerms[${i}]`),
    ),
    ...listAt(affinity, PREFERRED).flatMap((value, i) =>
      term(objectAt(value, 'preference'), `${path}.${PREFERRED}[${i}].preference`),
    ),
  ];
}

function podAffinityWarnings(spec: JsonObject | undefined, path: string): string[] {
  const unselective = (term: JsonObject | undefined, at: string): string[] =>
    isSet(term, 'labelSelector') ? [] : [`${at}.labelSelector: a null labelSelector results in matching no pod`];
  return ['podAffinity', 'podAntiAffinity'].flatMap((key) => {
    const affinity = objectAt(objectAt(spec, 'affinity'), key);
    const at = `${path}.affinity.${key}`;
    return [
      ...listAt(affinity, REQUIRED).flatMap((term, i) => unselective(term, `${at}.${REQUIRED}[${i}]`)),
      ...listAt(affinity, PREFERRED).flatMap((term, i) =>
        unselective(objectAt(term, 'podAffinityTerm'), `${at}.${PREFERRED}[${i}].podAffinityTerm`),
      ),
    ];
  });
}

function annotationWarnings(pod: JsonObject, path: string): string[] {
  const annotations = textMapAt(objectAt(pod, 'metadata'), 'annotations');
  const at = path === '' ? 'metadata.annotations' : `${path}.metadata.annotations`;
  return Object.entries(ANNOTATIONS).flatMap(([key, message]) =>
    annotations[key] === undefined ? [] : [`${at}[${key}]: ${message}`],
  );
}

function volumeWarnings(spec: JsonObject | undefined, path: string): string[] {
  return listAt(spec, 'volumes').flatMap((volume, i) => {
    const at = `${path}.volumes[${i}]`;
    const claim = objectAt(objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec');
    return [
      ...VOLUMES.flatMap(([key, message, shown]) => (isSet(volume, key) ? [`${at}.${shown ?? key}: ${message}`] : [])),
      ...claimWarnings(claim, `${at}.ephemeral.volumeClaimTemplate.spec`),
    ];
  });
}

export function claimWarnings(spec: JsonObject | undefined, path: string): string[] {
  const resources = objectAt(spec, 'resources');
  return ['requests', 'limits'].flatMap((key) => fractional(resources, key, 'storage', `${path}.resources`));
}

function fractional(resources: JsonObject | undefined, key: string, name: string, path: string): string[] {
  const value = textMapAt(resources, key)[name];
  if (value === undefined || quantityAsInt64(quantity(value)) !== undefined) return [];
  return [`${path}.${key}[${name}]: fractional byte value ${goQuote(value)} is invalid, must be an integer`];
}

function duplicates(items: JsonObject[], key: string, path: string): string[] {
  const seen = new Set<string>();
  return items.flatMap((item, i) => {
    const value = textAt(item, key);
    const lines = seen.has(value) ? [`${path}[${i}].${key}: duplicate ${key} ${goQuote(value)}`] : [];
    seen.add(value);
    return lines;
  });
}

function pullSecretWarnings(spec: JsonObject | undefined, path: string): string[] {
  const secrets = listAt(spec, 'imagePullSecrets');
  const at = `${path}.imagePullSecrets`;
  const empty = secrets.flatMap((secret, i) =>
    textAt(secret, 'name') === '' ? [`${at}[${i}].name: invalid empty name ""`] : [],
  );
  return [...duplicates(secrets, 'name', at), ...empty];
}

function containersOf(spec: JsonObject | undefined, path: string): [JsonObject, string][] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((key) =>
    listAt(spec, key).map((container, i): [JsonObject, string] => [container, `${path}.${key}[${i}]`]),
  );
}

function containerWarnings(container: JsonObject, path: string): string[] {
  const resources = objectAt(container, 'resources');
  const amounts = ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((key) => fractional(resources, key, name, `${path}.resources`)),
  );
  const seen = new Set<string>();
  const variables = listAt(container, 'env').flatMap((variable, i) => {
    const name = textAt(variable, 'name');
    const value = textAt(variable, 'value');
    const own = `$(${name})`;
    // A later variable may extend an earlier one with the same name.
    const extendsIt = !isSet(variable, 'valueFrom') && value !== own && value.includes(own);
    const hides = seen.has(name) && !extendsIt;
    seen.add(name);
    const line = `${path}.env[${i}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
    return hides ? [line] : [];
  });
  return [...amounts, ...variables];
}

function portWarnings(spec: JsonObject | undefined, path: string): string[] {
  const seen = new Map<string, { field: string; port: JsonObject }[]>();
  const named = new Map<string, string>();
  const clashes: string[] = [];
  const names: string[] = [];
  for (const [container, at] of containersOf(spec, path)) {
    listAt(container, 'ports').forEach((port, i) => {
      const field = `${at}.ports[${i}]`;
      const key = `${numberAt(port, 'containerPort')}/${textAt(port, 'protocol')}`;
      const others = seen.get(key) ?? [];
      for (const other of others) {
        const how = clash(port, other.port);
        if (how !== undefined) clashes.push(`${field}: ${how} port definition with ${other.field}`);
      }
      seen.set(key, [...others, { field, port }]);
      const name = textAt(port, 'name');
      const first = named.get(name);
      if (name !== '' && first !== undefined) {
        const effect = `services and probes that select ports by name will use ${first}`;
        names.push(`${field}: duplicate port name ${goQuote(name)} with ${first}, ${effect}`);
      } else named.set(name, field);
    });
  }
  return [...clashes, ...names];
}

function clash(port: JsonObject, other: JsonObject): string | undefined {
  const [hostPort, otherPort] = [numberAt(port, 'hostPort'), numberAt(other, 'hostPort')];
  const [hostIP, otherIP] = [textAt(port, 'hostIP'), textAt(other, 'hostIP')];
  if (hostPort === otherPort && hostIP === otherIP) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined;
}

/** For workloads: on create, and when a change incremented the generation. */
export function templateWarnings(object: KubeObject, old: KubeObject | undefined, names: boolean): string[] {
  if (old !== undefined && object.metadata.generation === old.metadata.generation) return [];
  const template = objectAt(objectAt(object, 'spec'), 'template') ?? {};
  const hostnames = names && old === undefined ? hostnameWarnings(object, 'Pod names and hostnames') : [];
  return [...hostnames, ...podWarnings(template, 'spec.template')];
}
