/** KubeVirt's own `stop` of a VM, past ssvirt. */
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ObjectKey } from '../../packages/kube/src/object.ts';

/**
 * `stopPastSsvirt` stands in for a guest that powers itself off: images differ in their logins, so no command can be
 * typed into every guest. As after a `poweroff` in the guest, the VM is off although its run strategy is still
 * RerunOnFailure. Unlike then, KubeVirt deletes the running instance; it does not end by itself as Succeeded before.
 */
export async function stopPastSsvirt(client: Client, { namespace = '', name }: ObjectKey): Promise<void> {
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}/stop`;
  await client.request({ method: 'PUT', path, body: {} });
}
