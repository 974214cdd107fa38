/** A proxy between one replica and a cluster. A write in flight arrives, whatever happens to its sender meanwhile. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority } from '../../../packages/base/src/tls/authority.ts';
import type { Credentials } from '../../cluster/cluster.ts';
import type { Director } from './step.ts';

export class ClusterProxy {
  readonly credentials: Credentials;
  readonly #replica: string;
  readonly #upstream: Credentials;
  readonly #director: Director;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #silence: PromiseWithResolvers<void> | undefined;

  private constructor(replica: string, upstream: Credentials, director: Director, server: Server, ca: string) {
    this.#replica = replica;
    this.#upstream = upstream;
    this.#director = director;
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: upstream.ca, maxSockets: 256 });
    this.credentials = {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ca,
      token: upstream.token,
    };
    server.on('connection', (socket: Socket) => {
      if (this.#isCut) return void socket.resetAndDestroy();
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
      return undefined;
    });
    server.on('tlsClientError', () => undefined);
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      response.on('error', () => undefined);
      if (this.#silence !== undefined) void this.#silence.promise.then(() => response.destroy());
      else if (incoming.method === 'GET') this.#read(incoming, response);
      else this.#write(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(replica: string, upstream: Credentials, director: Director): Promise<ClusterProxy> {
    const authority = await createAuthority('authority of the cluster-proxy');
    const pair = await authority.issue({ commonName: 'cluster-proxy', addresses: ['127.0.0.1'], server: true });
    const server = createServer({ cert: pair.certificate, key: pair.key, requestTimeout: 0 });
    await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
    return new ClusterProxy(replica, upstream, director, server, authority.certificate);
  }

  /** Resets all connections, and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Leaves all requests without an answer. */
  silence(): void {
    this.#silence = Promise.withResolvers();
  }

  heal(): void {
    this.#isCut = false;
    this.#silence?.resolve();
    this.#silence = undefined;
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#agent.destroy();
  }

  #read(incoming: IncomingMessage, response: ServerResponse): void {
    const outgoing = this.#ask(incoming);
    outgoing.once('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    outgoing.end();
  }

  async #write(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const path = incoming.url ?? '';
    const fate = this.#director.fateOf({
      replica: this.#replica,
      place: 'cluster',
      text: `${incoming.method} ${path.split('?', 1)[0]}`,
      content: `${path} ${body.toString('utf8')}`,
    });
    if (!(await fate.send())) return void response.destroy();
    const answer = await new Promise<IncomingMessage>((done, fail) =>
      this.#ask(incoming).once('response', done).once('error', fail).end(body),
    );
    const told = await bytesOf(answer);
    await fate.tell(answer.statusCode);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.end(told);
  }

  #ask(incoming: IncomingMessage): ReturnType<typeof httpsRequest> {
    const { method, url, headers } = incoming;
    return httpsRequest(`${this.#upstream.url}${url}`, { agent: this.#agent, method: method ?? 'GET', headers });
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
