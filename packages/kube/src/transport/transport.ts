/**
 * `Transport` sends requests to one cluster, with credentials, pools, deadlines and retries. It resolves to an answer
 * below 400; everything else is a KubeError whose message says what failed.
 */
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { WebSocket } from 'ws';
import { sleep, type Clock } from '../clock.ts';
import type { Connection, ConnectionSource } from '../connection.ts';
import { KubeError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { readBody } from './body.ts';
import { target, type Answer, type Call, type Headers } from './call.ts';
import { Deadline } from './deadline.ts';
import { failure } from './failure.ts';
import { NotSent, type Looking } from './last-look.ts';
import { Observer, type Sent } from './observer.ts';
import { Pools, type Route } from './pools.ts';
import { TokenBucket, unlimited, type RateLimit, type RateLimiter } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import { openWebSocket } from './websocket.ts';
import { Retries, type RetryOutcome } from './retry.ts';

export const defaultTimeoutMs = 30_000;

/**
 * Like client-go. Kubernetes answers it with JSON. An aggregated server may serve text: go-restful, which virt-api
 * uses, answers 406 to a client without a wildcard where a route declares no type, as for KubeVirt's power operations.
 */
const defaultAccept = 'application/json, */*';

export interface TransportOptions {
  readonly cluster: string;
  readonly source: ConnectionSource;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly metrics?: Metrics;
  readonly log?: Logger;
  readonly rateLimit?: RateLimit;
}

/** `Streaming` is an answer whose body is still to be read. */
export interface Streaming {
  readonly headers: Headers;
  readonly body: Readable;
  readonly deadline: Deadline;
  /** The text before the cause in errors of this stream. */
  readonly prefix: string;
}

interface Way {
  readonly connection: Connection;
  readonly route: Route;
  readonly sent: Sent;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #pools: Pools;
  readonly #observer: Observer;
  readonly #limiter: RateLimiter;
  readonly #closing = new AbortController();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#pools = new Pools(options.clock);
    this.#observer = new Observer(options.clock, options.metrics, options.log);
    this.#limiter = options.rateLimit === undefined ? unlimited : new TokenBucket(options.clock, options.rateLimit);
  }

  /** Resolves to the complete answer. */
  async call(call: Call): Promise<Answer> {
    const deadline = this.deadline(call);
    try {
      return await this.#attempts(call, deadline);
    } finally {
      deadline.release();
    }
  }

  /**
   * Resolves to the answer as it arrives. Only a 401 is retried here: watches have a backoff of their own. The deadline
   * covers the headers; the stream lives until its end, the signal or close().
   */
  async stream(call: Call): Promise<Streaming> {
    const deadline = this.deadline(call);
    const prefix = this.prefix(call.doing);
    try {
      const { headers, body } = await this.withCredentials(call, deadline, (way) => this.#open(way, deadline));
      deadline.lift();
      return { headers, body, deadline, prefix };
    } catch (error) {
      deadline.release();
      throw error instanceof KubeError && deadline.endedBy === undefined ? error : failure(prefix, error, deadline);
    }
  }

  /** Resolves to an open websocket; the signal closes it. */
  async connect(call: Call, protocols: readonly string[]): Promise<WebSocket> {
    const deadline = this.deadline(call);
    const prefix = this.prefix(call.doing);
    try {
      const socket = await this.withCredentials(call, deadline, async ({ connection, sent }) => {
        const path = target(call.path, call.query);
        const headers = this.headers(connection);
        try {
          const open = await openWebSocket({ connection, headers, path, protocols, deadline, prefix });
          this.#observer.answered(sent, 101, {});
          return open;
        } catch (error) {
          if (error instanceof KubeError && error.code !== undefined) this.#observer.answered(sent, error.code, {});
          else this.#observer.failed(sent, error);
          throw error;
        }
      });
      deadline.lift();
      return socket;
    } catch (error) {
      deadline.release();
      throw error instanceof KubeError && deadline.endedBy === undefined ? error : failure(prefix, error, deadline);
    }
  }

  deadline({ timeoutMs = defaultTimeoutMs, signal }: Pick<Call, 'timeoutMs' | 'signal'>): Deadline {
    return new Deadline(this.#options.clock, timeoutMs, signal, this.#closing.signal);
  }

  prefix(doing: string): string {
    return `cannot ${doing} in cluster ${this.#options.cluster}`;
  }

  /** Does the work, and repeats it once with fresh credentials when the server refused the first ones. */
  async withCredentials<T>(call: Call, deadline: Deadline, work: (way: Way) => Promise<T>): Promise<T> {
    const first = await this.#way(call, deadline);
    call.beforeSend?.();
    try {
      return await work(first);
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 401 || !(await this.#fresh(first.connection, deadline)))
        throw error;
      this.#observer.retrying(first.sent, '401');
      const second = await this.#way(call, deadline);
      call.beforeSend?.();
      return work(second);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pools.close();
  }

  async #attempts(call: Call, deadline: Deadline): Promise<Answer> {
    const retries = new Retries(call.method);
    const prefix = this.prefix(call.doing);
    let refreshed = false;
    for (;;) {
      const way = await this.#way(call, deadline);
      call.beforeSend?.();
      const outcome = await this.#attempt(way, deadline);
      if ('error' in outcome && outcome.error instanceof NotSent) throw outcome.error.why;
      if (deadline.endedBy !== undefined) throw failure(prefix, undefined, deadline);
      if (codeOf(outcome) === '401' && !refreshed && (await this.#fresh(way.connection, deadline))) {
        refreshed = true;
        this.#observer.retrying(way.sent, '401');
        continue;
      }
      const pause = retries.next(outcome);
      // A pause beyond the deadline would only delay the answer that is already known.
      if (pause === undefined || pause >= deadline.remainingMs) return settled(prefix, outcome, deadline);
      this.#observer.retrying(way.sent, codeOf(outcome));
      await sleep(this.#options.clock, pause, deadline.signal);
    }
  }

  async #way(call: Call, deadline: Deadline): Promise<Way> {
    try {
      const waited = await this.#limiter.take(deadline.signal);
      const connection = await deadline.race(this.#connection(deadline.signal));
      const route = this.#pools.route(connection);
      this.#observer.limited({ call, host: route.host }, waited);
      return { connection, route, sent: this.#observer.sending(call, route.host) };
    } catch (error) {
      throw failure(this.prefix(call.doing), error, deadline);
    }
  }

  async #connection(signal: AbortSignal): Promise<Connection> {
    try {
      return await this.#options.source.current(signal);
    } catch (error) {
      if (error instanceof KubeError) throw error;
      throw new KubeError('Credentials', 'cannot get the credentials', { cause: error });
    }
  }

  async #fresh(connection: Connection, deadline: Deadline): Promise<boolean> {
    try {
      return await deadline.race(this.#options.source.refused(connection, deadline.signal));
    } catch (error) {
      this.#options.log?.warn({ err: error }, 'cannot renew the credentials that the API server refused');
      return false;
    }
  }

  async #attempt(way: Way, deadline: Deadline): Promise<RetryOutcome> {
    try {
      const { beforeSend } = way.sent.call;
      const request: Dispatcher.RequestOptions & Looking = { ...this.#request(way, deadline, 'gzip'), beforeSend };
      // undici ignores the signal while it connects.
      const { statusCode: code, headers, body } = await deadline.race(way.route.requests.request(request));
      const bytes = await readBody(body, headers);
      this.#observer.answered(way.sent, code, headers, bytes.length);
      return { answer: { code, headers, body: bytes } };
    } catch (error) {
      this.#observer.failed(way.sent, error);
      return { error };
    }
  }

  async #open(way: Way, deadline: Deadline): Promise<Pick<Streaming, 'headers' | 'body'>> {
    try {
      const request = this.#request(way, deadline, 'identity');
      const { statusCode: code, headers, body } = await deadline.race(way.route.watches.request(request));
      // The stream may break before it is read; the reader gets the error when it reads.
      body.on('error', () => {});
      this.#observer.answered(way.sent, code, headers);
      if (code >= 400)
        throw refusal(this.prefix(way.sent.call.doing), { code, headers, body: await readBody(body, headers) });
      return { headers, body };
    } catch (error) {
      if (!(error instanceof KubeError)) this.#observer.failed(way.sent, error);
      throw error;
    }
  }

  #request(
    { connection, route, sent: { call } }: Way,
    deadline: Deadline,
    encoding: string,
  ): Dispatcher.RequestOptions {
    return {
      origin: route.origin,
      path: target(`${route.prefix}${call.path}`, call.query),
      method: call.method,
      headers: {
        ...this.headers(connection),
        accept: call.accept ?? defaultAccept,
        'accept-encoding': encoding,
        ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      },
      body: call.body ?? null,
      signal: deadline.signal,
    };
  }

  headers(connection: Connection): Record<string, string | string[]> {
    const own = Object.entries(connection.headers).map(([name, value]): [string, string | string[]] => [
      name,
      typeof value === 'string' ? value : [...value],
    ]);
    return { ...Object.fromEntries(own), 'user-agent': this.#options.userAgent };
  }
}

function settled(prefix: string, outcome: RetryOutcome, deadline: Deadline): Answer {
  if ('error' in outcome) throw failure(prefix, outcome.error, deadline);
  if (outcome.answer.code >= 400) throw refusal(prefix, outcome.answer);
  return outcome.answer;
}

function codeOf(outcome: RetryOutcome): string {
  return 'error' in outcome ? '<error>' : String(outcome.answer.code);
}
