/** One TLS connection to an API server, kept open for one request after another, or for one watch. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Credentials } from '../../test/cluster/cluster.ts';
import { ResponseReader } from './response-reader.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** The media type of the body. */
  readonly type?: string;
  readonly accept?: string;
  readonly gzip?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly parts: readonly Buffer[];
}

export interface WatchHandler {
  readonly follow: (part: Buffer) => void;
  readonly ended: () => void;
  readonly failed: (error: Error) => void;
}

/** The server answered a watch with something other than a stream. */
export class WatchRefused extends Error {
  readonly status: number;
  readonly body: string;

  constructor(path: string, status: number, body: string) {
    super(`watch ${path} answered ${status}: ${body.slice(0, 500)}`);
    this.status = status;
    this.body = body;
  }
}

export class Connection {
  readonly #socket: TLSSocket;
  readonly #common: string;
  #status = 0;
  #parts: Buffer[] = [];
  #done: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #follow: ((part: Buffer) => void) | undefined;

  private constructor(socket: TLSSocket, common: string) {
    this.#socket = socket;
    this.#common = common;
    const reader = new ResponseReader({
      head: (status) => void (this.#status = status),
      body: (part) =>
        this.#follow !== undefined && this.#status === 200 ? this.#follow(part) : this.#parts.push(part),
      end: () => this.#end(),
    });
    socket.on('data', (bytes: Buffer) => reader.push(bytes));
    socket.on('error', (error: Error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static async open({ url, ca, token }: Credentials): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), ca, servername: 'localhost' });
    socket.setNoDelay(true);
    await once(socket, 'secureConnect');
    // Without a token each call brings its own credentials.
    const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
    return new Connection(socket, `Host: ${host}\r\n${authorization}User-Agent: bench\r\n`);
  }

  /** False after either side has closed it: a request sent then gets no answer and no error. */
  get open(): boolean {
    return this.#socket.writable && !this.#socket.readableEnded;
  }

  /** Resolves to the whole answer; only one request may be outstanding. */
  send(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#parts = [];
      this.#done = resolve;
      this.#failed = reject;
      this.#socket.write(this.#text(call));
    });
  }

  /** Sends, and throws if the answer is not a success. */
  async must(call: Call): Promise<Answer> {
    const answer = await this.send(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    const text = Buffer.concat(answer.parts).toString();
    throw new Error(`${call.method} ${call.path} answered ${answer.status}: ${text.slice(0, 500)}`);
  }

  /** Starts a watch. `follow` receives the parts of its body; `ended` is called when the server ends it cleanly. */
  watch(path: string, { follow, ended, failed }: WatchHandler): void {
    this.#parts = [];
    this.#follow = follow;
    this.#failed = failed;
    this.#done = ({ status, parts }) => {
      if (status === 200) ended();
      else failed(new WatchRefused(path, status, Buffer.concat(parts).toString()));
    };
    this.#socket.write(this.#text({ method: 'GET', path }));
  }

  close(): void {
    this.#failed = undefined;
    this.#done = undefined;
    this.#follow = (): void => undefined;
    this.#socket.destroy();
  }

  #text(call: Call): string {
    const { method, path, body, type = 'application/json', accept = 'application/json, */*', gzip = false } = call;
    const more = Object.entries(call.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    const encoding = gzip ? 'Accept-Encoding: gzip\r\n' : '';
    const content = body === undefined ? '' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return `${method} ${path} HTTP/1.1\r\n${this.#common}Accept: ${accept}\r\n${more.join('')}${encoding}${content}\r\n${body ?? ''}`;
  }

  #end(): void {
    const done = this.#done;
    const parts = this.#parts;
    this.#done = undefined;
    this.#failed = undefined;
    done?.({ status: this.#status, parts, bytes: parts.reduce((sum, part) => sum + part.length, 0) });
  }

  #fail(error: Error): void {
    const failed = this.#failed;
    this.#failed = undefined;
    failed?.(error);
  }
}
