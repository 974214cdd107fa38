/** Calls the local API as a person would. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

export interface CallerAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const deadlineMs = 60_000;

export class ApiCaller {
  readonly #url: string;
  readonly #agent: Agent;
  #token: string | undefined;

  constructor(url: string, caFile: string) {
    this.#url = url;
    this.#agent = new Agent({ connect: { ca: readFileSync(caFile, 'utf8') } });
  }

  async isReady(): Promise<boolean> {
    try {
      return (await this.#send('GET', '/readyz', {})).status === 200;
    } catch (error) {
      if (isNotThere(error)) return false;
      throw error;
    }
  }

  /** `login` is USER@ORGANIZATION. Resolves to false when the password was changed. */
  async logIn(login: string, password: string): Promise<boolean> {
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const sessions = `/cloudapi/1.0.0/sessions${login.endsWith('@System') ? '/provider' : ''}`;
    const { status, headers, body } = await this.#send('POST', sessions, { authorization });
    const token = headers['x-vmware-vcloud-access-token'];
    if (status === 401) return false;
    if (status !== 200 || typeof token !== 'string') throw failure('log in', status, body);
    this.#token = token;
    return true;
  }

  async logOut(): Promise<void> {
    await this.ask('DELETE', '/cloudapi/1.0.0/sessions/current');
    this.#token = undefined;
  }

  async get(path: string): Promise<CallerAnswer['body']> {
    const { status, body } = await this.ask('GET', path);
    if (status !== 200) throw failure(`get ${path}`, status, body);
    return body;
  }

  /** Waits until an operation that takes a moment is done. */
  async post(path: string, body: object): Promise<CallerAnswer['body']> {
    const answer = await this.ask('POST', path, body);
    if (answer.status >= 300) throw failure(`post to ${path}`, answer.status, answer.body);
    return answer.body;
  }

  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<CallerAnswer> {
    return this.#send(
      method,
      path,
      {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json', prefer: 'wait=30' }),
      },
      body,
    );
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<CallerAnswer & { readonly headers: Readonly<Record<string, unknown>> }> {
    const answer = await request(`${this.#url}${path}`, {
      dispatcher: this.#agent,
      method,
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(deadlineMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, body: parsed(text) };
  }
}

/** The API does not listen yet or is stopping. A certificate that is not trusted is another error. */
function isNotThere(error: unknown): boolean {
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code ?? '') || name === 'TimeoutError';
}

function parsed(text: string): CallerAnswer['body'] {
  try {
    return JSON.parse(text) as CallerAnswer['body'];
  } catch {
    return {};
  }
}

function failure(what: string, status: number, { message }: CallerAnswer['body']): Error {
  return new Error(`cannot ${what}: the API answered ${status}: ${String(message ?? 'nothing')}`);
}
