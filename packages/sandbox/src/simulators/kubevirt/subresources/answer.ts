/** An answer of virt-api as a value: it is sent over HTTP, or over the socket of a refused websocket. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Json } from '../../../values/json.ts';
import { StatusAnswer } from '../../serving/contracts.ts';
import { statusOf } from '../../serving/status.ts';
import { STATUS_CODES } from '@ssvirt/kube/http';

export interface SubresourceAnswer {
  readonly code: number;
  readonly contentType?: string;
  readonly body?: string | Buffer;
}

export const ok: SubresourceAnswer = { code: 200 };
export const accepted: SubresourceAnswer = { code: 202 };

export const json = (body: Json | object, code = 200): SubresourceAnswer => ({
  code,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

export const plain = (code: number, body: string): SubresourceAnswer => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body,
});

/** virt-api sets no content type for a screenshot: Go's HTTP server detects it from the bytes. */
export function guessed(body: Buffer): SubresourceAnswer {
  const png = body.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  return { code: 200, contentType: png ? 'image/png' : 'text/plain; charset=utf-8', body };
}

/** `answerOf` returns the refusal that a handler threw. Any other error is a defect and is thrown again. */
export function answerOf(error: unknown): SubresourceAnswer {
  if (!(error instanceof StatusAnswer)) throw error;
  return json(statusOf(error), error.code);
}

export function send({ code, contentType, body = '' }: SubresourceAnswer, response: ServerResponse): void {
  response.writeHead(code, {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** `sendOn` writes the answer to the socket instead of upgrading the protocol. */
export function sendOn({ code, contentType, body = '' }: SubresourceAnswer, socket: Duplex): void {
  // The client may have disconnected already; then the answer is dropped.
  socket.on('error', () => socket.destroy());
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const head = `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.write(head);
  socket.end(body, () => socket.destroy());
}
