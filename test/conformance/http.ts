/** A bare HTTPS client: it shows what is on the wire, and hides nothing. */
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../../packages/sandbox/src/values/json.ts';
import type { Credentials } from '../cluster/cluster.ts';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string or bytes as they are. */
  readonly body?: Json | Buffer | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Parsed if it is JSON. */
  readonly body: Json | undefined;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Resolves when the headers have arrived; the caller reads the body. */
  open(request: HttpRequest): Promise<IncomingMessage>;
  close(): void;
}

export interface ClientOptions {
  /** Credentials other than the cluster's token: another token, a client certificate, or none. */
  readonly token?: string | undefined;
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** Longer than any answer takes; a watch requested as a plain request would never end. */
const answerDeadline = 15_000;

export function httpClient(cluster: Credentials, options: ClientOptions = { token: cluster.token }): HttpClient {
  const agent = new Agent({ keepAlive: true, ca: cluster.ca, maxSockets: 64, ...options.certificate });
  const { hostname, port } = new URL(cluster.url);
  const open = ({ method, path, headers = {}, body }: HttpRequest): Promise<IncomingMessage> => {
    const payload = body === undefined ? undefined : encode(body);
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest({
        agent,
        hostname,
        port,
        method,
        path,
        headers: {
          'user-agent': 'conformance/1.0',
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': payload.length }),
          ...headers,
        },
      });
      outgoing.on('response', resolve).on('error', reject);
      outgoing.setTimeout(answerDeadline, () => outgoing.destroy(new Error(`${method} ${path} was not answered`)));
      outgoing.once('response', () => outgoing.setTimeout(0));
      outgoing.end(payload);
    });
  };
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const incoming = await open(request);
    const chunks: Buffer[] = [];
    const timer = setTimeout(
      () => incoming.destroy(new Error(`${request.method} ${request.path} did not end`)),
      answerDeadline,
    );
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } finally {
      clearTimeout(timer);
    }
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      body: decode(Buffer.concat(chunks), incoming),
    };
  };
  return { open, send, close: () => agent.destroy() };
}

function encode(body: Json | Buffer): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function decode(bytes: Buffer, { headers }: IncomingMessage): Json | undefined {
  if (bytes.length === 0) return undefined;
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  if (!/json/.test(headers['content-type'] ?? '') && !text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text; // a watch requested as a plain request, or a defect that the comparison will show
  }
}
