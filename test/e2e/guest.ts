/** Actions of the guest of a VM itself. */
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ObjectKey } from '../../packages/kube/src/object.ts';

/**
 * `shutDownGuest` makes the guest power itself off. Images differ in their logins, so the signal comes from KubeVirt:
 * its `stop` leaves the run strategy RerunOnFailure unchanged, so the VM is afterwards exactly in the state that a
 * `poweroff` in the guest leaves.
 */
export async function shutDownGuest(client: Client, { namespace = '', name }: ObjectKey): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}/stop`;
  await client.request({ method: 'PUT', path, body: {} });
}
