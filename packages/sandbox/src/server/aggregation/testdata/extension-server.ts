/** An extension API server for tests: real HTTPS on loopback that records requests and returns configured answers. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Authority } from '@ssvirt/base/tls/authority';
import type { Json } from '../../../values/json.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The common name of the client's certificate, if the expected authority signed it. */
  readonly client: string | undefined;
  body: string;
}

export type Answer = (request: IncomingMessage, response: ServerResponse, asked: Asked) => void;

export interface ExtensionServer {
  readonly port: number;
  readonly asked: Asked[];
  /** Keyed by path without query; the longest matching prefix answers. */
  readonly answers: Map<string, Answer>;
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  close(): Promise<void>;
}

export interface ExtensionOptions {
  readonly authority: Authority;
  /** The authority for the front proxy's certificate. */
  readonly clientAuthority: string;
  readonly names: readonly string[];
  readonly port?: number;
}

export async function startExtensionServer(options: ExtensionOptions): Promise<ExtensionServer> {
  const pair = await options.authority.issue({
    commonName: options.names[0] ?? '',
    dnsNames: options.names,
    server: true,
  });
  const server = createServer({
    key: pair.key,
    cert: pair.certificate,
    ca: options.clientAuthority,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  const asked: Asked[] = [];
  const answers = new Map<string, Answer>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const entry = remember(asked, request);
    request.on('data', (chunk: Buffer) => (entry.body += chunk.toString()));
    const path = entry.url.split('?')[0] ?? '';
    const known = [...answers.keys()].filter((key) => path.startsWith(key)).toSorted((a, b) => b.length - a.length)[0];
    const answer = known === undefined ? undefined : answers.get(known);
    if (answer === undefined) response.writeHead(404, { 'Content-Type': 'text/plain' }).end('404 page not found\n');
    else answer(request, response, entry);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const running: ExtensionServer = {
    port: (server.address() as AddressInfo).port,
    asked,
    answers,
    onUpgrade: (_request, socket) => socket.destroy(),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    remember(asked, request);
    running.onUpgrade(request, socket, head);
  });
  return running;
}

function remember(asked: Asked[], request: IncomingMessage): Asked {
  const socket = request.socket as TLSSocket;
  const client = socket.authorized ? String(socket.getPeerCertificate().subject?.CN) : undefined;
  const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, client, body: '' };
  asked.push(entry);
  return entry;
}

export function answerJson(value: Json, code = 200): Answer {
  return (_request, response) =>
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
