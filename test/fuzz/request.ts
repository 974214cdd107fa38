/** One random request, and its form on the wire. */
import { request as httpsRequest, type Agent } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** What the client does after sending the request. */
export type Manner = 'whole' | 'half-sent' | 'watch';

export interface FuzzRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | undefined;
  readonly manner: Manner;
}

export interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

export interface Wire {
  readonly url: URL;
  readonly ca: string;
  readonly token: string;
  readonly agent: Agent;
}

/** Undefined if the client itself closed the connection, as half-sent requests do. */
export function send(wire: Wire, request: FuzzRequest): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const { url, ca, token, agent } = wire;
    const half = request.manner === 'half-sent';
    const length = request.body?.length ?? 0;
    const headers = {
      authorization: `Bearer ${token}`,
      ...request.headers,
      ...(half ? { 'content-length': length + 10 } : length > 0 ? { 'content-length': length } : {}),
    };
    const options = {
      host: url.hostname,
      port: url.port,
      ca,
      agent,
      method: request.method,
      path: request.target,
      headers,
    };
    const outgoing = httpsRequest(options, (response) => {
      if (request.manner === 'watch' && response.statusCode === 200) response.once('data', () => outgoing.destroy());
      void read(response).then((body) =>
        resolve({
          code: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          body,
        }),
      );
    });
    // A watch without events answers with headers only.
    if (request.manner === 'watch') outgoing.setTimeout(50, () => outgoing.destroy());
    outgoing.on('error', (error) => (half || request.manner === 'watch' ? resolve(undefined) : reject(error)));
    if (half) outgoing.write(request.body ?? Buffer.from('{'), () => outgoing.destroy());
    else outgoing.end(request.body);
  });
}

/** The received part, also if the client itself cut the connection. */
function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

/** For the message of a failed test. */
export function describeRequest({ method, target, headers, body, manner }: FuzzRequest): string {
  const text =
    body === undefined
      ? ''
      : body.length > 2000
        ? `${body.toString('latin1', 0, 2000)}… (${body.length} bytes)`
        : body.toString('utf8');
  return `${method} ${target.length > 500 ? `${target.slice(0, 500)}…` : target} (${manner})\n  ${JSON.stringify(headers)}\n  ${text}`;
}
