/** `ApiClient` sends requests as one user: it renews the session if possible, and turns refusals into sentences. */
import { defined } from '@ssvirt/base/values/defined';
import { Connection, type Outgoing } from './connection.ts';
import { parsed, refusalOf } from './refusal.ts';
import { notLoggedIn, type Target } from './target.ts';
import { sessionOf } from './token-grant.ts';

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface Asking {
  readonly body?: object;
  /**
   * Asks the server to wait this long for the task that it starts, so that short tasks are already done in the
   * response.
   */
  readonly waitSeconds?: number;
}

export class ApiClient {
  readonly connection: Connection;
  readonly #target: Target;
  #token: string | undefined;
  /** The organization that a system administrator acts for. */
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

  async ask(method: Outgoing['method'], path: string, { body, waitSeconds }: Asking = {}): Promise<ApiResponse> {
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

  /** Resolves to the response with its body unread; throws if the server refuses. */
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
      ...defined({ 'x-vmware-vcloud-tenant-context': this.#tenant }),
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
      throw notLoggedIn(`the API token was rejected by ${server.url}; it was revoked or has expired: "${logIn}".`);
    this.#token = token;
    renewal.keep(token);
  }
}
