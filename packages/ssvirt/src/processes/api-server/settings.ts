/** The API's settings, taken from the configuration. */
import { defined } from '@ssvirt/base/values/defined';
import type { ApiSettings } from '../../api/settings.ts';
import { version } from '@ssvirt/base/config/version';
import { isLoopback } from '@ssvirt/base/config/address';
import { ConfigError } from '@ssvirt/base/config/setting';
import type { Config } from '@ssvirt/base/config/keys';

/** `apiSettings` throws ConfigError if links would follow the Host header of requests from other machines. */
export function apiSettings(api: Config['api']): ApiSettings {
  const { publicUrl, trustProxy } = api;
  if (publicUrl === undefined && !isLoopback(api.listen))
    throw new ConfigError([
      'api.publicUrl is not set: set it in the config file or in SSVIRT_API_PUBLIC_URL to the URL of the API for clients, such as https://cloud.example.org; without it, the API listens only on a loopback address (api.listen)',
    ]);
  return {
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.replace(/\/+$/, '') }),
    ...defined({ trustProxy }),
    siteName: api.siteName,
    sessionIdleMs: api.sessionIdleTimeout,
    sessionMaxMs: api.sessionMaxLifetime,
    accessTokenMs: api.accessTokenLifetime,
    ...defined({ apiTokenMaxMs: api.apiTokenMaxLifetime }),
    loginFailures: api.loginFailures,
    consoles: {
      ticketMs: api.consoles.ticketLifetime,
      idleMs: api.consoles.idleTimeout,
      perUser: api.consoles.perUser,
    },
    defaultCluster: api.defaultCluster,
    version,
  };
}
