/** The order of the bench: a small VM with every optional part, which makes five objects. */
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { annotations } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';

export const ordersNamespace = 'bench-orders';
export const tenantNamespace = 'bench-tenant';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA bench';
const line = '  - "the quick brown fox jumps over the lazy dog, and says so in a log"\n';
const parameters = {
  cpu_cores: 1,
  memory: '512Mi',
  disk_size: '1Gi',
  image_source: 'quay.io/containerdisks/fedora:latest',
  cloud_init_config: Buffer.from(`#cloud-config\nbootcmd:\n${line.repeat(40)}`).toString('base64'),
  ssh_public_key: key,
  exposed_ports: '22/tcp,80/tcp,443/tcp',
};

export const nameOf = (round: number, index: number): string => `bench-${round}-${String(index).padStart(4, '0')}`;

export function orderOf(namespace: string, name: string): Order {
  return {
    metadata: { namespace, name, annotations: { [annotations.managedBy]: 'controller' } },
    spec: {
      templateID: 'osac.templates.ocp_virt_vm',
      templateParameters: JSON.stringify(parameters),
      tenantNamespace,
    },
  };
}

/** All are sent before the first is answered. Returns the send time of each by name. */
export function createAtOnce(
  client: Client,
  namespace: string,
  names: readonly string[],
): { readonly sent: ReadonlyMap<string, number>; readonly answered: readonly Promise<Order>[] } {
  const sent = new Map<string, number>();
  const answered = names.map((name) => {
    sent.set(name, performance.now());
    return client.create(orders, orderOf(namespace, name));
  });
  return { sent, answered };
}
