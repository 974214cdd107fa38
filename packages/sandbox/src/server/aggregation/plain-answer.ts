/** Errors of the proxy. The real one writes them as plain text with Go's http.Error instead of a Status. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from '../api/context.ts';
import { STATUS_CODES } from '@ssvirt/kube/http';
import { endSocket } from '@ssvirt/base/net/end-socket';

export const UNAVAILABLE = 'service unavailable';

export function answerPlain({ request, response }: Context, code: number, text: string): void {
  if (response.headersSent || response.destroyed) return;
  writePlain(response, code, text);
  // The unused body is read to its end, so that the connection can be reused.
  request.resume();
}

function writePlain(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, plainHeaders(text));
  response.end(`${text}\n`);
}

/** `refuseUpgrade` returns the same for a protocol upgrade. */
export function refuseUpgrade(socket: Duplex, code: number, text: string, auditId: string): void {
  const headers = { 'Audit-Id': auditId, ...plainHeaders(text), Date: new Date().toUTCString(), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endSocket(socket, `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\n${lines.join('')}\r\n${text}\n`);
}

function plainHeaders(text: string): Record<string, string> {
  return {
    'Cache-Control': 'no-cache, private',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(text) + 1),
  };
}
