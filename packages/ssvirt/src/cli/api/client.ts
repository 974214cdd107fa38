/** `ApiClient` sends requests as one user: it renews the session if possible, and turns refusals into sentences. */
import { createApiClient, type TypedClient } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { Connection, type Outgoing } from './connection.ts';
import { parsed, refusalOf } from './refusal.ts';
import { notLoggedIn, type Target } from './target.ts';
import { newApiToken, sessionOf, type NewApiToken } from './token-grant.ts';

export class ApiClient {
  readonly connection: Connection;
  /** The operations of the API. A refusal is thrown, so that every answer has data (see data-of.ts). */
  readonly api: TypedClient;
  readonly #target: Target;
  #token: string | undefined;
  /** The organization that a system administrator acts for. */
  #tenant: string | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#token = target.token;
    this.connection = new Connection(target.server);
    this.api = createApiClient(target.server.url, (request) => this.#fetch(request));
    this.api.use({ onRequest: ({ params }) => checkSegments(params.path) });
  }

  lookAs(organization: string): void {
    this.#tenant = organization;
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

  /** Of the session's user; resolves to undefined if the server hands out none. */
  async newApiToken(asked: NewApiToken): Promise<{ readonly id: string; readonly secret: string } | undefined> {
    if (this.#token === undefined) await this.#renew();
    return newApiToken(this.connection, { ...asked, token: this.#token ?? '' });
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  async #fetch(request: Request): Promise<Response> {
    const path = request.url.slice(this.connection.server.url.length);
    const { statusCode, headers, body } = await this.open({
      method: request.method as Outgoing['method'],
      path,
      headers: Object.fromEntries(request.headers),
      ...(request.body === null ? {} : { body: await request.text() }),
    });
    const text = await body.text();
    if (statusCode === 204) return new Response(null, { status: statusCode });
    if (parsed(text) === undefined)
      throw new CliFailure(
        `${this.connection.server.url} answered ${request.method} ${path} with something other than JSON (${String(headers['content-type'] ?? 'no content type')}): check the address, and the proxy before the server.`,
        exitCodes.failed,
      );
    return new Response(text, { status: statusCode });
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

/** URLs resolve these segments, whatever their encoding, so the request would go to another path. */
function checkSegments(segments: Readonly<Record<string, unknown>> = {}): void {
  for (const [name, value] of Object.entries(segments))
    if (value === '' || value === '.' || value === '..')
      throw new CliFailure(`the ${name} must not be empty, "." or ".."; it is "${value}".`, exitCodes.usage);
}
