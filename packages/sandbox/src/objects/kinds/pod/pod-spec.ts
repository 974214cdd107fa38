/** Validation of a pod spec, in a pod or in a template. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { inclusiveRangeError } from '../../schema/names.ts';
import { annotationErrors, labelErrors } from '../../schema/object-meta.ts';
import { label, oneOf, qualifiedName, subdomain } from '../errors.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textMapAt, textsAt } from '../values/fields.ts';
import { validIP } from '../values/ip.ts';
import { containersErrors, initContainersErrors } from './pod-containers.ts';
import { affinityErrors, spreadErrors, tolerationErrors } from './pod-scheduling.ts';
import { podSecurityErrors } from './pod-security.ts';
import { checkVolumes } from './pod-volumes.ts';

const MAX_INT32 = 2147483647;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

export function podSpecErrors(spec: JsonObject, path: string, isPod: boolean): FieldError[] {
  const { volumes, errors } = checkVolumes(listAt(spec, 'volumes'), `${path}.volumes`);
  const grace = spec['terminationGracePeriodSeconds'];
  const parts = { volumes, gracePeriod: typeof grace === 'number' ? grace : undefined };
  const containers = listAt(spec, 'containers');
  errors.push(
    ...containersErrors(containers, parts, `${path}.containers`),
    ...initContainersErrors(listAt(spec, 'initContainers'), containers, parts, `${path}.initContainers`),
    ...hostNetworkErrors(spec, path, isPod),
    ...oneOf(spec, 'restartPolicy', path, ['Always', 'OnFailure', 'Never']),
    ...oneOf(spec, 'dnsPolicy', path, DNS_POLICIES),
  );
  labelErrors(errors, textMapAt(spec, 'nodeSelector'), `${path}.nodeSelector`);
  errors.push(
    ...podSecurityErrors(spec, `${path}.securityContext`),
    ...affinityErrors(objectAt(spec, 'affinity'), `${path}.affinity`),
    ...dnsErrors(spec, `${path}.dnsConfig`),
    ...listAt(spec, 'readinessGates').flatMap((gate, i) =>
      qualifiedName(textAt(gate, 'conditionType'), `${path}.readinessGates[${i}].conditionType`),
    ),
    ...gateErrors(spec, `${path}.schedulingGates`),
    ...spreadErrors(listAt(spec, 'topologySpreadConstraints'), `${path}.topologySpreadConstraints`),
    ...nameErrors(spec, path),
  );
  return [...errors, ...oneOf(spec, 'preemptionPolicy', path, ['PreemptLowerPriority', 'Never'], false)];
}

function nameErrors(spec: JsonObject, path: string): FieldError[] {
  const check = (key: string, rule: (value: string, field: string) => FieldError[]): FieldError[] => {
    const value = textAt(spec, key);
    return value === '' ? [] : rule(value, `${path}.${key}`);
  };
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  const wrongDeadline = isSet(spec, 'activeDeadlineSeconds') && (deadline < 1 || deadline > MAX_INT32);
  return [
    ...check('serviceAccountName', subdomain),
    ...check('nodeName', subdomain),
    ...(wrongDeadline
      ? [fieldError.invalid(`${path}.activeDeadlineSeconds`, deadline, inclusiveRangeError(1, MAX_INT32))]
      : []),
    ...check('hostname', label),
    ...check('subdomain', label),
    ...tolerationErrors(listAt(spec, 'tolerations'), `${path}.tolerations`),
    ...listAt(spec, 'hostAliases').flatMap((alias, i) => {
      const at = `${path}.hostAliases[${i}]`;
      const names = textsAt(alias, 'hostnames').flatMap((name, j) => subdomain(name, `${at}.hostnames[${j}]`));
      return [...validIP(textAt(alias, 'ip'), `${at}.ip`), ...names];
    }),
    ...check('priorityClassName', subdomain),
    ...check('runtimeClassName', subdomain),
  ];
}

function hostNetworkErrors(spec: JsonObject, path: string, isPod: boolean): FieldError[] {
  if (spec['hostNetwork'] !== true) return [];
  const why = 'must match `containerPort` when `hostNetwork` is true';
  return listAt(spec, 'containers').flatMap((container, i) =>
    listAt(container, 'ports').flatMap((port, j) => {
      const host = numberAt(port, 'hostPort');
      const fits = host === numberAt(port, 'containerPort') || (!isPod && host === 0);
      return fits ? [] : [fieldError.invalid(`${path}.containers[${i}].ports[${j}].hostPort`, host, why)];
    }),
  );
}

function dnsErrors(spec: JsonObject, path: string): FieldError[] {
  const config = objectAt(spec, 'dnsConfig');
  const servers = textsAt(config, 'nameservers');
  if (spec['dnsPolicy'] === 'None') {
    if (config === undefined) return [fieldError.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    if (servers.length === 0) return [fieldError.required(`${path}.nameservers`, why)];
  }
  const errors: FieldError[] = [];
  if (servers.length > 3) {
    errors.push(fieldError.invalid(`${path}.nameservers`, servers, 'must not have more than 3 nameservers'));
  }
  errors.push(...servers.flatMap((server, i) => validIP(server, `${path}.nameservers[${i}]`)));
  const searches = textsAt(config, 'searches');
  if (searches.length > 32) {
    errors.push(fieldError.invalid(`${path}.searches`, searches, 'must not have more than 32 search paths'));
  }
  listAt(config, 'options').forEach((option, i) => {
    if (textAt(option, 'name') === '') errors.push(fieldError.required(`${path}.options[${i}]`, 'must not be empty'));
  });
  return errors;
}

function gateErrors(spec: JsonObject, path: string): FieldError[] {
  const seen = new Set<string>();
  return listAt(spec, 'schedulingGates').flatMap((gate, i) => {
    const name = textAt(gate, 'name');
    const errors = qualifiedName(name, `${path}[${i}]`);
    if (seen.has(name)) errors.push(fieldError.duplicate(`${path}[${i}]`, name));
    seen.add(name);
    return errors;
  });
}

export function podTemplateErrors(template: JsonObject | undefined, path: string): FieldError[] {
  const metadata = objectAt(template, 'metadata');
  const spec = objectAt(template, 'spec') ?? {};
  const errors: FieldError[] = [];
  labelErrors(errors, textMapAt(metadata, 'labels'), `${path}.labels`);
  annotationErrors(errors, textMapAt(metadata, 'annotations'), `${path}.annotations`);
  errors.push(...podSpecErrors(spec, `${path}.spec`, false));
  if (listAt(spec, 'ephemeralContainers').length > 0) {
    const why = 'ephemeral containers not allowed in pod template';
    errors.push(fieldError.forbidden(`${path}.spec.ephemeralContainers`, why));
  }
  return errors;
}
