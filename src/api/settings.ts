/** The settings that the API reads; process and tests fill them from the config. */
import type { StreamLimits } from './events/streams.ts';
import type { ConsoleSettings } from './console/settings.ts';
import type { PasswordCost } from './passwords/argon2id.ts';

export interface ApiSettings {
  /** `https://HOST:PORT` as callers reach it, without a slash at the end: it stands in links and in /api/versions. Taken from the request where absent. */
  readonly publicUrl?: string;
  readonly siteName: string;
  readonly sessionIdleMs: number;
  /** A session ends after this whatever is done in it. */
  readonly sessionMaxMs: number;
  /** The life of an access token that an API token is exchanged for. */
  readonly accessTokenMs: number;
  /** After so many failures in a row a name is made to wait where they came from; after ten times as many the name everywhere, and the address with every name. */
  readonly loginFailures: number;
  /** The member of the fleet for virtual data centers that name none. */
  readonly defaultCluster: string;
  readonly version: string;
  /** Behind which X-Forwarded-For is believed; nothing is unless said. */
  readonly trustProxy?: string;
  /** Those of events/streams.ts unless said. */
  readonly eventStreams?: Partial<StreamLimits>;
  /** Those of console/settings.ts unless said. */
  readonly consoles?: Partial<ConsoleSettings>;
  /** For tests, which make many passwords that nobody needs to guess; OWASP's advice unless said. */
  readonly passwordCost?: PasswordCost;
}
