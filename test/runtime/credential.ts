/**
 * A test's credential for a server behind the fault proxy: the proxy's authority, and a token that the test can change.
 */
import type { Connection, ConnectionSource } from '../../packages/kube/src/connection.ts';
import type { FaultProxy } from './fault-proxy.ts';

export class Credential implements ConnectionSource {
  readonly #proxy: FaultProxy;
  #token: string;
  #ca: string;
  #connection: Connection;
  /** Behaves like an exec plugin: gets a new token when the old one is refused. */
  renewsWhenRefused = false;

  constructor(proxy: FaultProxy) {
    this.#proxy = proxy;
    this.#token = proxy.issueToken();
    this.#ca = proxy.ca;
    this.#connection = this.#connect();
  }

  get token(): string {
    return this.#token;
  }

  /** Switches to a new token. The old one stays valid until the proxy expires it. */
  renewToken(): void {
    this.#token = this.#proxy.issueToken();
    this.#connection = this.#connect();
  }

  /** Trusts only these authorities from now on. */
  trust(...authorities: readonly string[]): void {
    this.#ca = authorities.join('\n');
    this.#connection = this.#connect();
  }

  current(): Promise<Connection> {
    return Promise.resolve(this.#connection);
  }

  refused(connection: Connection): Promise<boolean> {
    if (this.renewsWhenRefused && connection === this.#connection) this.renewToken();
    return Promise.resolve(connection !== this.#connection);
  }

  #connect(): Connection {
    return {
      server: this.#proxy.url,
      tls: { ca: this.#ca },
      headers: { authorization: `Bearer ${this.#token}` },
    };
  }
}
