/** The API's settings, taken from the configuration. */
import { defined } from '@ssvirt/base/values/defined';
import type { ApiSettings } from '../../api/settings.ts';
import { version } from '@ssvirt/base/config/version';
import type { Config } from '@ssvirt/base/config/keys';

export function apiSettings(api: Config['api']): ApiSettings {
  const { publicUrl, trustProxy } = api;
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
