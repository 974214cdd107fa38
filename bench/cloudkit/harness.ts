/**
 * A cluster with orders, in two forms. Without simulators, objects are only stored and watched, so the figures are
 * those of the operator and the API server. With simulators for KubeVirt, disks and load balancers, orders become
 * Ready.
 */
import { namespaces, storageClasses } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { definitionOf } from '../../test/cloudkit/definitions.ts';
import { install } from '../../test/fleet/definition.ts';
import { installKubeVirt } from '../../test/fleet/harness.ts';
import { startSandbox, type SandboxProcess, type Server } from '../operator/sandbox.ts';
import { makeStorageClass } from '../operator/storage-class.ts';
import { poll } from '../sandbox/poll.ts';
import { ordersNamespace, tenantNamespace } from './orders.ts';

/** Room for all VMs of the largest round. */
const simulated = '--parts kubevirt,nodes,storage,cdi,load-balancers --nodes 10 --node-cpu 200 --node-memory 1Ti'.split(
  ' ',
);

export interface Harness extends Omit<SandboxProcess, 'servers'> {
  readonly server: Server;
}

/** `speed` is that of the simulators; without it there are none. */
export async function startHarness(speed: number | undefined): Promise<Harness> {
  const args = speed === undefined ? ['--bare'] : [...simulated, '--speed', `${speed}`];
  const sandbox = await startSandbox(args, 'bench-cloudkit');
  try {
    const { servers, ...rest } = sandbox;
    const [server] = servers;
    if (server === undefined) throw new Error('the sandbox has no cluster');
    const { client } = server;
    if (speed !== undefined)
      await poll('there is no storage class', async () => {
        const { items } = await client.list(storageClasses);
        return items.length === 0 ? undefined : true;
      });
    else {
      await installKubeVirt(server);
      await makeStorageClass(client);
    }
    await install(client, definitionOf('virtualmachines'), definitionOf('ordertemplates'));
    await client.create(namespaces, { metadata: { name: ordersNamespace } });
    const labels = { 'cloudkit.openshift.io/project': ordersNamespace };
    await client.create(namespaces, { metadata: { name: tenantNamespace, labels } });
    return { ...rest, server };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}
