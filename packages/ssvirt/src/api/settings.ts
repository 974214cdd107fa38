/** The settings of the API; process and tests fill them from the configuration. */
import type { StreamLimits } from './events/streams.ts';
import type { ConsoleSettings } from './console/settings.ts';
import type { PasswordCost } from './auth/passwords/argon2id.ts';

export interface ApiSettings {
  /**
   * `https://HOST:PORT` as clients reach it, without a trailing slash: used in links and in /api/versions. Default:
   * taken from the request.
   */
  readonly publicUrl?: string;
  readonly siteName: string;
  readonly sessionIdleMs: number;
  /** A session ends after this time, used or not. */
  readonly sessionMaxMs: number;
  /** The lifetime of an access token that an API token is exchanged for. */
  readonly accessTokenMs: number;
  /** The longest lifetime of a new API token. Default: no end. */
  readonly apiTokenMaxMs?: number;
  /**
   * After this many failures in a row a name must wait at the address they came from; after ten times as many the name
   * must wait wherever it has not logged in before, and the address with every name.
   */
  readonly loginFailures: number;
  /** The cluster for virtual data centers that name none. */
  readonly defaultCluster: string;
  readonly version: string;
  /** Proxies whose X-Forwarded-For is trusted. Default: none. */
  readonly trustProxy?: string;
  /** Default: those of events/streams.ts. */
  readonly eventStreams?: Partial<StreamLimits>;
  /** Default: those of console/settings.ts. */
  readonly consoles?: Partial<ConsoleSettings>;
  /** For tests, which hash many passwords. Default: OWASP's recommendation. */
  readonly passwordCost?: PasswordCost;
}
