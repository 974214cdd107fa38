/**
 * A network that can be cut: TCP through this proxy arrives, or waits. Data sent while it is cut is delivered late,
 * when the cut ends.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Credentials } from '../cluster/cluster.ts';

export interface SilentProxy {
  /** The URL of the server, at our address. */
  readonly credentials: Credentials;
  silence(): void;
  heal(): void;
  stop(): Promise<void>;
}

export async function startSilentProxy(upstream: Credentials): Promise<SilentProxy> {
  const { hostname, port } = new URL(upstream.url);
  const sockets = new Set<Socket>();
  let silent = false;
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.end();
    });
    socket.on('data', (chunk) => other.write(chunk));
    if (silent) socket.pause();
  };
  const server = createServer((client) => {
    const target = connect({ host: hostname, port: Number(port) });
    keep(client, target);
    keep(target, client);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const own = (server.address() as AddressInfo).port;
  return {
    credentials: { ...upstream, url: `https://127.0.0.1:${own}` },
    silence() {
      silent = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      silent = false;
      for (const socket of sockets) socket.resume();
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
