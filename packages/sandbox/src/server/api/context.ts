/** The state of one request while handlers process it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface Context {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly user: User;
  /** Texts for Warning headers, in the order in which they were added; each text is sent once. */
  readonly warnings: Set<string>;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Shared by all requests: every request ends by aborting, and without a reason each would create an error with its own
 * stack.
 */
const GONE = new Error('the request has ended');

/** `stopped` is aborted when the server stops. */
export function contextOf(
  request: IncomingMessage,
  response: ServerResponse,
  user: User,
  stopped: AbortSignal,
): Context {
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const gone = new AbortController();
  const leave = (): void => gone.abort(GONE);
  response.on('close', leave);
  response.on('error', leave);
  request.on('error', leave);
  response.setHeader('Audit-Id', randomUUID());
  return {
    request,
    response,
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    user,
    warnings: new Set(),
    signal: AbortSignal.any([gone.signal, stopped]),
  };
}

/** The field manager for a client that does not name one. */
export function fieldManagerOf(given: string, request: IncomingMessage): string {
  if (given !== '') return given;
  const agent = request.headers['user-agent'] ?? '';
  const prefix = agent.split('/')[0] as string;
  // oxlint-disable-next-line no-control-regex -- removing unprintable characters is the purpose
  const name = prefix.replaceAll(/[\u0000-\u001f\u007f]/g, '').slice(0, 128);
  return name === '' ? 'unknown' : name;
}
