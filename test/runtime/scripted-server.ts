/** An HTTPS server with scripted answers that counts sockets: it does what a real server does only under faults. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Connection, ConnectionSource } from '../../packages/kube/src/connection.ts';
import { createAuthority, type Authority } from '../../packages/base/src/tls/authority.ts';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answering = (request: Received, response: ServerResponse) => void | Promise<void>;

export class ScriptedServer {
  readonly server: Server;
  readonly authority: Authority;
  /** In the order in which their bodies were complete. */
  readonly requests: Received[] = [];
  readonly #sockets = new Set<Socket>();
  #accepted = 0;
  #mostSockets = 0;

  private constructor(server: Server, authority: Authority) {
    this.server = server;
    this.authority = authority;
    server.on('connection', (socket: Socket) => {
      this.#accepted++;
      this.#sockets.add(socket);
      this.#mostSockets = Math.max(this.#mostSockets, this.#sockets.size);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('tlsClientError', () => undefined); // The client trusts another authority.
  }

  static async start(answer: Answering, options: { readonly requestCert?: boolean } = {}): Promise<ScriptedServer> {
    const authority = await createAuthority('scripted-authority');
    const pair = await authority.issue(serving);
    const trust = options.requestCert === true ? { requestCert: true, ca: authority.certificate } : {};
    const server = createServer({ cert: pair.certificate, key: pair.key, keepAliveTimeout: 120_000, ...trust });
    const scripted = new ScriptedServer(server, authority);
    server.on('request', (request, response) => void scripted.#serve(request, response, answer));
    await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
    return scripted;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  get mostSockets(): number {
    return this.#mostSockets;
  }

  get acceptedSockets(): number {
    return this.#accepted;
  }

  /** Resets every connection. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Uses a certificate of this authority for new connections. */
  async serveAs(authority: Authority): Promise<void> {
    const pair = await authority.issue(serving);
    this.server.setSecureContext({ cert: pair.certificate, key: pair.key });
  }

  connection(more: Partial<Connection> = {}): Connection {
    return { server: this.url, tls: { ca: this.authority.certificate }, headers: {}, ...more };
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((done) => this.server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, answer: Answering): Promise<void> {
    response.on('error', () => undefined);
    try {
      const received = await receive(request);
      this.requests.push(received);
      await answer(received, response);
    } catch {
      // The client disconnected, or the script is wrong: either way the client sees its connection end.
      response.destroy();
    }
  }
}

const serving = { commonName: 'scripted', dnsNames: ['localhost'], addresses: ['127.0.0.1'], server: true };

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method = '', url = '', headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}

export function sendJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string | string[]> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A source whose connection a test can change. */
export class ScriptedSource implements ConnectionSource {
  connection: Connection;
  /** The connection after a refusal; undefined if there is no other. */
  fresh: Connection | undefined;
  refusals = 0;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  current(): Promise<Connection> {
    return Promise.resolve(this.connection);
  }

  refused(): Promise<boolean> {
    this.refusals++;
    if (this.fresh === undefined) return Promise.resolve(false);
    this.connection = this.fresh;
    this.fresh = undefined;
    return Promise.resolve(true);
  }
}

export function secondAuthority(): Promise<Authority> {
  return createAuthority('scripted-second-authority');
}
