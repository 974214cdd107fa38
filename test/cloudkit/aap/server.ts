/** AAP behind its event listener, at a real address: it takes the webhooks of orders, and runs the role's jobs against a cluster. Everything about it can be made bad. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Client } from '../../../src/kube/client/client.ts';
import { sleep, systemClock } from '../../../src/kube/clock.ts';
import type { OrderPayload } from './payload.ts';
import { createJob, deleteJob, type Generation, type RoleOptions } from './role.ts';

export interface AapDials {
  /** Before each step of a job. */
  stepMs: number;
  /** Before a call is answered. */
  answerMs: number;
  /** So many jobs to come fail, between their DataVolume and their VirtualMachine. */
  failJobs: number;
  /** So many jobs to come do all but to give the version back. */
  failReports: number;
  /** So many calls to come are taken, and their answer is lost. */
  loseAnswers: number;
  /** So many calls to come are answered with 503, and nothing is done. */
  refuse: number;
  /** Every call starts so many jobs. */
  jobsForCall: number;
  /** Jobs for one order run side by side, as AAP's job templates allow it; else one after the other. */
  simultaneous: boolean;
  generation: Generation;
}

export type Action = 'create' | 'delete';

export interface Call {
  readonly action: Action;
  readonly key: string;
  readonly authorization: string | undefined;
  readonly order: OrderPayload;
  readonly text: string;
  /** What it was answered; 0 where the connection was cut. */
  readonly answer: number;
  /** When it came, in milliseconds. */
  readonly at: number;
}

export interface Job {
  readonly action: Action;
  readonly order: string;
  readonly key: string;
  state: 'running' | 'done' | 'failed';
  error?: string;
}

export interface AapOptions {
  /** With a connection of its own, as cluster-admin, which AAP's jobs are. */
  readonly client: Client;
  /** The bearer token that it asks for. */
  readonly token?: string;
  readonly dials?: Partial<AapDials>;
}

const calm: AapDials = {
  stepMs: 0,
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
  readonly calls: Call[] = [];
  readonly jobs: Job[] = [];
  readonly #options: AapOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #lines = new Map<string, Promise<void>>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(options: AapOptions) {
    this.#options = options;
    this.dials = { ...calm, ...options.dials };
  }

  static async start(options: AapOptions): Promise<AapServer> {
    const aap = new AapServer(options);
    await aap.up();
    return aap;
  }

  get createUrl(): string {
    return `http://127.0.0.1:${this.#port}/create-vm`;
  }

  get deleteUrl(): string {
    return `http://127.0.0.1:${this.#port}/delete-vm`;
  }

  /** Listens, where it was before. */
  async up(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((done) => server.listen(this.#port, '127.0.0.1', done));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Nobody listens any more; jobs that run go on. */
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

  callsFor(name: string, action?: Action): readonly Call[] {
    return this.calls.filter((call) => call.order.metadata.name === name && (action ?? call.action) === call.action);
  }

  jobsFor(name: string, action?: Action): readonly Job[] {
    return this.jobs.filter((job) => job.order === name && (action ?? job.action) === job.action);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const action = actionOf(request);
    const text = await read(request);
    const { token } = this.#options;
    const { authorization } = request.headers;
    if (action === undefined) return void response.writeHead(404).end();
    if (token !== undefined && authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    const answer = this.#decide();
    const order = JSON.parse(text) as OrderPayload;
    const key = String(request.headers['idempotency-key']);
    this.calls.push({ action, key, authorization, order, text, answer, at: performance.now() });
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

  #launch(action: Action, key: string, order: OrderPayload): void {
    const { uid, name } = order.metadata;
    const job: Job = { action, order: name, key, state: 'running' };
    this.jobs.push(job);
    const before = this.dials.simultaneous ? undefined : this.#lines.get(uid);
    const done = (before ?? Promise.resolve()).then(() => this.#run(job, order));
    this.#lines.set(uid, done);
    this.#running.add(done);
    void done.finally(() => this.#running.delete(done));
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

  /** Never rejects: AAP tells nobody that a job has failed. */
  async #run(job: Job, order: OrderPayload): Promise<void> {
    const failsAt = this.#failsAt();
    const { signal } = this.#stopping;
    const options: RoleOptions = {
      client: this.#options.client,
      generation: this.dials.generation,
      signal,
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
  }
}

function actionOf({ method, url }: IncomingMessage): Action | undefined {
  if (method !== 'POST') return undefined;
  if (url?.startsWith('/create-vm') === true) return 'create';
  return url?.startsWith('/delete-vm') === true ? 'delete' : undefined;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
