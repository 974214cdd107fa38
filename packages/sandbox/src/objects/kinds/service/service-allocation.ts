/**
 * Cluster IPs and node ports of a Service: keeps existing ones, claims requested ones, allocates missing ones. IPv4
 * only.
 */
import { errors, fieldError } from '../../../server/api/status.ts';
import type { FieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { ensureObject, listAt, numberAt, objectAt, textAt, textMapAt, textsAt } from '../values/fields.ts';
import { isIPv6 } from '../values/ip.ts';
import { clusterIPErrors } from './service-addresses.ts';
import { isHeadless, needsClusterIP, needsHealthCheck, needsNodePort } from './service-traits.ts';

/** `ServiceAllocator` allocates addresses and ports. A claim that fails returns the reason, in Kubernetes' words. */
export interface ServiceAllocator {
  /** Any free address; undefined when the range is full. */
  nextClusterIP(): string | undefined;
  /** The reason may be `provided IP is already allocated`, or that the address is not in the valid range. */
  claimClusterIP(address: string): string | undefined;
  nextNodePort(): number | undefined;
  claimNodePort(port: number): string | undefined;
}

export function allocateService(service: KubeObject, old: KubeObject | undefined, allocator: ServiceAllocator): void {
  const spec = ensureObject(service, 'spec');
  const before = objectAt(old, 'spec');
  const refuse = (problems: FieldError[]): void => {
    if (problems.length > 0) throw errors.invalid('', 'Service', service.metadata.name ?? '', problems);
  };
  if (before !== undefined) keepAllocated(spec, before);
  normaliseClusterIPs(spec, before);
  refuse(initFamilies(spec, before));
  if (needsClusterIP(spec) && !isHeadless(spec)) refuse(claimClusterIP(spec, before, allocator));
  refuse(claimNodePorts(spec, before, allocator));
}

/** Keeps allocated values, so that a client can apply its own file again without them. */
function keepAllocated(spec: JsonObject, old: JsonObject): void {
  if (needsClusterIP(old) && needsClusterIP(spec)) {
    if (textAt(spec, 'clusterIP') === '') copy(spec, old, 'clusterIP');
    if (textsAt(spec, 'clusterIPs').length === 0 && textAt(spec, 'clusterIP') === textAt(old, 'clusterIP')) {
      copy(spec, old, 'clusterIPs');
    }
  }
  if (needsNodePort(old) && needsNodePort(spec)) keepNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && numberAt(spec, 'healthCheckNodePort') === 0) {
    copy(spec, old, 'healthCheckNodePort');
  }
}

function copy(into: JsonObject, from: JsonObject, key: string): void {
  if (from[key] !== undefined) into[key] = from[key];
}

function keepNodePorts(spec: JsonObject, old: JsonObject): void {
  const used = (of: JsonObject): number[] => listAt(of, 'ports').map((port) => numberAt(port, 'nodePort'));
  const asked = new Set(used(spec));
  const taken = new Set(used(old).filter((port) => port !== 0 && asked.has(port)));
  const byName = new Map(listAt(old, 'ports').map((port) => [textAt(port, 'name'), numberAt(port, 'nodePort')]));
  for (const port of listAt(spec, 'ports')) {
    if (numberAt(port, 'nodePort') !== 0) continue;
    const kept = byName.get(textAt(port, 'name')) ?? 0;
    if (kept !== 0 && !taken.has(kept)) port['nodePort'] = kept;
  }
}

/** Old clients set only `clusterIP`, new ones also `clusterIPs`: makes the two consistent. */
function normaliseClusterIPs(spec: JsonObject, old: JsonObject | undefined): void {
  const single = textAt(spec, 'clusterIP');
  const several = textsAt(spec, 'clusterIPs');
  if (old === undefined) {
    if (single !== '' && several.length === 0) spec['clusterIPs'] = [single];
    return;
  }
  const changed = single !== textAt(old, 'clusterIP');
  if (!changed || !jsonEqual(spec['clusterIPs'], old['clusterIPs'])) {
    if (changed && single !== '' && several.length === 0) spec['clusterIPs'] = [single];
    return;
  }
  if (single === '') delete spec['clusterIPs'];
  else spec['clusterIPs'] = [single];
}

function initFamilies(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (!needsClusterIP(spec)) return [];
  const openHeadless = textAt(spec, 'clusterIP') === 'None' && Object.keys(textMapAt(spec, 'selector')).length === 0;
  if (textAt(spec, 'ipFamilyPolicy') === '') {
    const kept = textAt(old, 'ipFamilyPolicy');
    spec['ipFamilyPolicy'] = kept === '' ? (openHeadless ? 'RequireDualStack' : 'SingleStack') : kept;
  }
  const loose = clusterIPErrors(spec);
  if (loose.length > 0) return loose;
  const policy = textAt(spec, 'ipFamilyPolicy');
  const problems = [...(old === undefined ? [] : releaseErrors(spec, old, policy)), ...familyCounts(spec, policy)];
  if (problems.length > 0) return problems;
  const families = textsAt(spec, 'ipFamilies');
  if (openHeadless) {
    const [first = 'IPv4'] = families;
    const both =
      policy !== 'SingleStack' && families.length < 2 ? [first, first === 'IPv4' ? 'IPv6' : 'IPv4'] : families;
    spec['ipFamilies'] = both.length === 0 ? [first] : both;
    return [];
  }
  return singleStackOnly(spec, policy, families);
}

/** A secondary address or family can be released only with a single stack policy. */
function releaseErrors(spec: JsonObject, old: JsonObject, policy: string): FieldError[] {
  if (policy === 'SingleStack') return [];
  const reduced = (key: string): boolean => textsAt(old, key).length === 2 && textsAt(spec, key).length === 1;
  const why = (what: string): FieldError =>
    fieldError.invalid('spec.ipFamilyPolicy', policy, `must be 'SingleStack' to release the secondary ${what}`);
  return [...(reduced('clusterIPs') ? [why('cluster IP')] : []), ...(reduced('ipFamilies') ? [why('IP family')] : [])];
}

function familyCounts(spec: JsonObject, policy: string): FieldError[] {
  const many = (what: string): FieldError =>
    fieldError.invalid(
      'spec.ipFamilyPolicy',
      policy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  if (policy !== 'SingleStack') return [];
  return [
    ...(textsAt(spec, 'clusterIPs').length === 2 ? [many('cluster IPs')] : []),
    ...(textsAt(spec, 'ipFamilies').length === 2 ? [many('IP families')] : []),
  ];
}

function singleStackOnly(spec: JsonObject, policy: string, families: string[]): FieldError[] {
  const problems: FieldError[] = [];
  textsAt(spec, 'clusterIPs').forEach((address, i) => {
    if (address !== 'None' && families[i] === undefined && isIPv6(address)) {
      const field = `spec.clusterIPs[${i}]`;
      problems.push(fieldError.invalid(field, spec['clusterIPs'], 'IPv6 is not configured on this cluster'));
    }
  });
  if (policy === 'RequireDualStack') {
    const why = 'this cluster is not configured for dual-stack services';
    problems.push(fieldError.invalid('spec.ipFamilyPolicy', policy, why));
  }
  families.forEach((family, i) => {
    if (family === 'IPv6')
      problems.push(fieldError.invalid(`spec.ipFamilies[${i}]`, family, 'not configured on this cluster'));
  });
  if (families.length === 0) spec['ipFamilies'] = ['IPv4'];
  return problems;
}

function claimClusterIP(spec: JsonObject, old: JsonObject | undefined, allocator: ServiceAllocator): FieldError[] {
  const [wanted = ''] = textsAt(spec, 'clusterIPs');
  const had = old !== undefined && needsClusterIP(old) && !isHeadless(old) ? textAt(old, 'clusterIP') : '';
  // Validation rejects a change of the address, so nothing is claimed.
  if (had !== '') return [];
  if (wanted === '') {
    const address = allocator.nextClusterIP();
    if (address === undefined) throw errors.internal('failed to allocate a serviceIP: range is full');
    spec['clusterIP'] = address;
    spec['clusterIPs'] = [address];
    return [];
  }
  const why = allocator.claimClusterIP(wanted);
  if (why === undefined) return [];
  return [fieldError.invalid('spec.clusterIPs', spec['clusterIPs'], `failed to allocate IP ${wanted}: ${why}`)];
}

function claimNodePorts(spec: JsonObject, old: JsonObject | undefined, allocator: ServiceAllocator): FieldError[] {
  const type = textAt(spec, 'type');
  if (type !== 'NodePort' && type !== 'LoadBalancer') return [];
  const mine = new Set(listAt(old, 'ports').map((port) => numberAt(port, 'nodePort')));
  const given = new Map<number, number>();
  const problems: FieldError[] = [];
  listAt(spec, 'ports').forEach((port, i) => {
    const asked = numberAt(port, 'nodePort');
    const number = numberAt(port, 'port');
    if (asked === 0) {
      // TCP and UDP on the same port share a node port.
      if (needsNodePort(spec)) port['nodePort'] = given.get(number) ?? take(allocator);
    } else if (!mine.has(asked) && given.get(number) !== asked) {
      const why = allocator.claimNodePort(asked);
      if (why !== undefined) problems.push(fieldError.invalid(`spec.ports[${i}].nodePort`, asked, why));
    }
    given.set(number, numberAt(port, 'nodePort'));
  });
  if (needsHealthCheck(spec) && numberAt(spec, 'healthCheckNodePort') === 0)
    spec['healthCheckNodePort'] = take(allocator);
  return problems;
}

function take(allocator: ServiceAllocator): number {
  const port = allocator.nextNodePort();
  if (port === undefined) throw errors.internal('failed to allocate a nodePort: range is full');
  return port;
}
