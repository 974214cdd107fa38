/** What the guest of a machine does by itself. */
import type { Client } from '../../src/kube/client/client.ts';
import type { ObjectKey } from '../../src/kube/object.ts';

/**
 * `shutDownGuest` has the guest power itself off. No image has the same login, so the signal comes from KubeVirt: its `stop` leaves the run strategy
 * RerunOnFailure as it is, so the machine is afterwards exactly what a `poweroff` in the guest leaves behind.
 */
export async function shutDownGuest(client: Client, { namespace = '', name }: ObjectKey): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}/stop`;
  await client.request({ method: 'PUT', path, body: {} });
}
