/**
 * `FaultProxy` is an HTTPS proxy in front of any API server, sandbox or real, with its own certificate. It forwards
 * everything except where a rule plays a fault, and records the requests. It issues tokens that stand for the server's
 * token, so that they can expire without the server's knowledge.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority, type Authority, type KeyPair } from '../../packages/base/src/tls/authority.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { isInAnswer, statusBody, type Fault, type FaultInAnswer, type Rule, type Snapshot } from './fault.ts';
import { Relay } from './relay.ts';
import { isStream, seenRequest, type SeenRequest } from './seen-request.ts';
import { snapshotOf, writeSnapshot } from './snapshot.ts';
import { forwardUpgrade, withoutEmpty } from './upgrade.ts';

export type Match = (request: SeenRequest) => boolean;

export interface Answered {
  readonly request: SeenRequest;
  /** Undefined if no status was sent. */
  readonly code: number | undefined;
}

/** A rule that was added. */
export interface Playing {
  /** How many requests it has struck. */
  readonly struck: number;
  remove(): void;
}

/** More than any test reads; a soak must not fill the memory with the log. */
const logLimit = 50_000;

export class FaultProxy {
  readonly #upstream: Credentials;
  readonly #agent: Agent;
  #server: Server | undefined;
  #authority: Authority | undefined;
  #certificate: KeyPair | undefined;
  #port = 0;
  readonly #sockets = new Map<number, Socket>();
  readonly #rules = new Set<{ readonly rule: Rule; readonly times: number; struck: number }>();
  readonly #relays = new Set<Relay>();
  readonly #tokens = new Set<string>();
  readonly #expired = new Set<string>();
  readonly #log: { request: SeenRequest; code: number | undefined }[] = [];
  #stopped = false;
  #accepted = 0;
  #mostSockets = 0;

  private constructor(upstream: Credentials) {
    this.#upstream = upstream;
    this.#agent = new Agent({ keepAlive: true, ca: upstream.ca, maxSockets: 512 });
  }

  static async start(upstream: Credentials): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstream);
    await proxy.rotateAuthority();
    await proxy.accept();
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The PEM of the authority that signed the certificate for new connections. */
  get ca(): string {
    return this.#authority?.certificate ?? '';
  }

  // Tokens and certificates.

  /** Returns a new token that has the rights of the server's own. */
  issueToken(): string {
    const token = randomBytes(12).toString('hex');
    this.#tokens.add(token);
    return token;
  }

  /** Answers 401 to all requests with this token from now on. Open streams stay open. */
  expireToken(token: string): void {
    this.#tokens.delete(token);
    this.#expired.add(token);
  }

  /** Creates an authority that is not in use yet. */
  announceAuthority(): Promise<Authority> {
    return createAuthority(`fault-proxy-${randomBytes(4).toString('hex')}`);
  }

  /** Uses a certificate of this authority for new connections; open ones stay open. */
  async showAuthority(authority: Authority): Promise<void> {
    const names = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
    this.#certificate = await authority.issue({ commonName: 'fault-proxy', ...names, server: true });
    this.#authority = authority;
    this.#server?.setSecureContext({ cert: this.#certificate.certificate, key: this.#certificate.key });
  }

  /** Uses a new authority at once, and returns its certificate. */
  async rotateAuthority(): Promise<string> {
    const authority = await this.announceAuthority();
    await this.showAuthority(authority);
    return authority.certificate;
  }

  // Faults.

  /** Closes the listener and resets all connections. */
  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((done) => (server === undefined ? done() : server.close(() => done())));
    this.cutAll();
    await closed;
  }

  /** Listens again, on the same port. */
  async accept(): Promise<void> {
    if (this.#stopped || this.#server !== undefined || this.#certificate === undefined) return;
    const upstream = this.#upstream;
    const { certificate: cert, key } = this.#certificate;
    const server = createServer({ cert, key, keepAliveTimeout: 120_000, requestTimeout: 0, headersTimeout: 0 });
    server.on('connection', (socket: Socket) => this.#connected(socket));
    server.on('tlsClientError', () => undefined); // The client trusts another authority.
    server.on('request', (request, response) => this.#serve(request, response));
    server.on('upgrade', (request, socket, head) => {
      forwardUpgrade({
        incoming: request,
        client: socket,
        head,
        upstream,
        authorization: this.#authorization(request),
      });
    });
    this.#server = server;
    await new Promise<void>((done, fail) => server.once('error', fail).listen(this.#port, '127.0.0.1', done));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Resets every connection; new ones are accepted. */
  cutAll(): void {
    for (const socket of this.#sockets.values()) socket.resetAndDestroy();
  }

  /** Plays the fault on future requests. */
  add(rule: Rule): Playing {
    const entry = { rule, times: rule.times ?? Number.POSITIVE_INFINITY, struck: 0 };
    this.#rules.add(entry);
    return {
      get struck() {
        return entry.struck;
      },
      remove: () => void this.#rules.delete(entry),
    };
  }

  clear(): void {
    this.#rules.clear();
  }

  /** Plays the fault on open streams. Returns how many there were. */
  strike(fault: FaultInAnswer | { readonly kind: 'reset' }, match: Match = () => true): number {
    const struck = [...this.#relays].filter(({ request }) => isStream(request) && match(request));
    for (const relay of struck) {
      if (fault.kind === 'reset') relay.reset();
      else relay.strike(fault);
    }
    return struck.length;
  }

  /** The current answer of the server to a list, to be replayed later as a stale one. */
  snapshot(path: string): Promise<Snapshot> {
    return snapshotOf(this.#upstream, this.#agent, path);
  }

  // The recorded requests and connections.

  get openSockets(): number {
    return this.#sockets.size;
  }

  get mostSockets(): number {
    return this.#mostSockets;
  }

  /** Connections since the start. */
  get acceptedSockets(): number {
    return this.#accepted;
  }

  openStreams(match: Match = () => true): number {
    return [...this.#relays].filter(({ request }) => isStream(request) && match(request)).length;
  }

  requests(match: Match = () => true): readonly Answered[] {
    return this.#log.filter(({ request }) => match(request));
  }

  count(match: Match = () => true): number {
    return this.requests(match).length;
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.#log.length = 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.refuse();
    this.#agent.destroy();
  }

  #connected(socket: Socket): void {
    const port = socket.remotePort ?? -1;
    this.#accepted++;
    this.#sockets.set(port, socket);
    this.#mostSockets = Math.max(this.#mostSockets, this.#sockets.size);
    socket.on('error', () => undefined); // Resets are expected here.
    socket.once('close', () => {
      if (this.#sockets.get(port) === socket) this.#sockets.delete(port);
    });
  }

  #serve(incoming: IncomingMessage, response: ServerResponse): void {
    const request = seenRequest(incoming);
    const entry = { request, code: undefined as number | undefined };
    if (this.#log.push(entry) > logLimit) this.#log.shift();
    response.once('close', () => {
      if (response.headersSent) entry.code = response.statusCode;
    });
    response.on('error', () => undefined);
    incoming.on('error', () => undefined);
    if (request.token !== undefined && this.#expired.has(request.token)) return sendStatus(response, 401);
    const fault = this.#nextFault(request);
    switch (fault?.kind) {
      case 'reset':
        return this.#reset(incoming);
      case 'silence':
        incoming.resume();
        return undefined;
      case 'status':
        incoming.resume();
        return sendStatus(response, fault.code, fault.reason, fault.retryAfterSeconds, fault.message);
      case 'stale':
        incoming.resume();
        return this.#serveStale(request, response, fault.snapshot);
      case 'latency':
        setTimeout(() => this.#pass(incoming, response, request), fault.milliseconds);
        return undefined;
      default:
        return this.#pass(incoming, response, request, fault);
    }
  }

  #nextFault(request: SeenRequest): Fault | undefined {
    for (const entry of this.#rules) {
      if (entry.rule.match?.(request) === false) continue;
      entry.struck++;
      if (entry.struck >= entry.times) this.#rules.delete(entry);
      return entry.rule.fault;
    }
    return undefined;
  }

  #reset(incoming: IncomingMessage): void {
    this.#sockets.get(incoming.socket.remotePort ?? -1)?.resetAndDestroy();
  }

  #pass(incoming: IncomingMessage, response: ServerResponse, request: SeenRequest, fault?: Fault): void {
    if (response.destroyed) return;
    const headers = { ...incoming.headers, authorization: this.#authorization(incoming) };
    // A body that will be cut in the middle must be text.
    if (fault !== undefined) delete headers['accept-encoding'];
    const outgoing = httpsRequest(`${this.#upstream.url}${incoming.url}`, {
      agent: this.#agent,
      method: incoming.method ?? 'GET',
      headers: withoutEmpty(headers),
    });
    outgoing.once('error', () => this.#reset(incoming));
    response.once('close', () => outgoing.destroy());
    outgoing.once('response', (answer) => {
      if (fault?.kind === 'lost-answer') {
        answer.resume().once('end', () => this.#reset(incoming));
        return;
      }
      this.#relay(incoming, response, request, answer, fault);
    });
    incoming.pipe(outgoing);
  }

  #relay(
    incoming: IncomingMessage,
    response: ServerResponse,
    request: SeenRequest,
    answer: IncomingMessage,
    fault: Fault | undefined,
  ): void {
    const headers = { ...answer.headers };
    // A body that ends early would contradict the declared length; without one, the chunked encoding marks its end.
    if (fault !== undefined) delete headers['content-length'];
    const relay = new Relay(
      {
        request,
        stream: isStream(request) && answer.statusCode === 200,
        answer,
        response,
        socket: this.#sockets.get(incoming.socket.remotePort ?? -1),
        ...(fault?.kind === 'split' ? { split: fault.random } : {}),
      },
      fault !== undefined && isInAnswer(fault) ? fault : undefined,
    );
    this.#relays.add(relay);
    response.once('close', () => this.#relays.delete(relay));
    response.writeHead(answer.statusCode ?? 502, headers);
    response.flushHeaders();
    relay.start();
  }

  /**
   * Answers a list from the snapshot; a stream continues with the events since the snapshot, as from a lagging server.
   */
  #serveStale(request: SeenRequest, response: ServerResponse, snapshot: Snapshot): void {
    if (!writeSnapshot(request, response, snapshot)) return;
    const query = new URLSearchParams(request.query);
    for (const name of ['sendInitialEvents', 'resourceVersionMatch']) query.delete(name);
    query.set('resourceVersion', snapshot.resourceVersion);
    const outgoing = httpsRequest(`${this.#upstream.url}${request.path}?${query.toString()}`, {
      agent: this.#agent,
      headers: { authorization: `Bearer ${this.#upstream.token}` },
    });
    outgoing.once('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    outgoing.once('response', (answer) => {
      const relay = new Relay({ request, stream: true, answer, response, socket: undefined });
      this.#relays.add(relay);
      response.once('close', () => this.#relays.delete(relay));
      relay.start();
    });
    outgoing.end();
  }

  #authorization({ headers }: IncomingMessage): string | undefined {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && this.#tokens.has(token) ? `Bearer ${this.#upstream.token}` : headers.authorization;
  }
}

function sendStatus(
  response: ServerResponse,
  code: number,
  reason?: string,
  retryAfterSeconds?: number,
  message?: string,
): void {
  response.writeHead(code, {
    'content-type': 'application/json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
  response.end(statusBody(code, reason, message));
}
