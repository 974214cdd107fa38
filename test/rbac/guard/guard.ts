/**
 * A door before a cluster that knows no rights: whoever comes in the name of one account is let through where its rights allow it, and what it took is written down.
 * All others pass. Questions of others about the account (SubjectAccessReviews) are answered by the same rights.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as send, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { KeyPair } from '../../../src/tls/authority.ts';
import type { Credentials } from '../../cluster/cluster.ts';
import { attributesOf, type Attributes } from './attributes.ts';
import { finalizersOf, isApply } from './implied.ts';
import type { Ledger } from './ledger.ts';
import { Oblivion, type Refusal } from './oblivion.ts';

const host = '127.0.0.1';
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

export interface GuardOptions {
  readonly cluster: Credentials;
  readonly certificate: KeyPair;
  /** Its name to the cluster, and the token that it comes with. */
  readonly account: { readonly user: string; readonly token: string };
  readonly ledger: Ledger;
}

interface Review {
  readonly spec: {
    readonly user?: string;
    readonly resourceAttributes?: {
      readonly verb: string;
      readonly group?: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly namespace?: string;
      readonly name?: string;
    };
  };
}

export class Guard {
  readonly oblivion = new Oblivion();
  readonly #options: GuardOptions;
  readonly #agent: Agent;
  readonly #server: Server;

  private constructor(options: GuardOptions) {
    this.#options = options;
    const { ca } = options.cluster;
    this.#agent = new Agent({ keepAlive: true, ca });
    const { certificate, key } = options.certificate;
    this.#server = createServer({ cert: certificate, key }, (incoming, answer) => {
      this.#serve(incoming, answer).catch(() => answer.destroy());
    });
    this.#server.on('upgrade', (incoming, socket, head) => this.#upgrade(incoming, socket, head));
  }

  static async start(options: GuardOptions): Promise<Guard> {
    const guard = new Guard(options);
    guard.#server.listen(0, host);
    await once(guard.#server, 'listening');
    return guard;
  }

  get url(): string {
    return `https://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming;
    const body = await read(incoming);
    if (!this.#isAccount(incoming)) {
      const reviewed = method === 'POST' && url.startsWith(reviews) ? this.#review(body) : undefined;
      if (reviewed !== undefined) return json(answer, 201, reviewed);
      return this.#pass(incoming, answer, body);
    }
    const asked = attributesOf(method, url);
    if (asked !== undefined) {
      const refusal = await this.#refusalOf(incoming, asked, body);
      if (refusal !== undefined) return json(answer, refusal.code, statusOf(refusal));
      if (asked.verb === 'watch') this.oblivion.opened(incoming.socket, url);
    }
    return this.#pass(incoming, answer, body, (code) => {
      if (code === 403) this.#options.ledger.refuse(`${method} ${url}, by what stands behind the server`);
    });
  }

  /** By its token, or because somebody acts for it. */
  #isAccount({ headers }: IncomingMessage): boolean {
    const { user, token } = this.#options.account;
    const actsFor = headers['impersonate-user'];
    return actsFor === undefined ? headers.authorization === `Bearer ${token}` : actsFor === user;
  }

  async #refusalOf(incoming: IncomingMessage, asked: Attributes, body: Buffer): Promise<Refusal | undefined> {
    const { ledger } = this.#options;
    const { url = '/', headers } = incoming;
    const all = [asked, ...finalizersOf(asked, body)];
    if (isApply(asked, headers['content-type']) && !(await this.#exists(url))) all.push({ ...asked, verb: 'create' });
    // Not at the first refusal: what it lacks is told at once.
    const allowed = all.map((one) => ledger.allows(one));
    if (allowed.includes(false)) return { code: 403, reason: 'Forbidden', message: `${url} is forbidden by its role` };
    return asked.verb === 'watch' ? this.oblivion.refusalOf(url) : undefined;
  }

  #review(body: Buffer): object | undefined {
    const review = JSON.parse(body.toString()) as Review;
    const { user, resourceAttributes } = review.spec;
    if (user !== this.#options.account.user || resourceAttributes === undefined) return undefined;
    const { verb, group = '', resource, subresource, namespace = '', name = '' } = resourceAttributes;
    const allowed = this.#options.ledger.allows({
      verb,
      group,
      resource: subresource === undefined ? resource : `${resource}/${subresource}`,
      ...(namespace === '' ? {} : { namespace }),
      ...(name === '' ? {} : { name }),
    });
    return { ...review, status: { allowed, reason: allowed ? 'its role allows it' : 'its role does not allow it' } };
  }

  async #exists(url: string): Promise<boolean> {
    const { cluster } = this.#options;
    const headers = { authorization: `Bearer ${cluster.token}` };
    const asked = send(`${cluster.url}${url.split('?')[0]}`, { agent: this.#agent, headers });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode === 200;
  }

  async #pass(
    incoming: IncomingMessage,
    answer: ServerResponse,
    body: Buffer,
    told: (code: number) => void = () => undefined,
  ): Promise<void> {
    const { method, url = '/', headers } = incoming;
    const passed = send(`${this.#options.cluster.url}${url}`, { agent: this.#agent, method, headers });
    answer.on('close', () => passed.destroy());
    passed.end(body);
    const [came] = (await once(passed, 'response')) as [IncomingMessage];
    const code = came.statusCode ?? 502;
    told(code);
    answer.writeHead(code, came.rawHeaders);
    answer.flushHeaders();
    came.on('error', () => answer.destroy());
    came.pipe(answer);
  }

  /** Consoles. */
  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const asked = attributesOf(method, url);
    socket.on('error', () => socket.destroy());
    if (this.#isAccount(incoming) && asked !== undefined && !this.#options.ledger.allows(asked)) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    const { cluster } = this.#options;
    const passed = send(`${cluster.url}${url}`, { method, headers, ca: cluster.ca });
    passed.on('error', () => socket.destroy());
    passed.on('response', (came) => {
      socket.write(`HTTP/1.1 ${came.statusCode} ${came.statusMessage}\r\nconnection: close\r\n\r\n`);
      came.pipe(socket);
    });
    passed.on('upgrade', (came: IncomingMessage, other: TLSSocket, first: Buffer) => {
      const lines = came.rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.write(first);
      other.on('error', () => socket.destroy());
      other.pipe(socket).pipe(other);
    });
    passed.end(head);
  }
}

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function json(answer: ServerResponse, code: number, body: object): void {
  answer.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function statusOf({ code, reason, message }: Refusal): object {
  return { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason, message };
}
