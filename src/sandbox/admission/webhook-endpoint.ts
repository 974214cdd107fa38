/** Where a webhook is reached, and one call to it: HTTPS with kept connections, failures in the words of Go's client. */
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { listAt, numberAt, objectAt, textAt } from '../kinds/fields.ts';
import type { Store } from '../store/store.ts';
import { networkError } from './network-error.ts';
import { serverError } from './server-error.ts';
import { stored } from './stored.ts';

/** The webhook could not be asked, or gave no usable answer: the failure policy decides what that means. */
export class CallFailure extends Error {}

interface Target {
  readonly host: string;
  readonly port: number;
  /** The name that the certificate must have, where it differs from the host. */
  readonly serverName: string | undefined;
}

export class WebhookEndpoint {
  readonly #store: Store;
  readonly #config: JsonObject;
  readonly #url: URL;
  readonly #service: JsonObject | undefined;
  #agent: Agent | undefined;

  constructor(store: Store, config: JsonObject) {
    this.#store = store;
    this.#config = config;
    this.#service = objectAt(config, 'service');
    this.#url = this.#service === undefined ? parseUrl(textAt(config, 'url')) : serviceUrl(this.#service);
  }

  /** Sends a review and returns the parsed answer. */
  async call(body: string, timeoutSeconds: number): Promise<Json> {
    const { pathname, host } = this.#url;
    const shown = `https://${host}${pathname}?timeout=${timeoutSeconds}s`;
    try {
      const { status, text } = await this.#post(`${pathname}?timeout=${timeoutSeconds}s`, body, timeoutSeconds);
      if (status < 200 || status > 206) throw new CallFailure(`failed to call webhook: ${serverError(status, text)}`);
      return parseAnswer(text);
    } catch (error) {
      if (error instanceof CallFailure) throw error;
      const target = this.#service === undefined ? this.#url.hostname : this.#url.hostname;
      throw new CallFailure(`failed to call webhook: Post ${JSON.stringify(shown)}: ${networkError(error, target)}`);
    }
  }

  async #post(path: string, body: string, timeoutSeconds: number): Promise<{ status: number; text: string }> {
    const target = this.#target();
    const options: RequestOptions = {
      method: 'POST',
      host: target.host,
      port: target.port,
      path,
      agent: (this.#agent ??= this.#createAgent()),
      headers: {
        host: this.#url.host,
        accept: 'application/json, */*',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'kube-apiserver-admission',
      },
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      // A name for an address is not allowed, and not needed.
      ...(target.serverName === undefined ? {} : { servername: target.serverName }),
    };
    return new Promise((resolve, reject) => {
      let reused = false;
      const outgoing = httpsRequest(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        answer.on('error', reject);
      });
      outgoing.on('socket', (_socket: Socket) => (reused = outgoing.reusedSocket));
      outgoing.on('error', (error) => {
        // The server closed a kept connection just as it was used: that says nothing about the webhook.
        if (reused && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
          resolve(this.#post(path, body, timeoutSeconds));
        else reject(error);
      });
      outgoing.end(body);
    });
  }

  #createAgent(): Agent {
    const bundle = textAt(this.#config, 'caBundle');
    const ca = bundle === '' ? undefined : Buffer.from(bundle, 'base64');
    return new Agent({ keepAlive: true, ALPNProtocols: ['http/1.1'], ...(ca === undefined ? {} : { ca }) });
  }

  #target(): Target {
    const { hostname, port } = this.#url;
    const number = port === '' ? 443 : Number(port);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (this.#service === undefined) return { host, port: number, serverName: isIP(host) === 0 ? host : undefined };
    return { ...resolveService(this.#store, this.#service, number), serverName: hostname };
  }
}

function parseUrl(text: string): URL {
  return URL.canParse(text) ? new URL(text) : new URL('https://invalid');
}

function serviceUrl(service: JsonObject): URL {
  const port = numberAt(service, 'port') || 443;
  const url = new URL(
    `https://${textAt(service, 'name')}.${textAt(service, 'namespace')}.svc:${port}${textAt(service, 'path')}`,
  );
  // The client always names the port, which URL leaves out when it is the default.
  if (port === 443) Object.defineProperty(url, 'host', { value: `${url.hostname}:443` });
  return url;
}

/** As the API server does without routing to endpoints: by the Service's cluster IP or external name. */
function resolveService(store: Store, reference: JsonObject, port: number): { host: string; port: number } {
  const name = textAt(reference, 'name');
  const namespace = textAt(reference, 'namespace');
  const service = stored(store, '/services', namespace, name);
  if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
  const spec = objectAt(service, 'spec');
  const type = textAt(spec, 'type');
  if (type === 'ExternalName') return { host: textAt(spec, 'externalName'), port };
  if (textAt(spec, 'clusterIP') === 'None') throw new Error('cannot route to service with ClusterIP "None"');
  const found = listAt(spec, 'ports').find((item) => numberAt(item, 'port') === port);
  if (found === undefined) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const endpoint = readyEndpoint(store, namespace, name, textAt(found, 'name'));
  // Nobody forwards cluster IPs here: without an endpoint it is as in a cluster, refused.
  if (endpoint === undefined)
    throw new Error(`dial tcp ${textAt(spec, 'clusterIP')}:${port}: connect: connection refused`);
  return endpoint;
}

function readyEndpoint(
  store: Store,
  namespace: string,
  name: string,
  portName: string,
): { host: string; port: number } | undefined {
  const table = store.table('discovery.k8s.io/endpointslices');
  for (const entry of table.range(`${namespace}/`)) {
    if (entry.labels?.['kubernetes.io/service-name'] !== name) continue;
    const slice = stored(store, table.name, namespace, entry.name);
    const port = listAt(slice, 'ports').find((item) => textAt(item, 'name') === portName);
    const ready = listAt(slice, 'endpoints').find((endpoint) => objectAt(endpoint, 'conditions')?.['ready'] !== false);
    const [address] = Array.isArray(ready?.['addresses']) ? ready['addresses'] : [];
    if (port !== undefined && typeof address === 'string') return { host: address, port: numberAt(port, 'port') };
  }
  return undefined;
}

function parseAnswer(text: string): Json {
  try {
    const answer = JSON.parse(text) as Json;
    if (isObject(answer)) return answer;
  } catch {
    // Told below, in the decoder's words.
  }
  throw new CallFailure(`failed to call webhook: couldn't get version/kind; json parse error: ${jsonComplaint(text)}`);
}

/** What Go's decoder says about the first character that is not JSON. */
function jsonComplaint(text: string): string {
  const start = text.trimStart();
  if (start === '') return 'unexpected end of JSON input';
  if (start.startsWith('['))
    return `json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
  return start.startsWith('{')
    ? 'unexpected end of JSON input'
    : `invalid character '${start[0]}' looking for beginning of value`;
}
