/** The API server as a separate process, as in production: with a certificate, a database and a cluster. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';
import { createAuthority, type Authority } from '../../packages/base/src/tls/authority.ts';
import { freePorts } from '../cluster/ports.ts';

export const command = resolve(import.meta.dirname, '../../bin/ssvirt');

/** The files of the process, in a folder. */
export interface Certificates {
  readonly authority: Authority;
  readonly certFile: string;
  readonly keyFile: string;
  /** Writes another certificate into the same files. */
  renew(): Promise<void>;
}

export async function makeCertificates(folder: string): Promise<Certificates> {
  const authority = await createAuthority('test');
  const certFile = join(folder, 'tls.crt');
  const keyFile = join(folder, 'tls.key');
  const renew = async (): Promise<void> => {
    const { certificate, key } = await authority.issue({
      commonName: 'localhost',
      server: true,
      addresses: ['127.0.0.1'],
    });
    writeFileSync(certFile, certificate);
    writeFileSync(keyFile, key, { mode: 0o600 });
  };
  await renew();
  return { authority, certFile, keyFile, renew };
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/**
 * How many clusters the process does not reach, from its answer to `/readyz`, whether or not a vm-controller follows
 * them.
 */
export function unavailableClusters({ body }: Told): number {
  return (body['services'] as { readonly clusters: { readonly unavailable: number } }).clusters.unavailable;
}

/** Sends requests to one API by HTTPS, and trusts one authority. */
export class Caller {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, ca: string) {
    this.#url = url;
    this.#agent = new Agent({ connect: { ca } });
  }

  async ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { headers = {}, body }: Asked = {},
  ): Promise<Told> {
    const answer = await request(`${this.#url}${path}`, {
      dispatcher: this.#agent,
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Told['body'],
    };
  }

  /** The header of a new session. */
  async logIn(login: string, password: string): Promise<{ readonly authorization: string }> {
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const { status, headers, body } = await this.ask('POST', '/cloudapi/1.0.0/sessions/provider', {
      headers: { authorization },
    });
    if (status !== 200) throw new Error(`cannot log in: ${status} ${String(body['message'])}`);
    return { authorization: `Bearer ${String(headers['x-vmware-vcloud-access-token'])}` };
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

export interface ApiServerProcess {
  readonly port: number;
  readonly caller: Caller;
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

export interface ApiServerSetup {
  readonly certificates: Certificates;
  readonly kubeconfig: string;
  readonly databaseUrl: string;
  readonly passwordFile: string;
}

export async function startApiServer(setup: ApiServerSetup): Promise<ApiServerProcess> {
  const [port = 0] = await freePorts(1);
  const { certificates, kubeconfig, databaseUrl, passwordFile } = setup;
  const flags = {
    listen: `127.0.0.1:${port}`,
    kubeconfig,
    'tls-cert-file': certificates.certFile,
    'tls-key-file': certificates.keyFile,
    'initial-admin-password-file': passwordFile,
    'metrics-addr': '127.0.0.1:0',
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(command, ['api-server', ...args], {
    env: { PATH, NODE_COMPILE_CACHE, SSVIRT_DATABASE_URL: databaseUrl, SSVIRT_IMAGES_ALLOWED_HOSTS: '*' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exited = once(child, 'exit');
  const caller = new Caller(`https://127.0.0.1:${port}`, certificates.authority.certificate);
  return {
    port,
    caller,
    child,
    exited,
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
      await caller.close();
    },
  };
}
