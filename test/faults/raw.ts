/** A request on a separate connection, seen byte by byte: faults are about how an answer ends. */
import { connect } from 'node:tls';
import type { Credentials } from '../cluster/cluster.ts';

export interface RawAnswer {
  /** All that has arrived so far. */
  text(): string;
  /** How the connection ended: `end` if gracefully, otherwise the code of the error; undefined while it is open. */
  ending(): string | undefined;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<string>;
  close(): void;
}

export function rawRequest({ url, ca, token }: Credentials, method: string, path: string, body = ''): RawAnswer {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca });
  let text = '';
  let ending: string | undefined;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string): void => resolve((ending ??= how));
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => end('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on('close', () => end('close'));
  });
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n${length}\r\n${body}`,
  );
  return { text: () => text, ending: () => ending, ended, close: () => socket.destroy() };
}

export interface Parsed {
  readonly status: number;
  readonly head: string;
  /** The received part of the body, without chunk headers. */
  readonly body: string;
  /** Whether the body is complete by HTTP. */
  readonly whole: boolean;
}

export function parseAnswer(text: string): Parsed {
  const split = text.indexOf('\r\n\r\n');
  const head = split < 0 ? text : text.slice(0, split);
  const rest = split < 0 ? '' : text.slice(split + 4);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length !== undefined) return { status, head, body: rest, whole: Buffer.byteLength(rest) === Number(length) };
  return { status, head, ...unchunk(rest) };
}

function unchunk(text: string): { body: string; whole: boolean } {
  let bytes = Buffer.from(text);
  let body = '';
  for (;;) {
    const end = bytes.indexOf('\r\n');
    if (end < 0) return { body, whole: false };
    const size = Number.parseInt(bytes.toString('latin1', 0, end), 16);
    if (size === 0) return { body, whole: true };
    body += bytes.subarray(end + 2, end + 2 + size).toString('utf8');
    bytes = bytes.subarray(end + 2 + size + 2);
  }
}
