/**
 * A proxy in front of a kube-apiserver for all clients. It records what the server refuses one account for want of a
 * right that its files have; then it grants the right and repeats the request, so that the account does not notice.
 * SubjectAccessReviews of others about the account count like its own requests.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as send, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { KeyPair } from '../../../packages/base/src/tls/authority.ts';
import type { Credentials } from '../../cluster/cluster.ts';
import { attributesOf, type Attributes } from './attributes.ts';
import type { Grants } from './grants.ts';
import { bindingOf, finalizersOf, isApply, ownedBy, roleBoundBy } from './implied.ts';
import type { Ledger } from './ledger.ts';
import { Oblivion, type Refusal } from './oblivion.ts';

const host = '127.0.0.1';
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const selfReviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

export interface WitnessOptions {
  readonly cluster: Credentials;
  readonly certificate: KeyPair;
  /** Its name in the cluster, and its token. */
  readonly account: { readonly user: string; readonly token: string };
  readonly ledger: Ledger;
  readonly grants: Grants;
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
  readonly status?: { readonly allowed: boolean };
}

/** The server's answer, before any of it is forwarded. */
interface Came {
  readonly answer: IncomingMessage;
  /** Its body, if it is short and was read: refusals, and reviews. */
  readonly text?: Buffer;
}

export class Witness {
  readonly oblivion = new Oblivion();
  readonly #options: WitnessOptions;
  readonly #agent: Agent;
  readonly #server: Server;

  private constructor(options: WitnessOptions) {
    this.#options = options;
    const { ca } = options.cluster;
    this.#agent = new Agent({ keepAlive: true, ca });
    const { certificate, key } = options.certificate;
    this.#server = createServer({ cert: certificate, key }, (incoming, answer) => {
      this.#serve(incoming, answer).catch(() => answer.destroy());
    });
    this.#server.on('upgrade', (incoming, socket, head) => this.#upgrade(incoming, socket, head));
  }

  static async start(options: WitnessOptions): Promise<Witness> {
    const witness = new Witness(options);
    witness.#server.listen(0, host);
    await once(witness.#server, 'listening');
    return witness;
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
    const isOfOthers = !this.#isAccount(incoming);
    const isReview = isOfOthers || isSelfReview(method, url);
    const asked = isReview ? this.#reviewed(method, url, body, isOfOthers) : attributesOf(method, url);
    const all = asked === undefined ? [] : await this.#allAskedFor(incoming, asked, body);
    if (!isOfOthers && asked?.verb === 'watch') {
      const refusal = this.oblivion.refusalOf(url);
      if (refusal !== undefined) return json(answer, refusal.code, statusOf(refusal));
      this.oblivion.opened(incoming.socket, url);
    }
    const came = await this.#ask(
      all,
      () => this.#send(incoming, answer, body),
      isOfOthers ? isDenied : isReview ? isNo : isForbidden,
      body,
    );
    const role = roleBoundBy(asked, body);
    if (!isOfOthers && role !== undefined && asked?.namespace !== undefined && (came.answer.statusCode ?? 500) < 300)
      this.#options.ledger.bound(role, asked.namespace);
    answer.writeHead(came.answer.statusCode ?? 502, came.answer.rawHeaders);
    if (came.text !== undefined) return void answer.end(came.text);
    answer.flushHeaders();
    came.answer.on('error', () => answer.destroy());
    came.answer.pipe(answer);
  }

  /** Repeats until it is allowed, or refused for a reason other than a grantable right. */
  async #ask<T extends Came>(
    all: readonly Attributes[],
    ask: () => Promise<T>,
    isRefused: (came: Came) => boolean = isForbidden,
    body: Buffer = Buffer.alloc(0),
  ): Promise<T> {
    const { ledger, grants } = this.#options;
    for (;;) {
      const before = ledger.missing(all);
      const came = await ask();
      if (!isRefused(came)) {
        ledger.allowed(all);
        return came;
      }
      const said = came.text?.toString() ?? '';
      const [asked] = ledger.missing([...all, ...ownedBy(all, said), ...bindingOf(all[0], body, said)]);
      if (asked === undefined) {
        // Granted to a concurrent request meanwhile.
        if (before.length > 0) continue;
        // A review of the caller itself may be negative: the RoleBinding may have been deleted.
        const isQuestion = isRefused === isNo;
        if (all.length > 0 && !isForNow(said) && !isQuestion)
          ledger.refusedForGood(`${came.answer.statusCode}: ${said}`);
        return came;
      }
      const right = ledger.refused(asked);
      if (right === undefined) return came;
      await grants.grant(right, asked);
    }
  }

  /** By its token, or by impersonation. */
  #isAccount({ headers }: IncomingMessage): boolean {
    const { user, token } = this.#options.account;
    const actsFor = headers['impersonate-user'];
    return actsFor === undefined ? headers.authorization === `Bearer ${token}` : actsFor === user;
  }

  async #allAskedFor(incoming: IncomingMessage, asked: Attributes, body: Buffer): Promise<readonly Attributes[]> {
    const { url = '/', headers } = incoming;
    const all = [asked, ...finalizersOf(asked, body)];
    if (isApply(asked, headers['content-type']) && !(await this.#exists(url))) all.push({ ...asked, verb: 'create' });
    return all;
  }

  /** The right that a review of the account is about. */
  #reviewed(method: string, url: string, body: Buffer, isOfOthers: boolean): Attributes | undefined {
    if (method !== 'POST' || !url.startsWith(isOfOthers ? reviews : selfReviews)) return undefined;
    const { user, resourceAttributes } = (JSON.parse(body.toString()) as Review).spec;
    if ((isOfOthers && user !== this.#options.account.user) || resourceAttributes === undefined) return undefined;
    const { verb, group = '', resource, subresource = '', namespace = '', name = '' } = resourceAttributes;
    const asked: Attributes = {
      verb,
      group,
      resource: subresource === '' ? resource : `${resource}/${subresource}`,
      ...(namespace === '' ? {} : { namespace }),
      ...(name === '' ? {} : { name }),
    };
    // A caller that reviews itself accepts a negative answer.
    return isOfOthers || this.#options.ledger.couldAllow(asked) ? asked : undefined;
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

  /** With headers as received: some are repeated, such as the groups of an impersonation. */
  async #send(
    { method, url = '/', rawHeaders: headers }: IncomingMessage,
    answer: ServerResponse,
    body: Buffer,
  ): Promise<Came> {
    const sent = send(`${this.#options.cluster.url}${url}`, { agent: this.#agent, method, headers });
    answer.on('close', () => sent.destroy());
    sent.end(body);
    const [came] = (await once(sent, 'response')) as [IncomingMessage];
    const isShort =
      came.statusCode === 403 || (method === 'POST' && (url.startsWith(reviews) || isSelfReview(method, url)));
    return isShort ? { answer: came, text: await read(came) } : { answer: came };
  }

  /** Consoles. */
  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { method = 'GET', url = '/' } = incoming;
    const asked = this.#isAccount(incoming) ? attributesOf(method, url) : undefined;
    socket.on('error', () => socket.destroy());
    this.#ask(asked === undefined ? [] : [asked], () => this.#sendUpgrade(incoming, head)).then(
      ({ answer, text, stream }) => {
        const lines = answer.rawHeaders.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`));
        socket.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join('')}\r\n`);
        if (stream === undefined) return text === undefined ? answer.pipe(socket) : socket.end(text);
        stream.on('error', () => socket.destroy());
        return stream.pipe(socket).pipe(stream);
      },
      () => socket.destroy(),
    );
  }

  #sendUpgrade(
    { method, url, rawHeaders: headers }: IncomingMessage,
    head: Buffer,
  ): Promise<Came & { stream?: TLSSocket }> {
    const { cluster } = this.#options;
    const sent = send(`${cluster.url}${url}`, { method, headers, ca: cluster.ca });
    const { promise, resolve, reject } = Promise.withResolvers<Came & { stream?: TLSSocket }>();
    sent.on('error', reject);
    sent.on('response', (answer) => {
      read(answer).then((text) => resolve({ answer, text }), reject);
    });
    sent.on('upgrade', (answer: IncomingMessage, stream: TLSSocket, first: Buffer) => {
      stream.unshift(first);
      resolve({ answer, stream });
    });
    sent.end(head);
    return promise;
  }
}

const isSelfReview = (method: string, url: string): boolean => method === 'POST' && url.startsWith(selfReviews);

/** Not for want of a right: the server has not counted a new quota yet. */
const isForNow = (said: string): boolean => said.includes('status unknown for quota');

const isForbidden = ({ answer }: Came): boolean => answer.statusCode === 403;

/** In the form of a review. */
function isDenied({ answer, text }: Came): boolean {
  if (answer.statusCode !== 201 || text === undefined) return false;
  return (JSON.parse(text.toString()) as Review).status?.allowed === false;
}

/** In the form of a review of the caller itself. */
const isNo = (came: Came): boolean => isDenied(came);

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
