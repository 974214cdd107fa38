import { isIP } from 'node:net';
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { Json, JsonObject, KubeObject } from '../../../values/json.ts';
import { labelErrors } from '../../schema/object-meta.ts';
import { label, oneOf, portNumber, portNumberOrName, qualifiedName, subdomain } from '../errors.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textMapAt, textsAt } from '../values/fields.ts';
import { endpointIP, validCIDR, validIP } from '../values/ip.ts';
import { addressUpdateErrors, clusterIPErrors } from './service-addresses.ts';
import { isExternal, isHeadless, needsHealthCheck } from './service-traits.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const ONE_DAY = 86400;
const ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

export function serviceErrors(service: KubeObject): FieldError[] {
  const spec = objectAt(service, 'spec') ?? {};
  const ports = listAt(spec, 'ports');
  const type = textAt(spec, 'type');
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName')
    errors.push(fieldError.required('spec.ports', ''));
  errors.push(...typeErrors(spec, type), ...portErrors(ports));
  labelErrors(errors, textMapAt(spec, 'selector'), 'spec.selector');
  errors.push(...affinityErrors(spec), ...clusterIPErrors(spec));
  textsAt(spec, 'externalIPs').forEach((address, i) => {
    const field = `spec.externalIPs[${i}]`;
    const faults = validIP(address, field);
    errors.push(...(faults.length > 0 ? faults : endpointIP(address, field)));
  });
  errors.push(...oneOf(spec, 'type', 'spec', TYPES));
  errors.push(...nodePortErrors(ports, type), ...duplicatePorts(ports), ...rangeErrors(service, spec, type));
  if (isSet(spec, 'allocateLoadBalancerNodePorts') && type !== 'LoadBalancer') {
    errors.push(fieldError.forbidden('spec.allocateLoadBalancerNodePorts', ONLY_BALANCED));
  }
  return [...errors, ...loadBalancerClassErrors(spec, type), ...trafficErrors(spec, type)];
}

export function serviceUpdateErrors(service: KubeObject, old: KubeObject): FieldError[] {
  const spec = objectAt(service, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  const errors = addressUpdateErrors(spec, before);
  const balanced = textAt(spec, 'type') === 'LoadBalancer' && textAt(before, 'type') === 'LoadBalancer';
  if (balanced && spec['loadBalancerClass'] !== before['loadBalancerClass']) {
    errors.push(fieldError.invalid('spec.loadBalancerClass', spec['loadBalancerClass'], 'may not change once set'));
  }
  const checked = needsHealthCheck(before) && needsHealthCheck(spec);
  if (checked && numberAt(spec, 'healthCheckNodePort') !== numberAt(before, 'healthCheckNodePort')) {
    errors.push(fieldError.forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return [...errors, ...serviceErrors(service)];
}

export function serviceStatusErrors(service: KubeObject): FieldError[] {
  const path = 'status.loadBalancer.ingress';
  const ingresses = listAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress');
  if (textAt(objectAt(service, 'spec'), 'type') !== 'LoadBalancer') {
    const why = "may only be used when `spec.type` is 'LoadBalancer'";
    return ingresses.length === 0 ? [] : [fieldError.forbidden(path, why)];
  }
  return ingresses.flatMap((ingress, i) => ingressErrors(ingress, `${path}[${i}]`));
}

function ingressErrors(ingress: JsonObject, path: string): FieldError[] {
  const ip = textAt(ingress, 'ip');
  const hostname = textAt(ingress, 'hostname');
  const errors = ip === '' ? [] : validIP(ip, `${path}.ip`);
  if (isSet(ingress, 'ipMode')) {
    if (ip === '') errors.push(fieldError.forbidden(`${path}.ipMode`, 'may not be specified when `ip` is not set'));
    else errors.push(...oneOf(ingress, 'ipMode', path, ['Proxy', 'VIP']));
  }
  if (hostname === '') return errors;
  errors.push(...subdomain(hostname, `${path}.hostname`));
  if (isIP(hostname) !== 0) {
    errors.push(fieldError.invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'));
  }
  return errors;
}

function typeErrors(spec: JsonObject, type: string): FieldError[] {
  if (type === 'LoadBalancer' || type === 'NodePort') {
    const why = `may not be set to 'None' for ${type} services`;
    return isHeadless(spec) ? [fieldError.invalid('spec.clusterIPs[0]', 'None', why)] : [];
  }
  if (type !== 'ExternalName') return [];
  const why = 'may not be set for ExternalName services';
  const errors: FieldError[] = [];
  if (textsAt(spec, 'clusterIPs').length > 0) errors.push(fieldError.forbidden('spec.clusterIPs', why));
  if (textsAt(spec, 'ipFamilies').length > 0) errors.push(fieldError.forbidden('spec.ipFamilies', why));
  if (isSet(spec, 'ipFamilyPolicy')) errors.push(fieldError.forbidden('spec.ipFamilyPolicy', why));
  const cname = textAt(spec, 'externalName').replace(/\.$/, '');
  if (cname === '') return [...errors, fieldError.required('spec.externalName', '')];
  return [...errors, ...subdomain(cname, 'spec.externalName')];
}

function portErrors(ports: JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const path = `spec.ports[${i}]`;
    const name = textAt(port, 'name');
    const errors: FieldError[] = [];
    if (name !== '') {
      errors.push(...label(name, `${path}.name`));
      if (seen.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
      seen.add(name);
    } else if (ports.length > 1) errors.push(fieldError.required(`${path}.name`, ''));
    errors.push(...portNumber(numberAt(port, 'port'), `${path}.port`));
    errors.push(...oneOf(port, 'protocol', path, PROTOCOLS));
    errors.push(...portNumberOrName(port['targetPort'], `${path}.targetPort`));
    const app = port['appProtocol'];
    if (typeof app === 'string') errors.push(...qualifiedName(app, `${path}.appProtocol`));
    return errors;
  });
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const errors = oneOf(spec, 'sessionAffinity', 'spec', ['ClientIP', 'None']);
  const config = objectAt(spec, 'sessionAffinityConfig');
  if (spec['sessionAffinity'] !== 'ClientIP') return errors;
  const clientIP = objectAt(config, 'clientIP');
  const path = 'spec.sessionAffinityConfig';
  if (config === undefined) return [...errors, fieldError.required(path, 'when session affinity type is ClientIP')];
  const timeout = clientIP?.['timeoutSeconds'];
  if (typeof timeout !== 'number') {
    return [...errors, fieldError.required(`${path}.clientIP`, 'when session affinity type is ClientIP')];
  }
  if (timeout > 0 && timeout <= ONE_DAY) return errors;
  const why = `must be greater than 0 and less than ${ONE_DAY}`;
  return [...errors, fieldError.invalid(`${path}.clientIP.timeoutSeconds`, timeout, why)];
}

function nodePortErrors(ports: JsonObject[], type: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  if (type === 'ClusterIP') {
    ports.forEach((port, i) => {
      if (numberAt(port, 'nodePort') === 0) return;
      const why = "may not be used when `type` is 'ClusterIP'";
      errors.push(fieldError.forbidden(`spec.ports[${i}].nodePort`, why));
    });
  }
  ports.forEach((port, i) => {
    const number = numberAt(port, 'nodePort');
    const key = `${textAt(port, 'protocol')}/${number}`;
    if (number !== 0 && seen.has(key)) errors.push(fieldError.duplicate(`spec.ports[${i}].nodePort`, number));
    seen.add(key);
  });
  return errors;
}

function duplicatePorts(ports: JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const protocol = textAt(port, 'protocol');
    const number = numberAt(port, 'port');
    const key = `${protocol}/${number}`;
    // Kubernetes prints its internal struct here, with only these two fields set.
    const shown: Json = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
    const errors = seen.has(key) ? [fieldError.duplicate(`spec.ports[${i}]`, shown)] : [];
    seen.add(key);
    return errors;
  });
}

function rangeErrors(service: KubeObject, spec: JsonObject, type: string): FieldError[] {
  const ranges = textsAt(spec, 'loadBalancerSourceRanges');
  const annotation = service.metadata.annotations?.[SOURCE_RANGES];
  const forbidden = (field: string): FieldError[] =>
    type === 'LoadBalancer' ? [] : [fieldError.forbidden(field, ONLY_BALANCED)];
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges';
    return [...forbidden(path), ...ranges.flatMap((range, i) => validCIDR(range.trim(), `${path}[${i}]`))];
  }
  if (annotation === undefined) return [];
  const path = `metadata.annotations[${SOURCE_RANGES}]`;
  const listed = annotation.trim() === '' ? [] : annotation.split(',');
  return [...forbidden(path), ...listed.flatMap((range) => validCIDR(range.trim(), path))];
}

function loadBalancerClassErrors(spec: JsonObject, type: string): FieldError[] {
  const name = spec['loadBalancerClass'];
  if (typeof name !== 'string') return [];
  if (type === 'LoadBalancer') return qualifiedName(name, 'spec.loadBalancerClass');
  return [fieldError.forbidden('spec.loadBalancerClass', ONLY_BALANCED)];
}

function trafficErrors(spec: JsonObject, type: string): FieldError[] {
  const errors: FieldError[] = [];
  const policy = textAt(spec, 'externalTrafficPolicy');
  if (isExternal(spec)) errors.push(...oneOf(spec, 'externalTrafficPolicy', 'spec', ['Cluster', 'Local']));
  else if (policy !== '') {
    const why = 'may only be set for externally-accessible services';
    errors.push(fieldError.invalid('spec.externalTrafficPolicy', policy, why));
  }
  const check = numberAt(spec, 'healthCheckNodePort');
  if (!needsHealthCheck(spec) && check !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(fieldError.invalid('spec.healthCheckNodePort', check, why));
  }
  const inside = ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type);
  const given = isSet(spec, 'internalTrafficPolicy');
  errors.push(...oneOf(spec, 'internalTrafficPolicy', 'spec', ['Cluster', 'Local'], inside && !given));
  errors.push(
    ...oneOf(spec, 'trafficDistribution', 'spec', ['PreferClose', 'PreferSameZone', 'PreferSameNode'], false),
  );
  return errors;
}
