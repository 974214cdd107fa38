/** The Service that makes a VM reachable from outside, as the role of Mass Open Cloud creates it. */
import { fields, list } from '../facts/reading.ts';
import type { KubeLike } from '../tenant-vm/kube-like.ts';
import { childMetadata, type OrderIdentity } from './identity.ts';
import { childNames } from './child-names.ts';
import type { OrderParameters } from './parameters/order-parameters.ts';
import { labels } from './resource.ts';

type Texts = Readonly<Record<string, string>>;

export function buildService(identity: OrderIdentity, { ports }: OrderParameters, selector: Texts): KubeLike {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: childMetadata(identity, childNames(identity).service),
    spec: {
      type: 'LoadBalancer',
      selector,
      ports: ports.map(({ port, protocol }) => ({
        name: `${protocol.toLowerCase()}-${port}`,
        port,
        targetPort: port,
        protocol,
      })),
    },
  };
}

/**
 * Selects by a label that the VM's pod has, which are the labels of its instance. The pod of a VM that AAP created
 * lacks our label until the VM is restarted, and would be cut off until then.
 */
export function serviceSelector(
  { name }: OrderIdentity,
  instanceLabels: Readonly<Record<string, unknown>> | undefined,
): Texts {
  const known = [labels.vm, labels.order, labels.instance];
  const found = instanceLabels === undefined ? undefined : known.find((label) => instanceLabels[label] === name);
  return { [found ?? labels.vm]: name };
}

/**
 * The ports of an existing Service without those that `desired` does not name; undefined if there are none to remove.
 * Each port has its own field managers: an apply does not close a port that AAP or a user has opened.
 */
export function portsToKeep(live: unknown, desired: unknown): readonly unknown[] | undefined {
  const wanted = new Set(portsOf(desired).map(portName));
  const found = portsOf(live);
  const kept = found.filter((port) => wanted.has(portName(port)));
  return wanted.size === 0 || kept.length === found.length ? undefined : kept;
}

function portsOf(service: unknown): readonly unknown[] {
  return list(fields(fields(service)['spec'])['ports']);
}

function portName(port: unknown): string {
  const { port: number, protocol = 'TCP' } = fields(port);
  return `${String(number)}/${String(protocol)}`;
}
