/** A small HTTP server with clear errors when it cannot listen. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import {
  guardConnections,
  internalLimits,
  serverTimeouts,
  type ConnectionLimits,
} from '@ssvirt/base/net/connection-limits';
import { createServer } from '../http.ts';

export interface ListenAt {
  /** The default is `127.0.0.1`; `0.0.0.0` or `::` for all addresses. */
  readonly host?: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** The default is `internalLimits`. */
  readonly limits?: Partial<ConnectionLimits>;
}

export interface HttpAnswer {
  readonly code: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Answerer = (url: URL, request: IncomingMessage) => Promise<HttpAnswer>;

export interface Endpoint {
  /** For example `http://127.0.0.1:8081`. */
  readonly url: string;
  stop(): Promise<void>;
}

export const defaultHost = '127.0.0.1';

/** How long answers in progress may take during a stop. */
const drainMs = 1000;

/** `what` names the endpoint in errors, for example "health". */
export async function serve(what: string, at: ListenAt, answer: Answerer, log: Logger): Promise<Endpoint> {
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    void respond(request, response, answer, log);
  const limits = { ...internalLimits, ...at.limits };
  const timeouts = serverTimeouts(limits);
  const server =
    at.tls === undefined ? createServer(timeouts, handle) : createTlsServer({ ...timeouts, ...at.tls }, handle);
  const connections = guardConnections(server, limits);
  const host = at.host ?? defaultHost;
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(cannotListen(what, host, at.port, error)));
    server.listen(at.port, host, done);
  });
  server.on('error', (error) => log.error({ err: error, endpoint: what }, 'endpoint failed'));
  const { port } = server.address() as AddressInfo;
  const authority = host.includes(':') ? `[${host}]` : host;
  const stop = async (): Promise<void> => {
    const cut = setTimeout(() => connections.destroyAll(), drainMs);
    await new Promise((done) => {
      server.close(done);
      connections.destroyIdle();
    });
    clearTimeout(cut);
  };
  return { url: `${at.tls === undefined ? 'http' : 'https'}://${authority}:${port}`, stop };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answerer,
  log: Logger,
): Promise<void> {
  let result: HttpAnswer;
  try {
    result =
      request.method === 'GET' || request.method === 'HEAD'
        ? await answer(new URL(request.url ?? '/', 'http://endpoint'), request)
        : { code: 405, text: 'method not allowed\n', headers: { allow: 'GET, HEAD' } };
  } catch (error) {
    log.error({ err: error, path: request.url?.split('?')[0] }, 'cannot answer request');
    result = { code: 500, text: 'internal server error\n' };
  }
  response.writeHead(result.code, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...result.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : result.text);
}

function cannotListen(what: string, host: string, port: number, error: NodeJS.ErrnoException): Error {
  const advice: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the address is in use; stop the process that listens there, or choose another port',
    EACCES: 'not allowed; choose a port of 1024 or above',
    EADDRNOTAVAIL: 'this machine has no such address; choose one that it has, or 0.0.0.0 for all',
    ENOTFOUND: 'there is no such host name; give an address of this machine',
  };
  const why = advice[error.code ?? ''] ?? error.message;
  return new Error(`cannot serve ${what} on ${host.includes(':') ? `[${host}]` : host}:${port}: ${why}`, {
    cause: error,
  });
}
