/** A closed loop: each connection sends its next request after the answer to the previous one. */
import type { Credentials } from '../../test/cluster/cluster.ts';
import { type Call, Connection } from './connection.ts';

export interface Load {
  /** The total duration in seconds. */
  readonly seconds: number;
  /** Per request, in milliseconds. */
  readonly latencies: readonly number[];
}

export async function runLoad(
  connections: readonly Connection[],
  count: number,
  call: (index: number) => Call,
): Promise<Load> {
  const latencies: number[] = [];
  let next = 0;
  const loop = async (connection: Connection): Promise<void> => {
    while (next < count) {
      const request = call(next++);
      const sent = performance.now();
      await connection.must(request);
      latencies.push(performance.now() - sent);
    }
  };
  const began = performance.now();
  await Promise.all(connections.map(loop));
  return { seconds: (performance.now() - began) / 1000, latencies };
}

export async function withConnections<T>(
  credentials: Credentials,
  count: number,
  use: (connections: readonly Connection[]) => Promise<T>,
): Promise<T> {
  const connections: Connection[] = [];
  try {
    // Connects in small groups: a queue of a hundred concurrent handshakes times out on a slow host.
    while (connections.length < count) {
      const group = Math.min(10, count - connections.length);
      connections.push(...(await Promise.all(Array.from({ length: group }, () => Connection.open(credentials)))));
    }
    return await use(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}
