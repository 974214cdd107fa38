/**
 * The HTTPS server that the API server calls: admission webhooks, and the APIs behind the aggregator. It listens on
 * loopback only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAuthority } from '@ssvirt/base/tls/authority';
import type { Logger } from '@ssvirt/base/config/log';
import {
  guardConnections,
  internalLimits,
  serverTimeouts,
  type ConnectionLimits,
} from '@ssvirt/base/net/connection-limits';
import { readReview, reviewOf } from './admission-review.ts';
import { CLIENT_LIMIT, readLimited, REVIEW_LIMIT } from './body.ts';
import {
  StatusAnswer,
  type AdmissionAnswer,
  type ReviewRequest,
  type AggregatedApi,
  type ApiCall,
  type ServedWebhook,
} from './contracts.ts';
import { callerOf, type Trust } from './front-proxy.ts';
import { openApiDocument, rootDocument } from './root-documents.ts';
import { internalError, notFound, refuse, refuseUpgrade, sendJson } from './status.ts';

export interface ServingOptions {
  readonly webhooks: readonly ServedWebhook[];
  readonly apis: readonly AggregatedApi[];
  /** The names, besides `localhost`, by which the API server calls: `<service>.<namespace>.svc`. */
  readonly names: readonly string[];
  readonly trust: Trust;
  readonly log: Logger;
}

export interface SimulatorServer {
  readonly port: number;
  /** The authority of its certificate, as PEM. */
  readonly authority: string;
  /** Stops answering without unregistering, like a server that died; `resume` listens again on the same port. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

const limits: ConnectionLimits = {
  ...internalLimits,
  // Node's defaults: a webhook may be called with a large object.
  headersMs: 60_000,
  requestMs: 300_000,
  // Longer than API servers keep an idle connection (90 s): if we closed first, a request could be lost.
  keepAliveMs: 300_000,
  maxConnections: 50_000,
  maxHandshakes: 50_000,
};

export async function startServer(options: ServingOptions): Promise<SimulatorServer> {
  const authority = await createAuthority('ssvirt-simulators-ca');
  const pair = await authority.issue({
    commonName: 'ssvirt-simulators',
    server: true,
    dnsNames: ['localhost', ...options.names],
    addresses: ['127.0.0.1', '::1'],
  });
  const server = createServer({
    ...serverTimeouts(limits),
    key: pair.key,
    cert: pair.certificate,
    ca: options.trust.authority,
    requestCert: true,
    // Webhooks are called without a certificate; callers of an API are checked per request.
    rejectUnauthorized: false,
  });
  const connections = guardConnections(server, limits);
  const front = new Front(options);
  // For example too many open connections: a new one is refused, the existing ones continue.
  server.on('error', (err) => options.log.warn({ err }, 'server of the simulators refused a connection'));
  server.on('request', (request, response) => void front.answer(request, response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    front.upgrade(request, socket, head),
  );
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        front.isOpen = true;
        resolve();
      });
    });
  const close = async (): Promise<void> => {
    front.isOpen = false;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.destroyAll();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return { port, authority: authority.certificate, pause: close, resume: () => listen(port), close };
}

class Front {
  readonly #options: ServingOptions;
  readonly #webhooks: ReadonlyMap<string, ServedWebhook>;
  /**
   * False while the server is closed: errors of requests that are cut off then are not logged, because the caches have
   * stopped.
   */
  isOpen = false;

  constructor(options: ServingOptions) {
    this.#options = options;
    this.#webhooks = new Map(options.webhooks.map((webhook) => [webhook.path, webhook]));
  }

  /** Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      refuse(response, this.#statusFor(error, request));
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    try {
      const { path, query } = place(request);
      const api = this.#apiAt(path);
      if (api === undefined) throw notFound();
      const caller = callerOf(request, this.#options.trust);
      if (api.upgrade === undefined) throw notFound();
      api.upgrade({ method: request.method ?? 'GET', path, query, caller, request }, socket, head);
    } catch (error) {
      refuseUpgrade(socket, this.#statusFor(error, request));
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = place(request);
    const webhook = this.#webhooks.get(path);
    if (webhook !== undefined) return this.#review(webhook, request, response);
    const api = this.#apiAt(path);
    if (path.startsWith('/openapi/v3/')) return this.#described(request, path, query, response);
    if (api === undefined) return this.#document(request, path, response);
    const caller = callerOf(request, this.#options.trust);
    const body = (): Promise<Buffer> => readLimited(request, CLIENT_LIMIT);
    const call: ApiCall = { method: request.method ?? 'GET', path, query, caller, request, body };
    await api.handle(call, response);
  }

  async #review(webhook: ServedWebhook, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const review = readReview((await readLimited(request, REVIEW_LIMIT)).toString('utf8'));
    if (review === undefined)
      throw new StatusAnswer(400, 'BadRequest', 'the body is no AdmissionReview of admission.k8s.io/v1');
    sendJson(response, 200, reviewOf(review.uid, await admit(webhook, review)));
  }

  #document(request: IncomingMessage, path: string, response: ServerResponse): void {
    const document = rootDocument(this.#options.apis, path);
    if (document === undefined) throw notFound();
    if (typeof document === 'string') {
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(document);
      return;
    }
    callerOf(request, this.#options.trust);
    sendJson(response, 200, document);
  }

  #described(request: IncomingMessage, path: string, query: URLSearchParams, response: ServerResponse): void {
    callerOf(request, this.#options.trust);
    const { accept, 'if-none-match': ifNoneMatch } = request.headers;
    const answer = openApiDocument(this.#options.apis, { path, hash: query.get('hash'), accept, ifNoneMatch });
    if (answer === undefined) throw notFound();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #apiAt(path: string): AggregatedApi | undefined {
    return this.#options.apis.find(({ group, version }) => {
      const root = `/apis/${group}/${version}`;
      return path === root || path.startsWith(`${root}/`);
    });
  }

  #statusFor(error: unknown, { method, url, errored }: IncomingMessage): StatusAnswer {
    if (error instanceof StatusAnswer) return error;
    // A client that disconnected during its request gets no answer, and is no defect.
    if (errored === null && this.isOpen)
      this.#options.log.error({ err: error, method, url }, 'defect of the simulators');
    return internalError();
  }
}

/** A Status that a webhook throws is a refusal; any other error fails the call. */
async function admit(webhook: ServedWebhook, review: ReviewRequest): Promise<AdmissionAnswer> {
  try {
    return await webhook.admit(review);
  } catch (error) {
    if (!(error instanceof StatusAnswer)) throw error;
    const { code, reason, message } = error;
    return { allowed: false, code, message, ...(reason === undefined ? {} : { reason }) };
  }
}

function place({ url = '/' }: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '/', ...query] = url.split('?');
  try {
    return { path: decodeURIComponent(path), query: new URLSearchParams(query.join('?')) };
  } catch {
    throw new StatusAnswer(400, 'BadRequest', 'the path is not encoded as a URL');
  }
}
