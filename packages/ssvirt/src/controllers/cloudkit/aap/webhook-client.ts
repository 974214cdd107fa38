/**
 * `WebhookClient` sends the POST requests to AAP. Each uses a new connection: calls are rare, and a kept connection
 * that AAP has closed would look like a failure of AAP. The token and CA files are read for each call, so that a
 * rotated one is used at once.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { systemClock, type Clock } from '@ssvirt/kube/clock';
import { Deadline } from '@ssvirt/kube/transport/deadline';
import { createPool } from '@ssvirt/kube/transport/undici';
import { brokenBy, refusedBy, shownAnswer, shownUrl, WebhookError } from './webhook-error.ts';

export interface WebhookSettings {
  readonly timeoutMs: number;
  /** A file with a bearer token. Without it, user and password of the URL are sent as Basic authentication. */
  readonly tokenFile?: string;
  /** In PEM. The default is the trust store of the process. */
  readonly caFile?: string;
  readonly insecureSkipVerify?: boolean;
}

/** The body of an answer is not needed. It is read only so that AAP can finish writing it. */
const mostBytes = 64 * 1024;
const bodyMs = 1000;

export class WebhookClient {
  readonly #settings: WebhookSettings;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(settings: WebhookSettings, log: Logger, clock: Clock = systemClock) {
    this.#settings = settings;
    this.#clock = clock;
    if (settings.insecureSkipVerify === true)
      log.warn('certificate of AAP is not verified, cloudkit.aap.insecureSkipVerify is set');
  }

  /** Resolves when AAP has accepted (2xx); rejects with a `WebhookError`. */
  async post(to: URL, body: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void> {
    const deadline = new Deadline(this.#clock, this.#settings.timeoutMs, signal, this.#closing.signal);
    let pool: Dispatcher | undefined;
    try {
      const authorization = await this.#authorization(to);
      pool = await this.#connect(to);
      const sent = pool.request({
        path: `${to.pathname}${to.search}`,
        method: 'POST',
        headers: { ...headers, ...authorization, 'content-type': 'application/json' },
        body,
        reset: true,
        signal: deadline.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      // undici ignores the signal while it connects. A later rejection has no handler.
      sent.catch(() => undefined);
      const answer = await deadline.race(sent);
      const words = await this.#drain(answer.body, deadline.signal);
      if (answer.statusCode < 200 || answer.statusCode > 299)
        throw refusedBy(shownUrl(to), answer.statusCode, shownAnswer(words, secretsOf(to, authorization)));
    } catch (error) {
      throw this.#webhookError(error, to, deadline);
    } finally {
      deadline.release();
      await pool?.destroy().catch(() => undefined);
    }
  }

  close(): void {
    this.#closing.abort();
  }

  #webhookError(error: unknown, to: URL, { endedBy }: Deadline): WebhookError {
    if (error instanceof WebhookError) return error;
    const shown = shownUrl(to);
    if (endedBy === 'caller') return new WebhookError('Aborted', `the call to AAP at ${shown} was aborted`);
    if (endedBy === 'deadline')
      return new WebhookError('Timeout', `AAP at ${shown} has not answered within ${this.#settings.timeoutMs} ms`);
    return brokenBy(shown, error);
  }

  async #authorization(to: URL): Promise<Readonly<Record<string, string>>> {
    const { tokenFile } = this.#settings;
    if (tokenFile !== undefined) {
      const token = (await read('cloudkit.aap.tokenFile', tokenFile)).trim();
      if (!/^[\x21-\x7e]+$/.test(token))
        throw new WebhookError('Settings', 'the file that cloudkit.aap.tokenFile names holds no token');
      return { authorization: `Bearer ${token}` };
    }
    if (to.username === '' && to.password === '') return {};
    const pair = `${decoded(to.username)}:${decoded(to.password)}`;
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  }

  async #connect(to: URL): Promise<Dispatcher> {
    const tls = to.protocol === 'https:' ? await this.#tls() : {};
    return createPool(to.origin, { connections: 1, connect: { ...tls, timeout: this.#settings.timeoutMs } });
  }

  async #tls(): Promise<object> {
    const { caFile, insecureSkipVerify } = this.#settings;
    const rejectUnauthorized = insecureSkipVerify !== true;
    if (caFile === undefined) return { rejectUnauthorized };
    const ca = await read('cloudkit.aap.caFile', caFile);
    try {
      // `createSecureContext` accepts any text and then trusts no certificate. `X509Certificate` throws.
      const { ca: isAuthority } = new X509Certificate(ca);
      return {
        rejectUnauthorized,
        secureContext: createSecureContext(isAuthority ? { ca } : { ca, allowPartialTrustChain: true }),
      };
    } catch {
      throw new WebhookError('Settings', 'the file that cloudkit.aap.caFile names holds no certificate in PEM');
    }
  }

  /** Returns the beginning of the body. Never rejects: without a body, the status line has to do. */
  async #drain(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<string> {
    const deadline = new Deadline(this.#clock, bodyMs, signal);
    const chunks: Buffer[] = [];
    try {
      let bytes = 0;
      const all = (async (): Promise<void> => {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          chunks.push(chunk);
          if ((bytes += chunk.length) > mostBytes) return;
        }
      })();
      all.catch(() => undefined);
      await deadline.race(all);
    } catch {
      // The body was cut off, or is endless.
    } finally {
      deadline.release();
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

/** What an answer of AAP must not show although AAP repeats it. */
function secretsOf(to: URL, { authorization = '' }: Readonly<Record<string, string>>): readonly string[] {
  const [, credentials = ''] = authorization.split(' ');
  return [credentials, decoded(to.password), to.password];
}

/** A URL may contain a percent sign that is not an escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function read(key: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new WebhookError('Settings', `the file that ${key} names cannot be read (${code})`);
  }
}
