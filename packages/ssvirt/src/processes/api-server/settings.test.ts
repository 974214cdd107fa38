/** What the API server refuses to start with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schema } from '@ssvirt/base/config/keys';
import { loadConfig } from '@ssvirt/base/config/load';
import { ConfigError } from '@ssvirt/base/config/setting';
import type { ApiSettings } from '../../api/settings.ts';
import { apiSettings } from './settings.ts';

function settingsOf(env: Readonly<Record<string, string>>): ApiSettings {
  return apiSettings(loadConfig(schema, { env }).config.api);
}

test('an API that others reach needs its URL, which links do not take from requests', () => {
  const publicUrl = 'https://cloud.example.org';
  for (const listen of [':8443', '0.0.0.0:8443', '192.0.2.7:8443', '[::]:8443']) {
    assert.throws(
      () => settingsOf({ SSVIRT_API_LISTEN: listen }),
      (error: unknown) =>
        error instanceof ConfigError &&
        /api\.publicUrl is not set: set it in the config file or in SSVIRT_API_PUBLIC_URL/.test(error.message),
    );
    assert.equal(
      settingsOf({ SSVIRT_API_LISTEN: listen, SSVIRT_API_PUBLIC_URL: `${publicUrl}/` }).publicUrl,
      publicUrl,
    );
  }
  for (const listen of ['127.0.0.1:8443', 'localhost:0', '[::1]:8443'])
    assert.equal(settingsOf({ SSVIRT_API_LISTEN: listen }).publicUrl, undefined);
});
