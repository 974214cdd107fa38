/** Forwards a request to an extension server and streams the answer back, so that watch events arrive one by one. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../api/context.ts';
import type { ExtensionConnection, Sent } from './extension-connection.ts';
import { answerHeaders, forwardedHeaders } from './front-proxy.ts';
import { goNetworkError } from './go-network-error.ts';
import { goPath, goQuery, hostPort } from './go-url.ts';
import { answerPlain } from './plain-answer.ts';
import type { ServiceAddress } from './service-address.ts';

const REDIRECTED = 'the backend attempted to redirect this request, which is not permitted';

export interface Destination {
  readonly connection: ExtensionConnection;
  readonly address: ServiceAddress;
  /** The time limit for the whole answer; only discovery has one. */
  readonly timeout?: number;
}

export async function forward(context: Context, destination: Destination): Promise<void> {
  const deadline = destination.timeout === undefined ? undefined : AbortSignal.timeout(destination.timeout);
  const sent = sentRequest(context, destination.address, deadline);
  let answer: IncomingMessage;
  try {
    answer = await exchange(context.request, destination, sent);
  } catch (error) {
    if (context.signal.aborted) return;
    const why = deadline?.aborted === true ? 'context deadline exceeded' : goNetworkError(error);
    answerPlain(context, 503, `error trying to reach service: ${why}`);
    return;
  }
  await giveBack(context, answer);
  // The answer came before the end of the request body. The rest must be read, because it would block the next request.
  context.request.unpipe().resume();
}

function sentRequest(
  { request, response, method, path: asked, query, user, signal }: Context,
  address: ServiceAddress,
  deadline: AbortSignal | undefined,
): Sent {
  const path = goPath(asked);
  const auditId = String(response.getHeader('Audit-Id') ?? '');
  const headers = forwardedHeaders(request, { host: hostPort(address.host, address.port), path, user, auditId });
  // Without this, Node would send the body of a DELETE with neither length nor chunks.
  if (request.headers['transfer-encoding'] !== undefined) headers['Transfer-Encoding'] = 'chunked';
  return {
    method,
    path: `${path}${goQuery(query)}`,
    headers,
    signal: deadline === undefined ? signal : AbortSignal.any([signal, deadline]),
  };
}

/** Retries when the server closed an idle connection just as it was reused, as Go does, unless a body could be lost. */
async function exchange(
  request: IncomingMessage,
  { connection, address }: Destination,
  sent: Sent,
): Promise<IncomingMessage> {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  for (;;) {
    const upstream = connection.open(address, sent);
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        upstream.on('response', resolve);
        // The listener stays after the answer has begun; later errors are visible on the answer.
        upstream.on('error', reject);
        if (hasBody) request.pipe(upstream);
        else upstream.end();
      });
    } catch (error) {
      request.unpipe(upstream);
      if (hasBody || !upstream.reusedSocket || sent.signal.aborted) throw error;
    }
  }
}

async function giveBack({ response }: Context, answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode ?? 502;
  response.setHeader('Cache-Control', 'no-cache, private');
  if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
    answer.destroy();
    response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': REDIRECTED.length });
    response.end(REDIRECTED);
    return;
  }
  for (const [name, value] of Object.entries(answerHeaders(answer.rawHeaders))) {
    // The real proxy appends to the headers that the server has set, but Date must not appear twice.
    if (name.toLowerCase() === 'date') response.setHeader(name, value);
    else response.appendHeader(name, value);
  }
  response.writeHead(status);
  response.flushHeaders();
  // Either side may disconnect. The pipeline then closes the other side, and the error has no recipient.
  await pipeline(answer, response).catch(() => {});
}
