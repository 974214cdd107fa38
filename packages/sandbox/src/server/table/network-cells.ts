/** The table rows of services, their endpoints, and network policies. */
import type { Json, KubeObject } from '../../values/json.ts';
import type { CellWriters } from './cells.ts';
import { age, name, none, orElse, unset } from './cells.ts';
import { firstItems, formatLabels, formatSelector } from './format.ts';
import { at, listAt, numberAt, textAt } from './read.ts';

export const networkCells: CellWriters = {
  Service: (service, since) => [
    name(service),
    textAt(service, 'spec', 'type'),
    listAt(service, 'spec', 'clusterIPs')[0] ?? none,
    externalAddress(service),
    orElse(listAt(service, 'spec', 'ports').map(servicePort).join(','), none),
    age(service, since),
    formatLabels(at(service, 'spec', 'selector')),
  ],
  Endpoints: (object, since) => [name(object), endpointsText(object), age(object, since)],
  'discovery.k8s.io/EndpointSlice': (slice, since) => [
    name(slice),
    textAt(slice, 'addressType'),
    firstItems(listAt(slice, 'ports').map(slicePort), unset),
    firstItems(
      listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String)),
      unset,
    ),
    age(slice, since),
  ],
  'networking.k8s.io/NetworkPolicy': (policy, since) => [
    name(policy),
    formatSelector(at(policy, 'spec', 'podSelector')),
    age(policy, since),
  ],
};

function externalAddress(service: KubeObject): string {
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return orElse(external.join(','), none);
    case 'LoadBalancer':
      return orElse([...loadBalancerAddresses(service), ...external].join(','), '<pending>');
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function loadBalancerAddresses(service: KubeObject): string[] {
  const addresses = listAt(service, 'status', 'loadBalancer', 'ingress').map((ingress) =>
    orElse(textAt(ingress, 'ip'), textAt(ingress, 'hostname')),
  );
  return [...new Set(addresses.filter((address) => address !== ''))].sort();
}

function servicePort(port: Json): string {
  const node = numberAt(port, 'nodePort');
  return `${numberAt(port, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(port, 'protocol')}`;
}

function slicePort(port: Json): string {
  const number = at(port, 'port');
  return number === undefined ? (at(port, 'name') === undefined ? '*' : textAt(port, 'name')) : String(number);
}

function endpointsText(endpoints: KubeObject): string {
  const subsets = listAt(endpoints, 'subsets');
  return subsets.length === 0 ? none : firstItems(subsets.flatMap(subsetAddresses), '');
}

/** Each port of a subset with each of its addresses; a headless service may have no ports. */
function subsetAddresses(subset: Json): string[] {
  const addresses = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const ports = listAt(subset, 'ports');
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) =>
    addresses.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${numberAt(port, 'port')}`),
  );
}
