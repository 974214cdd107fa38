/** The API as a tenant and the provider use it; an unexpected answer is reported verbatim. */
import { defined } from '@ssvirt/base/values/defined';
import type { Caller, Told } from '../processes/api-server.ts';
import { StoryError } from './wait.ts';

export class TenantApi {
  readonly #caller: Caller;
  readonly #authorization: string;

  private constructor(caller: Caller, authorization: string) {
    this.#caller = caller;
    this.#authorization = authorization;
  }

  /** `login` is USER@ORGANIZATION; users of the provider log in at their own path. */
  static async logIn(caller: Caller, login: string, password: string): Promise<TenantApi> {
    const path = `/cloudapi/1.0.0/sessions${login.endsWith('@System') ? '/provider' : ''}`;
    const basic = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const { status, headers, body } = await caller.ask('POST', path, { headers: { authorization: basic } });
    if (status !== 200) throw refused(`log in as ${login}`, status, body);
    return new TenantApi(caller, `Bearer ${String(headers['x-vmware-vcloud-access-token'])}`);
  }

  async ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Told['body']> {
    return (await this.#send(method, path, body)).body;
  }

  async #send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Told> {
    const answer = await this.#caller.ask(method, path, {
      headers: { authorization: this.#authorization, accept: 'application/json' },
      ...defined({ body }),
    });
    if (answer.status >= 400) throw refused(`${method} ${path}`, answer.status, answer.body);
    return answer;
  }

  /** Requests an action with a task. Resolves to the path of the task, or to undefined if there was nothing to do. */
  async start(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<string | undefined> {
    const answer = await this.#send(method, path, body);
    const location = answer.headers['location'];
    return typeof location === 'string' ? new URL(location, 'https://unused.invalid').pathname : undefined;
  }

  /** The first of a list, by a filter. */
  async first(list: string, filter: string): Promise<Told['body'] | undefined> {
    const { values } = await this.ask('GET', `${list}?filter=${encodeURIComponent(filter)}`);
    return (values as readonly Told['body'][])[0];
  }
}

function refused(what: string, status: number, body: Told['body']): StoryError {
  return new StoryError(`cannot ${what}: the API answers ${status}: ${String(body['message'] ?? 'nothing')}`);
}
