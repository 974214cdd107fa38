import { settle } from '../../packages/ssvirt/src/processes/dev/ports.ts';

/**
 * Distinct ports that were free a moment ago. They are below the range for outgoing connections, one of which could
 * take a port before its process listens, or while that restarts.
 */
export async function freePorts(count: number): Promise<number[]> {
  const wanted = { key: 'a free port', flag: '', at: { host: '127.0.0.1', port: 0 } };
  const found = await settle(Array.from({ length: count }, () => wanted));
  return found.map(({ port }) => port);
}
