import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Ports that were free a moment ago. All are held open at once, so that they differ from each other. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

async function listen(): Promise<ReturnType<typeof createServer>> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  return server;
}
