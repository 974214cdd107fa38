/** The way to a machine from outside, as the role of Mass Open Cloud makes it. */
import { fields, list } from '../facts/reading.ts';
import type { KubeLike } from '../machine/kube-like.ts';
import { childMetadata, type OrderIdentity } from './identity.ts';
import { childNames } from './child-names.ts';
import type { OrderParameters } from './order-parameters.ts';
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
 * What the pod of the machine bears: the labels of its instance. One that AAP's machine runs in lacks ours until it is started anew, and would be cut
 * off meanwhile.
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
 * The ports of a Service that is there without those that `desired` does not name; undefined where there are none of these. Each port has owners of its own: an
 * apply does not close one that AAP, or somebody by hand, has opened.
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
