import { settle } from '../../src/processes/dev/ports.ts';

/**
 * Ports that were free a moment ago, each another one. They are below those that systems give to outgoing connections, one of which could take a port
 * before its process listens, or while that is started again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const wanted = { key: 'a free port', flag: '', at: { host: '127.0.0.1', port: 0 } };
  const found = await settle(Array.from({ length: count }, () => wanted));
  return found.map(({ port }) => port);
}
