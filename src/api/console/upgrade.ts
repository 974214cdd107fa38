/**
 * A request for a websocket goes the way of all requests: routes, hooks, errors and the log are the same. Node hands it over as a bare socket, so an answer is
 * made for it, which is either sent, and the socket closed, or given up when the websocket begins.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { endSocket } from '../../net/end-socket.ts';
import type { ApiApp, Reply, Request } from '../http/app-types.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { ApiError } from '../errors.ts';

// Imported by name, node:http would load the whole of fetch with it.
const { ServerResponse } = process.getBuiltinModule('node:http');

/** What a websocket begins with. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Undefined where the request asks for none. */
export function upgradeOf({ raw }: Pick<Request, 'raw'>): Upgrade | undefined {
  return upgrades.get(raw);
}

/** The answer is nobody's from here on: the socket is the caller's. */
export function takeSocket(reply: Reply, { socket }: Upgrade): void {
  reply.hijack();
  reply.raw.detachSocket(socket as Parameters<typeof reply.raw.detachSocket>[0]);
  // For those who count requests that are under way.
  reply.raw.emit('close');
}

/** `isServed` says of a path whether it is one of a websocket; any other upgrade is refused. */
export function serveUpgrades(app: ApiApp, isServed: (path: string) => boolean): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node has taken its own listener away; what is broken is closed, and who holds the socket hears of that.
    socket.on('error', () => socket.destroy());
    const path = request.url?.split('?')[0] ?? '';
    if (!isWebSocket(request) || !isServed(path)) return refuse(request, socket, path);
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
    response.once('finish', () => {
      response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
      endSocket(socket);
      response.emit('close');
    });
    app.routing(request, response);
  });
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

function refuse({ method, headers }: IncomingMessage, socket: Duplex, path: string): void {
  const what = `${method ?? ''} ${path.slice(0, 200)}`;
  const error = new ApiError('NOT_FOUND', `There is no websocket at ${what}; only consoles are served so.`);
  const { type, body } = errorAnswer(error, headers.accept);
  const length = Buffer.byteLength(body);
  endSocket(
    socket,
    `HTTP/1.1 404 Not Found\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}
