import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { copyField, ensureObject, listAt, numberAt, objectAt, setDefault, textAt, textsAt } from '../values/fields.ts';
import type { KindBehaviour } from '../kind.ts';
import { allocateService } from './service-allocation.ts';
import { isExternal, isHeadless, needsClusterIP, needsHealthCheck } from './service-traits.ts';
import { serviceErrors, serviceStatusErrors, serviceUpdateErrors } from './service-validation.ts';

const THREE_HOURS = 10800;

function setDefaults(service: KubeObject): void {
  const spec = ensureObject(service, 'spec');
  setDefault(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    const clientIP = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
    if (clientIP?.['timeoutSeconds'] === undefined) {
      spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: THREE_HOURS } };
    }
  }
  setDefault(spec, 'type', 'ClusterIP');
  for (const port of listAt(spec, 'ports')) {
    setDefault(port, 'protocol', 'TCP');
    const target = port['targetPort'];
    if (target === undefined || target === 0 || target === '') port['targetPort'] = numberAt(port, 'port');
  }
  if (isExternal(spec)) setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  if (['NodePort', 'LoadBalancer', 'ClusterIP'].includes(textAt(spec, 'type'))) {
    setDefault(spec, 'internalTrafficPolicy', 'Cluster');
  }
  if (textAt(spec, 'type') !== 'LoadBalancer') return;
  setDefault(spec, 'allocateLoadBalancerNodePorts', true);
  for (const ingress of listAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')) {
    if (textAt(ingress, 'ip') !== '') setDefault(ingress, 'ipMode', 'VIP');
  }
}

const hasNodePorts = (spec: JsonObject): boolean => ['NodePort', 'LoadBalancer'].includes(textAt(spec, 'type'));
const nodePorts = (spec: JsonObject): number[] => listAt(spec, 'ports').map((port) => numberAt(port, 'nodePort'));

/** Removes fields that the new type does not use, unless the client changed them. */
function dropForType(spec: JsonObject, old: JsonObject): void {
  const same = (...keys: string[]): boolean => keys.every((key) => jsonEqual(spec[key], old[key]));
  const drop = (...keys: string[]): void => keys.forEach((key) => delete spec[key]);
  const wasBalanced = textAt(old, 'type') === 'LoadBalancer' && textAt(spec, 'type') !== 'LoadBalancer';
  if (needsClusterIP(old) && !needsClusterIP(spec)) {
    if (same('clusterIP', 'clusterIPs')) drop('clusterIP', 'clusterIPs');
    if (same('ipFamilies')) drop('ipFamilies');
    if (same('ipFamilyPolicy')) drop('ipFamilyPolicy');
  }
  if (hasNodePorts(old) && !hasNodePorts(spec) && sameNodePorts(spec, old)) {
    for (const port of listAt(spec, 'ports')) delete port['nodePort'];
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && same('healthCheckNodePort')) drop('healthCheckNodePort');
  if (wasBalanced && same('allocateLoadBalancerNodePorts')) drop('allocateLoadBalancerNodePorts');
  if (wasBalanced && same('loadBalancerClass')) drop('loadBalancerClass');
  if (isExternal(old) && !isExternal(spec) && same('externalTrafficPolicy')) drop('externalTrafficPolicy');
}

/** Such a Service has no endpoints inside the cluster; the server never shows the field for it. */
function dropInternalPolicy(spec: JsonObject): void {
  if (textAt(spec, 'type') === 'ExternalName') delete spec['internalTrafficPolicy'];
}

/** Whether the old object already had every node port of the new one. */
function sameNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const before = new Set(nodePorts(old));
  return nodePorts(spec).every((port) => port === 0 || before.has(port));
}

function warnings(service: KubeObject): string[] {
  const spec = objectAt(service, 'spec') ?? {};
  const type = textAt(spec, 'type');
  const external = textsAt(spec, 'externalIPs').length > 0;
  const lines: string[] = [];
  if (service.metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] !== undefined) {
    lines.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  }
  if (isHeadless(spec)) {
    if (textAt(spec, 'loadBalancerIP') !== '') lines.push('spec.loadBalancerIP is ignored for headless services');
    if (external) lines.push('spec.externalIPs is ignored for headless services');
    if (textAt(spec, 'sessionAffinity') !== 'None') lines.push('spec.SessionAffinity is ignored for headless services');
  }
  if (external && !isHeadless(spec) && type !== 'ExternalName') {
    lines.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (external && type === 'ExternalName') lines.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (type !== 'ExternalName' && textAt(spec, 'externalName') !== '') {
    lines.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return lines;
}

export const service: KindBehaviour = {
  // Kubernetes 1.36 no longer requires a letter at the start.
  nameRule: 'dns1123label',
  allowCreateOnUpdate: true,
  default: setDefaults,
  allocate: allocateService,
  prepareForCreate(object) {
    object['status'] = { loadBalancer: {} };
    dropInternalPolicy(ensureObject(object, 'spec'));
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
    const spec = ensureObject(object, 'spec');
    dropForType(spec, objectAt(old, 'spec') ?? {});
    dropInternalPolicy(spec);
    if (textAt(spec, 'type') !== 'LoadBalancer') object['status'] = { ...objectAt(object, 'status'), loadBalancer: {} };
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
  },
  validate: serviceErrors,
  validateUpdate: serviceUpdateErrors,
  validateStatusUpdate: serviceStatusErrors,
  warnings,
  selectableFields(object) {
    const spec = objectAt(object, 'spec');
    return { 'spec.clusterIP': textAt(spec, 'clusterIP'), 'spec.type': textAt(spec, 'type') };
  },
};
