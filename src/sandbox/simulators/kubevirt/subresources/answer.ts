/** What virt-api answers, as a value: it goes out over HTTP, or over a socket whose websocket was refused. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Json } from '../../../json.ts';
import { StatusAnswer } from '../../serving/contracts.ts';
import { statusOf } from '../../serving/status.ts';
import { STATUS_CODES } from '../../../../kube/http.ts';

export interface Answer {
  readonly code: number;
  readonly contentType?: string;
  readonly body?: string | Buffer;
}

export const ok: Answer = { code: 200 };
export const accepted: Answer = { code: 202 };

export const json = (body: Json | object, code = 200): Answer => ({
  code,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

export const plain = (code: number, body: string): Answer => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body,
});

/** Bytes whose kind Go's HTTP server guesses: virt-api does not say what a screenshot is. */
export function guessed(body: Buffer): Answer {
  const png = body.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  return { code: 200, contentType: png ? 'image/png' : 'text/plain; charset=utf-8', body };
}

/** The refusal that a handler threw; anything else that it threw is a defect, and thrown on. */
export function answerOf(error: unknown): Answer {
  if (!(error instanceof StatusAnswer)) throw error;
  return json(statusOf(error), error.code);
}

export function send({ code, contentType, body = '' }: Answer, response: ServerResponse): void {
  response.writeHead(code, {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** In place of a change of protocol. */
export function sendOn({ code, contentType, body = '' }: Answer, socket: Duplex): void {
  // The client may be gone already, which is no concern of the answer.
  socket.on('error', () => socket.destroy());
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const head = `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.write(head);
  socket.end(body, () => socket.destroy());
}
