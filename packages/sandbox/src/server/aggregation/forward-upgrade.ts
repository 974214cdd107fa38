/**
 * Forwards a connection with a protocol upgrade (websocket, SPDY) to the extension server as bytes: consoles, screens,
 * ports.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { ExtensionConnection } from './extension-connection.ts';
import { upgradeHeaders, type Hop } from './front-proxy.ts';
import { goNetworkError } from './go-network-error.ts';
import { goQuery } from './go-url.ts';
import { refuseUpgrade } from './plain-answer.ts';
import type { ServiceAddress } from './service-address.ts';
import { STATUS_CODES } from '@ssvirt/kube/http';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client sent after its request, before the answer. */
  readonly head: Buffer;
}

export function forwardUpgrade(
  { request, socket, head }: Upgrade,
  hop: Hop,
  connection: ExtensionConnection,
  address: ServiceAddress,
): void {
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
  const upstream = connection.open(address, {
    method: request.method ?? 'GET',
    path: `${hop.path}${goQuery(query)}`,
    headers: upgradeHeaders(request, hop),
    signal: gone.signal,
  });
  upstream.on('upgrade', (answer, remote: Socket, early: Buffer) => {
    remote.setNoDelay(true);
    socket.write(statusAndHeaders(answer));
    if (early.length > 0) socket.write(early);
    if (head.length > 0) remote.write(head);
    join(socket, remote);
  });
  upstream.on('response', (answer) => {
    const status = answer.statusCode ?? 0;
    if (status < 400) {
      answer.destroy();
      refuseUpgrade(socket, 503, `invalid upgrade response: status code ${status}`, hop.auditId);
      return;
    }
    // An error answer is forwarded as the extension server wrote it.
    socket.write(statusAndHeaders(answer));
    answer.pipe(socket);
  });
  upstream.on('error', (error) => {
    if (!gone.signal.aborted)
      refuseUpgrade(socket, 503, `error dialing backend: ${goNetworkError(error)}`, hop.auditId);
  });
  upstream.end();
}

/** When one side ends, both end; what was already written is still sent. */
function join(a: Duplex, b: Duplex): void {
  const over = (): void => {
    for (const side of [a, b]) side.end(() => side.destroy());
  };
  for (const side of [a, b]) side.on('end', over).on('close', over).on('error', over);
  a.pipe(b);
  b.pipe(a);
}

function statusAndHeaders(answer: IncomingMessage): string {
  const status = answer.statusCode ?? 0;
  const lines: string[] = [];
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    const name = answer.rawHeaders[i] ?? '';
    // The body of an error answer is already decoded from chunks, and ends with the connection.
    const framing = status !== 101 && /^(?:transfer-encoding|connection|keep-alive)$/i.test(name);
    if (!framing) lines.push(`${name}: ${answer.rawHeaders[i + 1]}\r\n`);
  }
  if (status !== 101) lines.push('Connection: close\r\n');
  return `HTTP/1.1 ${status} ${answer.statusMessage ?? STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}
