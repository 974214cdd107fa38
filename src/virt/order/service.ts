/** The way to a machine from outside, as the role of Mass Open Cloud makes it. */
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
