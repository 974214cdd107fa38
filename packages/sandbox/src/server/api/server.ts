/**
 * The HTTPS server of one sandbox cluster: authenticates and routes requests, and converts every failure to a Status.
 */
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyPair } from '@ssvirt/base/tls/authority';
import type { Faults } from '../faults/faults.ts';
import { ANONYMOUS, type Authenticator, refuseAnonymous } from './request/auth.ts';
import { contextOf, type Context, type User } from './context.ts';
import { sendFailure } from './failure.ts';
import type { Handlers } from './handlers.ts';
import { impersonated } from './request/impersonation.ts';
import type { Registry } from './registry.ts';
import { sendText } from './render.ts';
import { parseResourcePath, type ResourcePath } from './request/request-info.ts';
import { serveResource, type SpecialHandler } from './serve-resource.ts';
import { errors, StatusError } from './status.ts';
import { STATUS_CODES } from '@ssvirt/kube/http';
import {
  guardConnections,
  serverTimeouts,
  type ConnectionGuard,
  type ConnectionLimits,
} from '@ssvirt/base/net/connection-limits';
import { endSocket, isInHandshake } from '@ssvirt/base/net/end-socket';

/** Answers paths that are not resources: discovery, OpenAPI, health. Returns false for any other path. */
export type PathHandler = (context: Context) => boolean | Promise<boolean>;

/** Another server that serves a group and version. */
export interface Aggregator {
  serves(group: string, version: string): boolean;
  proxy(context: Context, path: ResourcePath | undefined): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, user: User, group: string, version: string): void;
}

export interface ServerDeps {
  readonly registry: Registry;
  readonly handlers: Handlers;
  readonly authenticator: Authenticator;
  readonly faults: Faults;
  readonly paths: readonly PathHandler[];
  readonly special: ReadonlyMap<string, SpecialHandler>;
  readonly aggregator: Aggregator;
  readonly certificate: KeyPair;
  readonly clientAuthority: string;
  /** For tests. The defaults are kube-apiserver's limits. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Called for defects: errors that no client caused. */
  onDefect(error: unknown, context: Context): void;
  /** Called for every answer that was sent. */
  readonly onAnswer?: (context: Context, milliseconds: number) => void;
}

/** How long connections may take to close, in milliseconds. */
const CLOSE_GRACE = 500;
/** kube-apiserver's ReadHeaderTimeout is 32 s; Go applies it to the TLS handshake too. */
const LIMITS: ConnectionLimits = {
  handshakeMs: 32_000,
  headersMs: 32_000,
  requestMs: 60_000,
  keepAliveMs: 120_000,
  checkMs: 5_000,
  maxConnections: 50_000,
  maxHandshakes: 50_000,
};
/** Go's limit for the request line and headers. */
const MAX_HEADERS = 1024 * 1024;

/** A request that is not HTTP gets Go's short answer; a disconnected client gets none. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isInHandshake(socket)) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  endSocket(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`,
  );
}

export class ApiServer {
  readonly #deps: ServerDeps;
  readonly #server: Server;
  readonly #connections: ConnectionGuard;
  readonly #stop = new AbortController();

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    const { certificate, clientAuthority } = deps;
    const limits = { ...LIMITS, ...deps.limits };
    this.#server = createServer(
      {
        key: certificate.key,
        cert: certificate.certificate,
        ca: clientAuthority,
        requestCert: true,
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
        maxHeaderSize: MAX_HEADERS,
        ...serverTimeouts(limits),
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#connections = guardConnections(this.#server, limits);
    this.#server.on('connection', (socket: Socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => {});
    });
    this.#server.on(
      'upgrade',
      (request: IncomingMessage, socket: Duplex, head: Buffer) => void this.#upgrade(request, socket, head),
    );
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseUnreadable(error, socket));
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Watches were just ended and their last bytes must be sent. A connection is idle only after that.
    const idle = setInterval(() => this.#server.closeIdleConnections(), 10);
    const grace = setTimeout(() => this.#connections.destroyAll(), CLOSE_GRACE);
    await closed;
    clearInterval(idle);
    clearTimeout(grace);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let context = contextOf(request, response, ANONYMOUS, this.#stop.signal);
    const began = performance.now();
    const { onAnswer } = this.#deps;
    if (onAnswer !== undefined) response.on('close', () => onAnswer(context, Math.round(performance.now() - began)));
    try {
      if (await this.#deps.faults.strike(context)) return;
      const authenticated = this.#deps.authenticator.authenticate(request);
      const user = authenticated instanceof Promise ? await authenticated : authenticated;
      context = { ...context, user: impersonated(user, request) };
      await this.#route(context);
    } catch (error) {
      await sendFailure(context, error, (defect) => this.#deps.onDefect(defect, context));
    }
  }

  async #route(context: Context): Promise<void> {
    const target = parseResourcePath(context.path);
    refuseAnonymous(context.user, context.method, context.path, target);
    if (target !== undefined && this.#deps.aggregator.serves(target.group, target.version)) {
      return this.#deps.aggregator.proxy(context, target);
    }
    if (target !== undefined) {
      const resource = this.#deps.registry.find(target.group, target.version, target.resource);
      if (resource !== undefined) return serveResource(this.#deps, context, resource, target);
    }
    for (const handler of this.#deps.paths) if (await handler(context)) return;
    if (!isDecodable(context.path)) return sendText(context, 400, '400 Bad Request', 'text/plain; charset=utf-8');
    if (this.#isBelowBuiltin(context.path)) throw errors.noSuchPath();
    // kube-apiserver treats a group and version that it does not serve as an unknown path.
    await sendText(context, 404, '404 page not found\n', 'text/plain; charset=utf-8');
  }

  /** Whether the path is below a built-in group. Paths below other groups get another error. */
  #isBelowBuiltin(path: string): boolean {
    const [, root, group = ''] = path.split('/');
    if (root === 'api') return true;
    return (
      root === 'apis' && this.#deps.registry.all().some((resource) => !resource.custom && resource.group === group)
    );
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const user = impersonated(await this.#deps.authenticator.authenticate(request), request);
      const path = (request.url ?? '').split('?')[0] ?? '';
      const target = parseResourcePath(path);
      refuseAnonymous(user, request.method ?? 'GET', path, target);
      // No containers run in the pods, so there is nothing to exec in, attach to or forward to.
      if (target === undefined || !this.#deps.aggregator.serves(target.group, target.version))
        throw errors.noSuchPath();
      this.#deps.aggregator.upgrade(request, socket, head, user, target.group, target.version);
    } catch (error) {
      refuseConnection(socket, error instanceof StatusError ? error : errors.unauthorized());
    }
  }
}

/** A connection that requested a protocol upgrade has no response object. */
function refuseConnection(socket: Duplex, error: StatusError): void {
  const body = JSON.stringify(error.toStatus());
  const head = `HTTP/1.1 ${error.code} ${STATUS_CODES[error.code] ?? ''}\r\nConnection: close\r\n`;
  const length = Buffer.byteLength(body);
  endSocket(socket, `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
