/** The VMs on a server: created once, changed by patches of their status. */
import type { Credentials } from '../../test/cluster/cluster.ts';
import type { Connection } from '../sandbox/connection.ts';
import { withConnections } from '../sandbox/load.ts';
import { define, harden } from './definitions.ts';
import { inNamespace, machine, nameOf, namespace } from './machines.ts';

const uidPattern = /"uid":\s*"([0-9a-f-]{36})"/;

/** Resolves to their uids, by index. */
export async function populate(server: Credentials, count: number, definitions: string): Promise<readonly string[]> {
  return withConnections(server, 16, async (connections) => {
    const first = connections[0] as Connection;
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await first.must({ method: 'POST', path: '/api/v1/namespaces', body });
    await define(server, definitions);
    const uids: string[] = [];
    let next = 0;
    const loop = async (connection: Connection): Promise<void> => {
      for (let index = next++; index < count; index = next++) {
        const created = { method: 'POST', path: inNamespace, body: JSON.stringify(machine(index)) };
        const { parts } = await connection.must(created);
        uids[index] = uidPattern.exec(Buffer.concat(parts).toString())?.[1] ?? '';
      }
    };
    await Promise.all(connections.map(loop));
    await harden(server, definitions, `${inNamespace}/${nameOf(0)}/status`);
    return uids;
  });
}
