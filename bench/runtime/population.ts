/** The VirtualMachines that both runtimes watch, and the writes to them. */
import type { Credentials } from '../../test/cluster/cluster.ts';
import { runLoad, withConnections } from '../sandbox/load.ts';
import { ownDefinition } from '../sandbox/own-definition.ts';
import { createCall, namespace, statusCall, virtualMachines } from '../sandbox/workload.ts';
import { poll } from '../sandbox/poll.ts';

/** A folder without KubeVirt's definitions: this bench does not measure admission. */
const machines = virtualMachines('/nonexistent');
export const group = ownDefinition['spec'] as { readonly group: string };

const sentAnnotation = 'bench/sent';

export async function populate(server: Credentials, count: number): Promise<void> {
  await withConnections(server, 16, async (connections) => {
    const [first] = connections;
    if (first === undefined) return;
    const namespaced = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await first.must({ method: 'POST', path: '/api/v1/namespaces', body: JSON.stringify(namespaced) });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await first.must({ method: 'POST', path: definitions, body: JSON.stringify(ownDefinition) });
    await poll('the definition is not served', async () => {
      const { status } = await first.send({ method: 'GET', path: machines.path });
      return status === 200 || undefined;
    });
    await runLoad(connections, count, (index) => createCall(machines, index));
    await runLoad(connections, count, (index) => statusCall(machines, index, index));
  });
}

/** Writes at a steady rate; each write carries the time at which it was sent. */
export async function touch(server: Credentials, count: number, rate: number, objects: number): Promise<void> {
  await withConnections(server, 8, async (connections) => {
    const sent: Promise<unknown>[] = [];
    const began = performance.now();
    for (let index = 0; index < count; index++) {
      const pause = began + (index * 1000) / rate - performance.now();
      if (pause > 0) await new Promise((wake) => setTimeout(wake, pause));
      const connection = connections[index % connections.length];
      // At this rate the connection's previous request has long been answered. If not, wait, or the queue would be
      // measured instead of the runtimes.
      await sent[index - connections.length];
      const name = `bench-${String((index * 7919) % objects).padStart(6, '0')}`;
      const stamp = String(Math.round((performance.timeOrigin + performance.now()) * 1000));
      const body = JSON.stringify({ metadata: { annotations: { [sentAnnotation]: stamp } } });
      const call = { method: 'PATCH', path: `${machines.path}/${name}`, type: 'application/merge-patch+json', body };
      sent.push(connection?.must(call) ?? Promise.resolve());
    }
    await Promise.all(sent);
  });
}
