/** The settings of the API, out of the config. */
import { readFileSync } from 'node:fs';
import type { ApiSettings } from '../../api/settings.ts';
import type { Config } from '../../config/keys.ts';

export function apiSettings(api: Config['api']): ApiSettings {
  const { publicUrl, trustProxy } = api;
  return {
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.replace(/\/+$/, '') }),
    ...(trustProxy === undefined ? {} : { trustProxy }),
    siteName: api.siteName,
    sessionIdleMs: api.sessionIdleTimeout,
    sessionMaxMs: api.sessionMaxLifetime,
    accessTokenMs: api.accessTokenLifetime,
    loginFailures: api.loginFailures,
    consoles: {
      ticketMs: api.consoles.ticketLifetime,
      idleMs: api.consoles.idleTimeout,
      perUser: api.consoles.perUser,
    },
    defaultCluster: api.defaultCluster,
    version: ownVersion(),
  };
}

export function ownVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
