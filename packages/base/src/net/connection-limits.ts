/**
 * Limits for connections on which a client sends no request. Node closes a connection without a finished TLS handshake
 * only after two minutes, does not count it among those that `closeAllConnections` closes, and does not limit how many
 * there are.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

export interface ConnectionLimits {
  /** From the TCP connection to the end of the TLS handshake. Absolute: bytes that arrive do not extend it. */
  readonly handshakeMs: number;
  /** From the end of the handshake, or the first byte of a later request, to the end of its headers. */
  readonly headersMs: number;
  /** The same, to the end of the body. */
  readonly requestMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** How often `headersMs` and `requestMs` are checked. */
  readonly checkMs: number;
  /** Further connections are closed as soon as they are accepted. */
  readonly maxConnections: number;
  /**
   * TLS handshakes that are not finished. A further connection closes the oldest of them: a client that is served
   * finishes in a fraction of the time that it takes to fill this number, and one that never finishes gets the loss.
   */
  readonly maxHandshakes: number;
}

/** For listeners that only programs of the installation call: probes and Prometheus. */
export const internalLimits: ConnectionLimits = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 65_000,
  checkMs: 5_000,
  maxConnections: 512,
  maxHandshakes: 512,
};

/** `serverTimeouts` is the part of the limits that Node enforces; it belongs into the options of `createServer`. */
export function serverTimeouts({ handshakeMs, headersMs, requestMs, keepAliveMs, checkMs }: ConnectionLimits): {
  readonly handshakeTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
} {
  return {
    handshakeTimeout: handshakeMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  };
}

export interface ConnectionGuard {
  /**
   * Destroys the connections on which no request is being answered: without a handshake, without a whole request head,
   * or between two requests.
   */
  destroyIdle(): void;
  /** Destroys all, websockets included. */
  destroyAll(): void;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that are being answered; a websocket is one until it is closed. */
  requests: number;
}

export interface LimitListeners {
  /** Called for every connection that is closed because `maxConnections` are open. */
  readonly onMaxConnections?: () => void;
  /** Called for every connection that is closed because `maxHandshakes` are not finished. */
  readonly onMaxHandshakes?: () => void;
}

/**
 * `guardConnections` closes connections whose handshake fails or exceeds its time, enforces `maxConnections` and
 * `maxHandshakes`, and tracks every connection of `server`. Call it before the server listens. Connections are found by the peer's address
 * and port: a request of an HTTPS server carries the TLS socket, which does not name the TCP socket below it.
 */
export function guardConnections(
  server: Server,
  { maxConnections, maxHandshakes }: Pick<ConnectionLimits, 'maxConnections' | 'maxHandshakes'>,
  { onMaxConnections = () => undefined, onMaxHandshakes = () => undefined }: LimitListeners = {},
): ConnectionGuard {
  const connections = new Map<string, Connection>();
  /** The connections without a finished TLS handshake, the oldest first. */
  const handshakes = new Set<Socket>();
  server.maxConnections = maxConnections;
  server.on('drop', onMaxConnections);
  // Node only reports a handshake that failed or took too long, and passes it on to `clientError`, where a listener may
  // send an answer.
  server.prependListener('tlsClientError', (_error: Error, socket: Duplex) => socket.destroy());

  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    const connection: Connection = { socket, requests: 0 };
    connections.set(peer, connection);
    socket.once('close', () => {
      if (connections.get(peer) === connection) connections.delete(peer);
      handshakes.delete(socket);
    });
    if (!(server instanceof TlsServer)) return;
    handshakes.add(socket);
    const [oldest] = handshakes;
    if (oldest === undefined || handshakes.size <= maxHandshakes) return;
    handshakes.delete(oldest);
    oldest.destroy();
    onMaxHandshakes();
  });
  server.on('secureConnection', (socket: Socket) => {
    const connection = connections.get(peerOf(socket));
    if (connection !== undefined) handshakes.delete(connection.socket);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(peerOf(socket));
    if (connection === undefined) return;
    connection.requests += 1;
    response.once('close', () => (connection.requests -= 1));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = connections.get(peerOf(socket));
    if (connection !== undefined) connection.requests += 1;
  });

  const destroyWhere = (condition: (connection: Connection) => boolean): void => {
    for (const connection of connections.values()) if (condition(connection)) connection.socket.destroy();
  };
  return {
    destroyIdle: () => destroyWhere(({ requests }) => requests === 0),
    destroyAll: () => destroyWhere(() => true),
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
