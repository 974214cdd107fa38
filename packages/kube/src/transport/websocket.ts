/** Opens websockets to a cluster, for consoles and the like, with the same credentials, TLS and proxy as requests. */
import type { Agent as PlainAgent, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { WebSocket, type ClientOptions } from 'ws';
import type { Connection } from '../connection.ts';
import type { KubeError } from '../errors.ts';
import { Agent as HttpAgent } from '../http.ts';
import type { Deadline } from './deadline.ts';
import { refusal } from './refusal.ts';
import { tlsOptions } from './tls.ts';

/** How much of a refusal is read. */
const maxRefusalBytes = 64 * 1024;

export interface Opening {
  readonly connection: Connection;
  readonly headers: Record<string, string | string[]>;
  /** With the query. */
  readonly path: string;
  readonly protocols: readonly string[];
  readonly deadline: Deadline;
  readonly prefix: string;
}

/**
 `openWebSocket` * Resolves when open. Rejects with a KubeError when the server answered, otherwise with the error of the connection.
 */
export async function openWebSocket(opening: Opening): Promise<WebSocket> {
  const { connection, path, protocols, deadline, prefix } = opening;
  const url = `${connection.server.replace(/^http/, 'ws')}${path}`;
  const socket = new WebSocket(url, [...protocols], options(opening));
  return new Promise((resolve, reject) => {
    const end = (): void => socket.terminate();
    deadline.signal.addEventListener('abort', end, { once: true });
    if (deadline.signal.aborted) end();
    socket.once('open', () => {
      socket.once('close', () => deadline.release());
      holdUntilHeard(socket);
      resolve(socket);
    });
    socket.once('unexpected-response', (_request, response) => {
      refused(prefix, response).then(reject, reject).finally(end);
    });
    // Kept for the lifetime: a break is followed by 'close', and without a listener it would end the process.
    socket.on('error', reject);
    socket.once('close', () => {
      deadline.signal.removeEventListener('abort', end);
      reject(new Error('the connection was closed'));
    });
  });
}

/**
 * The first message may come together with the answer, before the caller listens: reading starts with the first
 * listener.
 */
function holdUntilHeard(socket: WebSocket): void {
  socket.pause();
  const heard = (event: string | symbol): void => {
    if (event !== 'message' && event !== 'close') return;
    socket.off('newListener', heard);
    socket.resume();
  };
  socket.on('newListener', heard);
}

async function refused(prefix: string, response: IncomingMessage): Promise<KubeError> {
  const body = await refusalBody(response);
  return refusal(prefix, { code: response.statusCode ?? 0, headers: response.headers, body });
}

function options({ connection, headers }: Opening): ClientOptions {
  const base = {
    ...tlsOptions(connection.tls),
    headers: joined(headers),
    perMessageDeflate: false,
    followRedirects: false,
  };
  return connection.proxyUrl === undefined ? base : { ...base, agent: proxyAgent(connection, connection.proxyUrl) };
}

function proxyAgent({ server, tls }: Connection, proxyUrl: string): PlainAgent | HttpsAgent {
  const { protocol } = new URL(proxyUrl);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Error(`websockets support http and https proxies only, not ${protocol.slice(0, -1)}`);
  const proxyEnv = { HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl };
  return server.startsWith('https:')
    ? new HttpsAgent({ ...tlsOptions(tls), proxyEnv, keepAlive: false })
    : new HttpAgent({ proxyEnv, keepAlive: false });
}

/** ws declares headers as strings, but Node sends a list as several headers. */
function joined(headers: Record<string, string | string[]>): Record<string, string> {
  return headers as Record<string, string>;
}

async function refusalBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxRefusalBytes) break;
  }
  return Buffer.concat(chunks);
}
