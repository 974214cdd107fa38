/**
 * Upgrade requests take the way of all requests: routes, hooks, errors and the log are the same. Node hands them over
 * as a bare socket, so a response object is created for them. Either it is sent and the socket closed, or it is
 * abandoned when the WebSocket starts.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { endSocket } from '@ssvirt/base/net/end-socket';
import type { ApiApp, Reply, Request } from '../http/app-types.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { ApiError } from '../errors.ts';

// A static import of node:http would load all of fetch with it.
const { ServerResponse } = process.getBuiltinModule('node:http');

/** What a WebSocket starts from. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Undefined if the request is not an upgrade. */
export function upgradeOf({ raw }: Pick<Request, 'raw'>): Upgrade | undefined {
  return upgrades.get(raw);
}

/** `takeSocket` detaches the response: the caller owns the socket from here on. */
export function takeSocket(reply: Reply, { socket }: Upgrade): void {
  reply.hijack();
  reply.raw.detachSocket(socket as Parameters<typeof reply.raw.detachSocket>[0]);
  // For code that counts requests in progress.
  reply.raw.emit('close');
}

/** `isServed` says whether a path serves a WebSocket; any other upgrade is refused. */
export function serveUpgrades(app: ApiApp, isServed: (path: string) => boolean): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node has removed its own listener. A broken socket is closed, which its owner notices.
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
  const error = new ApiError('NOT_FOUND', `There is no WebSocket at ${what}; only consoles are served as WebSockets.`);
  const { type, body } = errorAnswer(error, headers.accept);
  const length = Buffer.byteLength(body);
  endSocket(
    socket,
    `HTTP/1.1 404 Not Found\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}
