/** The address of a webhook, and calls to it: HTTPS with keep-alive connections, errors in the words of Go's client. */
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { JsonObject } from '../../../values/json.ts';
import { numberAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { Store } from '../../../store/store.ts';
import { CallFailure } from './call-failure.ts';
import { networkError } from './network-error.ts';
import { serverError } from './server-error.ts';
import { resolveService, type ServiceRoute } from './service-route.ts';
import type { Answer } from './webhook-answer.ts';

/**
 * Milliseconds after which an idle connection is closed, as in Go. Connections of a changed configuration are never
 * reused.
 */
const IDLE = 90_000;

interface Target extends ServiceRoute {
  /** The name that the certificate must contain; absent for an IP address. */
  readonly serverName: string | undefined;
}

export class WebhookEndpoint {
  readonly #store: Store;
  readonly #config: JsonObject;
  readonly #service: JsonObject | undefined;
  /** Host and port as written in the configuration. */
  readonly #authority: string;
  readonly #path: string;
  #agent: Agent | undefined;

  constructor(store: Store, config: JsonObject) {
    this.#store = store;
    this.#config = config;
    this.#service = objectAt(config, 'service');
    const [, authority = '', path = ''] = /^https:\/\/([^/?#]*)([^?#]*)/.exec(textAt(config, 'url')) ?? [];
    this.#authority = this.#service === undefined ? authority : authorityOf(this.#service);
    this.#path = (this.#service === undefined ? path : textAt(this.#service, 'path')) || '/';
  }

  /** Sends a review; throws a CallFailure on every failure. */
  async call(body: string, timeoutSeconds: number): Promise<Answer> {
    const path = `${this.#path}?timeout=${timeoutSeconds}s`;
    try {
      const { status, ...answer } = await this.#post(path, body, timeoutSeconds);
      if (status < 200 || status > 206)
        throw new CallFailure(`failed to call webhook: ${serverError(status, answer.text)}`);
      return answer;
    } catch (error) {
      if (error instanceof CallFailure) throw error;
      const url = JSON.stringify(`https://${this.#authority}${path}`);
      throw new CallFailure(
        `failed to call webhook: Post ${url}: ${networkError(error, splitAuthority(this.#authority).host)}`,
      );
    }
  }

  async #post(path: string, body: string, timeoutSeconds: number): Promise<Answer & { status: number }> {
    const target = this.#target();
    const options: RequestOptions = {
      method: 'POST',
      host: target.host,
      port: target.port,
      path,
      agent: (this.#agent ??= this.#createAgent()),
      headers: {
        host: this.#authority,
        accept: 'application/json, */*',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'kube-apiserver-admission',
      },
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      ...(target.serverName === undefined ? {} : { servername: target.serverName }),
    };
    return new Promise((resolve, reject) => {
      let reused = false;
      const outgoing = httpsRequest(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const contentType = answer.headers['content-type'] ?? '';
          resolve({ status: answer.statusCode ?? 0, contentType, text: Buffer.concat(chunks).toString('utf8') });
        });
        answer.on('error', reject);
      });
      outgoing.on('socket', (_socket: Socket) => (reused = outgoing.reusedSocket));
      outgoing.on('error', (error) => {
        // The server closed an idle connection just when it was reused: the webhook itself may be fine.
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
    return new Agent({
      keepAlive: true,
      timeout: IDLE,
      ALPNProtocols: ['http/1.1'],
      ...(ca === undefined ? {} : { ca }),
    });
  }

  #target(): Target {
    const { host, port } = splitAuthority(this.#authority);
    if (this.#service === undefined) return { host, port, serverName: isIP(host) === 0 ? host : undefined };
    return { ...resolveService(this.#store, this.#service, port), serverName: host };
  }
}

const authorityOf = (service: JsonObject): string =>
  `${textAt(service, 'name')}.${textAt(service, 'namespace')}.svc:${numberAt(service, 'port') || 443}`;

function splitAuthority(authority: string): ServiceRoute {
  const [, host = '', port = '443'] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
