/** The names of a pod's interfaces, and the pod's annotations for the cluster network. */
import { createHash } from 'node:crypto';
import type { VirtualMachineInstance } from '../../objects.ts';
import { domainOf, networksOf, type Network } from '../domain.ts';
import { annotations as names } from '../names.ts';

export const PRIMARY_INTERFACE = 'eth0';

export const isSecondary = ({ multus }: Network): boolean => multus !== undefined && multus.default !== true;

/** Names of Linux interfaces are short, so the names of networks are hashed. */
export function podInterfaceName(network: Network): string {
  if (!isSecondary(network)) return PRIMARY_INTERFACE;
  return `pod${createHash('sha256').update(network.name).digest('hex').slice(0, 11)}`;
}

export function networkAnnotations(vmi: VirtualMachineInstance): Record<string, string> {
  const interfaces = (domainOf(vmi).devices.interfaces ?? []).filter(({ state }) => state !== 'absent');
  const networks = networksOf(vmi).filter(({ name }) => interfaces.some((other) => other.name === name));
  const attached = networks.filter(isSecondary).map((network) => {
    const [namespace, name] = qualified(network.multus?.networkName ?? '', vmi.metadata.namespace ?? '');
    const mac = interfaces.find((other) => other.name === network.name)?.macAddress;
    return { name, namespace, ...(mac === undefined ? {} : { mac }), interface: podInterfaceName(network) };
  });
  const first = networksOf(vmi).find(({ multus }) => multus?.default === true);
  return {
    ...(attached.length === 0 ? {} : { [names.networks]: JSON.stringify(attached) }),
    ...(first === undefined ? {} : { [names.defaultNetwork]: first.multus?.networkName ?? '' }),
    ...(interfaces.some(({ masquerade }) => masquerade !== undefined) ? reroute : {}),
  };
}

const reroute = {
  'istio.io/reroute-virtual-interfaces': 'k6t-eth0',
  'traffic.sidecar.istio.io/kubevirtInterfaces': 'k6t-eth0',
};

function qualified(name: string, namespace: string): readonly [string, string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [namespace, name] : [name.slice(0, slash), name.slice(slash + 1)];
}
