/**
 * Changes VMs by patching their status, at a steady rate regardless of the answers (open loop), or as fast as the
 * answers come.
 */
import type { Credentials } from '../../test/cluster/cluster.ts';
import type { Connection } from '../sandbox/connection.ts';
import { withConnections } from '../sandbox/load.ts';
import { now } from './clock.ts';
import { inNamespace, nameOf, status } from './machines.ts';
import type { Change, Load, Played } from './load.ts';

const connectionsAtMost = 32;
/** Few enough that no VM has two changes in progress at once. */
const changesEach = 8;

export async function patch(server: Credentials, changes: readonly Change[], { rate }: Load): Promise<Played> {
  return withConnections(
    server,
    Math.min(connectionsAtMost, Math.ceil(changes.length / changesEach)),
    async (connections) => {
      const seen = new Float64Array(changes.length);
      let next = 0;
      const began = performance.now();
      const loop = async (connection: Connection): Promise<void> => {
        for (let at = next++; at < changes.length; at = next++) {
          const change = changes[at] as Change;
          if (rate > 0) await until(began + (at * 1000) / rate);
          const body = JSON.stringify({ status: status(change.version) });
          const path = `${inNamespace}/${nameOf(change.index)}/status`;
          await connection.must({ method: 'PATCH', path, type: 'application/merge-patch+json', body });
          seen[at] = now();
        }
      };
      await Promise.all(connections.map(loop));
      return { sent: [...seen], seconds: (performance.now() - began) / 1000 };
    },
  );
}

async function until(time: number): Promise<void> {
  const pause = time - performance.now();
  if (pause > 0) await new Promise((wake) => setTimeout(wake, pause));
}
