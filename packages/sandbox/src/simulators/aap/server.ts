/**
 * Simulates AAP behind its event listener, on a real port: it accepts the webhooks of orders and runs the role's jobs
 * against a cluster. Like the real one, it answers before a job begins, reports no failed job, and does not keep two
 * jobs for one order apart. The dials make each of these parts slow or faulty.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { formatAddress, type Address } from '@ssvirt/base/config/address';
import type { Client } from '@ssvirt/kube/client/client';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { readOrder, type OrderPayload } from './payload.ts';
import { createJob, deleteJob, type Generation, type RoleOptions } from './role.ts';

export interface AapDials {
  /** The wait before each step of a job. */
  stepMs: number;
  /** How long a job waits for a VM. */
  waitMs: number;
  /** The wait before a call is answered. */
  answerMs: number;
  /** This many of the next jobs fail between their DataVolume and their VirtualMachine. */
  failJobs: number;
  /** This many of the next jobs do everything except report the version. */
  failReports: number;
  /** This many of the next calls are accepted, but their answer is lost. */
  loseAnswers: number;
  /** This many of the next calls are answered with 503 and start nothing. */
  refuse: number;
  /** The number of jobs that each call starts. */
  jobsForCall: number;
  /** If true, jobs for one order run side by side, as AAP's job templates allow; otherwise one after the other. */
  simultaneous: boolean;
  generation: Generation;
}

export type AapAction = 'create' | 'delete';

export interface AapCall {
  readonly action: AapAction;
  readonly key: string;
  readonly authorization: string | undefined;
  readonly order: OrderPayload;
  readonly text: string;
  /** The status code of the answer; 0 if the connection was cut. */
  readonly answer: number;
  /** When the call came, in milliseconds. */
  readonly at: number;
}

export interface Job {
  readonly action: AapAction;
  readonly order: string;
  readonly key: string;
  state: 'running' | 'done' | 'failed';
  error?: string;
}

export interface AapOptions {
  /** A connection of its own, as cluster-admin, because AAP's jobs run as that. */
  readonly client: Client;
  /** The bearer token that callers must send. */
  readonly token?: string;
  readonly dials?: Partial<AapDials>;
  /** Default: a free port of the loopback interface. */
  readonly address?: Address;
  /** Called when a job has ended, whether it succeeded or failed. */
  readonly onEnd?: (job: Job) => void;
}

/** An order is at most as large as the largest object that etcd stores. */
const longestBody = 2 * 1024 * 1024;

const calm: AapDials = {
  stepMs: 0,
  // The timeout of the role.
  waitMs: 600_000,
  answerMs: 0,
  failJobs: 0,
  failReports: 0,
  loseAnswers: 0,
  refuse: 0,
  jobsForCall: 1,
  simultaneous: true,
  generation: 'computeinstance',
};

export class AapServer {
  readonly dials: AapDials;
  readonly #options: AapOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #lines = new Map<string, Promise<void>>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  readonly #host: string;
  #port: number;

  /** The server listens only after `up`. */
  constructor(options: AapOptions) {
    this.#options = options;
    this.#port = options.address?.port ?? 0;
    this.#host = options.address?.host ?? '127.0.0.1';
    this.dials = { ...calm, ...options.dials };
  }

  get createUrl(): string {
    return `http://${formatAddress({ host: this.#host, port: this.#port })}/create-vm`;
  }

  get deleteUrl(): string {
    return `http://${formatAddress({ host: this.#host, port: this.#port })}/delete-vm`;
  }

  /** Starts to listen; after `down`, on the same port as before. */
  async up(): Promise<void> {
    const server = createServer((request, response) => {
      // A caller that disconnects in the middle of its request has sent no order.
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(this.#port, this.#host, done);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Stops listening; running jobs continue. */
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((done) => server.close(done));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.down();
    await Promise.all(this.#running);
  }

  /** Hooks for subclasses that observe calls and jobs. */
  protected called(_call: AapCall): void {}

  protected launched(_job: Job): void {}

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const action = actionOf(request);
    const { token } = this.#options;
    const { authorization } = request.headers;
    if (action === undefined) return void response.writeHead(404).end();
    if (token !== undefined && authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    const text = await read(request);
    if (text === undefined) return void response.writeHead(413, { connection: 'close' }).end();
    const order = readOrder(text);
    if (order === undefined) return void response.writeHead(400).end();
    const answer = this.#decide();
    const key = String(request.headers['idempotency-key']);
    this.called({ action, key, authorization, order, text, answer, at: performance.now() });
    if (answer !== 503) for (let at = 0; at < this.dials.jobsForCall; at++) this.#launch(action, key, order);
    await sleep(systemClock, this.dials.answerMs, this.#stopping.signal);
    if (answer === 0) response.socket?.resetAndDestroy();
    else response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
  }

  #decide(): number {
    if (this.dials.refuse > 0) {
      this.dials.refuse--;
      return 503;
    }
    if (this.dials.loseAnswers > 0) {
      this.dials.loseAnswers--;
      return 0;
    }
    return 200;
  }

  #launch(action: AapAction, key: string, order: OrderPayload): void {
    const { uid, name } = order.metadata;
    const job: Job = { action, order: name, key, state: 'running' };
    this.launched(job);
    const before = this.dials.simultaneous ? undefined : this.#lines.get(uid);
    const done = (before ?? Promise.resolve()).then(() => this.#run(job, order));
    this.#lines.set(uid, done);
    this.#running.add(done);
    void done.finally(() => {
      this.#running.delete(done);
      if (this.#lines.get(uid) === done) this.#lines.delete(uid);
    });
  }

  #failsAt(): string | undefined {
    if (this.dials.failJobs > 0) {
      this.dials.failJobs--;
      return 'virtual-machine';
    }
    if (this.dials.failReports === 0) return undefined;
    this.dials.failReports--;
    return 'annotate';
  }

  /** Never rejects: AAP does not report that a job has failed. */
  async #run(job: Job, order: OrderPayload): Promise<void> {
    const failsAt = this.#failsAt();
    const { signal } = this.#stopping;
    const options: RoleOptions = {
      client: this.#options.client,
      generation: this.dials.generation,
      signal,
      waitMs: this.dials.waitMs,
      step: async (name) => {
        await sleep(systemClock, this.dials.stepMs, signal);
        signal.throwIfAborted();
        if (name === failsAt) throw new Error('the job was made to fail');
      },
    };
    try {
      await (job.action === 'create' ? createJob(options, order) : deleteJob(options, order));
      job.state = 'done';
    } catch (error) {
      job.state = 'failed';
      job.error = error instanceof Error ? error.message : String(error);
    }
    this.#options.onEnd?.(job);
  }
}

function actionOf({ method, url }: IncomingMessage): AapAction | undefined {
  if (method !== 'POST') return undefined;
  if (url?.startsWith('/create-vm') === true) return 'create';
  return url?.startsWith('/delete-vm') === true ? 'delete' : undefined;
}

/** Returns undefined if the body is too long. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
