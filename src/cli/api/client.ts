/** The API as one person sees it: with a session that is renewed where it can be, and refusals as sentences. */
import { Connection, type Outgoing } from './connection.ts';
import { parsed, refusalOf } from './refusal.ts';
import { notLoggedIn, type Target } from './target.ts';
import { sessionOf } from './token-grant.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Asking {
  readonly body?: object;
  /** For the server to wait for what it starts, so that small things come back finished. */
  readonly waitSeconds?: number;
}

export class ApiClient {
  readonly connection: Connection;
  readonly #target: Target;
  #token: string | undefined;
  /** The organization whose eyes a system administrator looks through. */
  #tenant: string | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#token = target.token;
    this.connection = new Connection(target.server);
  }

  lookAs(organization: string): void {
    this.#tenant = organization;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.ask('GET', path)).body as T;
  }

  async ask(method: Outgoing['method'], path: string, { body, waitSeconds }: Asking = {}): Promise<Answer> {
    const response = await this.open({
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
      },
    });
    return { status: response.statusCode, body: parsed(await response.body.text()) };
  }

  /** The answer with its body still to be read; refusals are thrown. */
  async open(outgoing: Outgoing): Promise<Awaited<ReturnType<Connection['send']>>> {
    if (this.#token === undefined) await this.#renew();
    let response = await this.#send(outgoing);
    if (response.statusCode === 401) {
      await response.body.dump();
      await this.#renew();
      response = await this.#send(outgoing);
    }
    if (response.statusCode < 400) return response;
    throw refusalOf(response.statusCode, await response.body.text());
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  #send(outgoing: Outgoing): ReturnType<Connection['send']> {
    const headers = {
      ...outgoing.headers,
      authorization: `Bearer ${this.#token ?? ''}`,
      ...(this.#tenant === undefined ? {} : { 'x-vmware-vcloud-tenant-context': this.#tenant }),
    };
    return this.connection.send({ ...outgoing, headers });
  }

  async #renew(): Promise<void> {
    const { renewal, logIn, server } = this.#target;
    const had = this.#token !== undefined;
    if (renewal === undefined)
      throw notLoggedIn(
        had
          ? `your session at ${server.url} has ended: "${logIn}".`
          : `you are not logged in to ${server.url}: "${logIn}".`,
      );
    const token = await sessionOf(this.connection, renewal);
    if (token === undefined)
      throw notLoggedIn(
        `your API token is not taken any more at ${server.url}; it was revoked or has expired: "${logIn}".`,
      );
    this.#token = token;
    renewal.keep(token);
  }
}
