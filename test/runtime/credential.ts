/** How a test reaches a server through the fault proxy: with the proxy's authority and a token that the test can change. */
import type { Connection, ConnectionSource } from '../../src/kube/connection.ts';
import type { FaultProxy } from './fault-proxy.ts';

export class Credential implements ConnectionSource {
  readonly #proxy: FaultProxy;
  #token: string;
  #ca: string;
  #connection: Connection;
  /** As an exec plugin does: asks for a new token when the old one is refused. */
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

  /** From now on with a new token. The old one is good until the proxy lets it expire. */
  renewToken(): void {
    this.#token = this.#proxy.issueToken();
    this.#connection = this.#connect();
  }

  /** Trusts these authorities from now on. */
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
