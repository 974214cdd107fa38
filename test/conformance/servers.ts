/** HTTPS servers on loopback that a case runs: admission webhooks, and an aggregated API. */
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import type { Script } from './script.ts';

export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  /** Base64 of the PEM, as webhook configurations require. */
  readonly caBundle: string;
}

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** Serves until the case ends. */
export async function serve(t: Script, handler: Handler, dns: readonly string[] = []): Promise<LoopbackServer> {
  const authority = await createAuthority('loopback-ca');
  const { certificate, key } = await authority.issue({
    commonName: 'loopback',
    dnsNames: ['localhost', ...dns],
    addresses: ['127.0.0.1'],
    server: true,
  });
  const server = createServer({ cert: certificate, key }, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => handler(request, body, response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `https://127.0.0.1:${port}`, caBundle: Buffer.from(authority.certificate).toString('base64') };
}

export function answer(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A webhook: receives each AdmissionRequest and returns the AdmissionResponse without its uid. */
export function webhook(t: Script, decide: (request: JsonObject) => JsonObject): Promise<LoopbackServer> {
  return serve(t, (_, body, response) => {
    const review = JSON.parse(body) as { request: JsonObject };
    answer(response, 200, {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: review.request['uid'], ...decide(review.request) },
    });
  });
}
