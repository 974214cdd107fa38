/** Clients that connect and send no request, like an attacker, a port scanner or a broken load balancer. */
import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';

/** The first bytes of a TLS record that holds a ClientHello of 512 bytes, of which 508 are missing. */
const startOfHello = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc]);

/** What each of them does after it has connected. */
export const habits = {
  silent: () => undefined,
  startsHandshake: (socket: Socket) => void socket.write(startOfHello),
  closes: (socket: Socket) => void socket.end(),
  startsHandshakeAndCloses: (socket: Socket) => void socket.end(startOfHello),
  resets: (socket: Socket) => void socket.resetAndDestroy(),
} as const satisfies Readonly<Record<string, (socket: Socket) => void>>;

export type Habit = keyof typeof habits;

/** `openHalf` makes `count` connections with the habits in turn, and resolves when all are connected. */
export async function openHalf(port: number, count: number, all: readonly Habit[]): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  // A listener's backlog holds 511.
  const atOnce = 200;
  while (sockets.length < count) {
    const next = Array.from({ length: Math.min(atOnce, count - sockets.length) }, () => connectQuietly(port));
    await Promise.all(next.map((socket) => once(socket, 'connect')));
    sockets.push(...next);
  }
  sockets.forEach((socket, at) => habits[all[at % all.length]!](socket));
  return sockets;
}

/** As careless as a killed client: it does not close its side when the server does. */
function connectQuietly(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

export function connectionsOf(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.getConnections((error, count) => (error === null ? done(count) : fail(error)));
  });
}

/** A certificate for 127.0.0.1, and the authority to trust. */
export async function servingPair(): Promise<{ readonly key: string; readonly cert: string; readonly ca: string }> {
  const authority = await createAuthority('test');
  const { key, certificate } = await authority.issue({ commonName: 'x', server: true, addresses: ['127.0.0.1'] });
  return { key, cert: certificate, ca: authority.certificate };
}
