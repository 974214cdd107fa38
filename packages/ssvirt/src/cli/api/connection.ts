/** Requests to one server, and messages for failures before there is a response. */
import { defined } from '@ssvirt/base/values/defined';
import { readFileSync } from 'node:fs';
import { Agent, request, type Dispatcher } from 'undici';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

export interface Server {
  readonly url: string;
  /** A file name. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /**
   * A stream sends something every 15 seconds. A response takes at most a minute, or a little more if the request
   * waits.
   */
  readonly isStream?: boolean;
}

const answerMs = 90_000;
const silenceMs = 60_000;

/** `trust` returns the TLS options for requests and for websockets. */
export function trust({ ca, insecure }: Server): { readonly ca?: string; readonly rejectUnauthorized: boolean } {
  return { rejectUnauthorized: insecure !== true, ...(ca === undefined ? {} : { ca: caText(ca) }) };
}

function caText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliFailure(
      `cannot read the CA certificates in ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}.`,
      exitCodes.usage,
    );
  }
}

export class Connection {
  readonly server: Server;
  readonly #agent: Agent;

  constructor(server: Server) {
    this.server = server;
    this.#agent = new Agent({ connect: { ...trust(server), timeout: 10_000 }, headersTimeout: answerMs });
  }

  async send({ method, path, headers = {}, body, signal, isStream }: Outgoing): Promise<Dispatcher.ResponseData> {
    try {
      return await request(`${this.server.url}${path}`, {
        dispatcher: this.#agent,
        method,
        headers: { accept: 'application/json', 'user-agent': 'ssvirt-cli', ...headers },
        bodyTimeout: isStream === true ? silenceMs : answerMs,
        ...defined({ body, signal }),
      });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw unreachable(this.server, error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
]);

/** `unreachable` explains why there is no response, and what to do. */
export function unreachable({ url, ca }: Server, error: unknown): CliFailure {
  const { code = '', message } = error as { readonly code?: string; readonly message: string };
  const fail = (text: string): CliFailure => new CliFailure(text, exitCodes.unavailable);
  if (untrusted.has(code))
    return fail(
      ca === undefined
        ? `the certificate of ${url} is not signed by a trusted authority (${code}): give its CA certificate with SSVIRT_CA=FILE or "ssvirt login --ca FILE".`
        : `the certificate of ${url} is not signed by the authority in ${ca} (${code}): give the right file with SSVIRT_CA=FILE or "ssvirt login --ca FILE".`,
    );
  if (code === 'CERT_HAS_EXPIRED') return fail(`the certificate of ${url} has expired: tell the provider.`);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return fail(`the certificate of ${url} is for another name (${message}): use a name in the certificate.`);
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return fail(`${url} does not speak HTTPS: check the address and the port.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fail(`cannot resolve ${new URL(url).hostname}: check the address.`);
  if (code === 'ECONNREFUSED')
    return fail(`connection refused by ${url}: check the address and that the server is running.`);
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')
    return fail(
      `the connection to ${url} was lost before the response arrived; the request may have taken effect, see "ssvirt task list".`,
    );
  return fail(`cannot reach ${url}: ${code === '' ? message : code}.`);
}
