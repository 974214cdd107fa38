/**
 * The connection to one extension server: TLS as the APIService requires, with the front proxy's client certificate.
 */
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { User } from '../api/context.ts';
import type { KeyPair } from '@ssvirt/base/tls/authority';
import { serverName, type RemoteService } from './api-service.ts';
import { userHeaders, type Headers } from './front-proxy.ts';
import { hostPort } from './go-url.ts';
import type { ServiceAddress } from './service-address.ts';

export interface Fetched {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** The server did not answer in time. */
class DeadlineError extends Error {}

export class ExtensionConnection {
  readonly #agent: Agent;

  constructor(service: RemoteService, certificate: KeyPair) {
    this.#agent = new Agent({
      keepAlive: true,
      servername: serverName(service.service),
      rejectUnauthorized: !service.insecureSkipTLSVerify,
      cert: certificate.certificate,
      key: certificate.key,
      ...(service.caBundle === '' ? {} : { ca: service.caBundle }),
    });
  }

  open(address: ServiceAddress, { method, path, headers, signal }: Sent): ClientRequest {
    return request({ ...address, agent: this.#agent, method, path, headers, signal });
  }

  /** A request by the aggregator itself. */
  get(
    address: ServiceAddress,
    path: string,
    user: User,
    headers: Headers,
    signal: AbortSignal,
    milliseconds: number,
  ): Promise<Fetched> {
    return this.call(address, { method: 'GET', path, headers, signal }, user, milliseconds);
  }

  /** A request by the control plane itself. */
  async call(
    address: ServiceAddress,
    { headers, signal, ...rest }: Sent & { readonly body?: string },
    user: User,
    milliseconds: number,
  ): Promise<Fetched> {
    const deadline = AbortSignal.timeout(milliseconds);
    try {
      const sent = { ...headers, ...userHeaders(user), Host: hostPort(address.host, address.port) };
      return await this.#fetch(address, { ...rest, headers: sent, signal: AbortSignal.any([signal, deadline]) });
    } catch (error) {
      if (deadline.aborted)
        throw new DeadlineError('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
      throw error;
    }
  }

  async #fetch(address: ServiceAddress, { body, ...sent }: Sent & { readonly body?: string }): Promise<Fetched> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      this.open(address, sent).on('response', resolve).on('error', reject).end(body);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() };
  }

  /** Keeps no more idle connections; active streams end by themselves. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const socket of Object.values(this.#agent.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
  }
}
