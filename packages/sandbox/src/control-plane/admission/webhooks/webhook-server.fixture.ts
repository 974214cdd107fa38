/** A webhook server on loopback for tests, with a certificate of its own authority. */
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAuthority, type Authority } from '@ssvirt/base/tls/authority';
import type { JsonObject } from '../../../values/json.ts';

export interface Seen {
  readonly url: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly review: { readonly request: JsonObject };
}

export interface RawAnswer {
  readonly httpStatus?: number;
  readonly text?: string;
  /** Never answers, or closes the connection. */
  readonly fault?: 'hang' | 'break';
}

type Answering = (request: JsonObject, url: string) => RawAnswer | JsonObject | Promise<JsonObject>;

export class WebhookServer {
  readonly seen: Seen[] = [];
  readonly authority: Authority;
  readonly #server: Server;
  #answer: Answering = () => ({});
  #connections = 0;

  private constructor(authority: Authority, server: Server) {
    this.authority = authority;
    this.#server = server;
  }

  static async start(
    names: { dnsNames?: string[]; addresses?: string[] } = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] },
  ): Promise<WebhookServer> {
    const authority = await createAuthority('webhook-ca');
    const pair = await authority.issue({ commonName: 'webhook', server: true, ...names });
    const server = createServer({ key: pair.key, cert: pair.certificate });
    const started = new WebhookServer(authority, server);
    server.on('secureConnection', () => started.#connections++);
    server.on('request', (request, response) => void started.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const review = JSON.parse(body) as Seen['review'];
    this.seen.push({ url: request.url ?? '', headers: request.headers, review });
    const answer = (await this.#answer(review.request, request.url ?? '')) as RawAnswer;
    if (answer.fault === 'hang') return;
    if (answer.fault === 'break') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.httpStatus ?? 200, { 'content-type': 'application/json' });
    response.end(answer.text ?? reviewText(review.request, answer as JsonObject));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#connections;
  }

  /** Sets the variable part of `response`, or a raw answer. */
  answer(answer: RawAnswer | JsonObject | Answering): void {
    this.#answer = typeof answer === 'function' ? answer : () => answer;
  }

  clientConfig(path = '/x', host = '127.0.0.1'): JsonObject {
    return { url: `https://${host}:${this.port}${path}`, caBundle: this.caBundle };
  }

  get caBundle(): string {
    return Buffer.from(this.authority.certificate).toString('base64');
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export function reviewText(request: JsonObject, response: JsonObject): string {
  const whole = { uid: request['uid'] ?? '', allowed: true, ...response };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: whole });
}

export function patch(...operations: JsonObject[]): JsonObject {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}
