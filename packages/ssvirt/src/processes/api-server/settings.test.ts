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

const database = 'postgres://ssvirt:hunter2@db.example.org:5432/ssvirt';
const publicUrl = 'https://cloud.example.org';
const certificate = {
  SSVIRT_API_TLS_CERT_FILE: '/secrets/tls/tls.crt',
  SSVIRT_API_TLS_KEY_FILE: '/secrets/tls/tls.key',
};
type Env = Readonly<Record<string, string>>;
/** Without `stops`, it starts; `tls` is what it then checks of the database. */
const configurations: readonly {
  readonly name: string;
  readonly env: Env;
  readonly flags?: Env;
  readonly tls?: string;
  readonly stops?: RegExp;
}[] = [
  {
    name: 'behind an Ingress, with sslmode=verify-full',
    env: { SSVIRT_DATABASE_URL: `${database}?sslmode=verify-full`, SSVIRT_API_PUBLIC_URL: publicUrl },
    tls: 'authority and name',
  },
  {
    name: 'without sslmode, which was no encryption',
    env: { SSVIRT_DATABASE_URL: database, SSVIRT_API_PUBLIC_URL: publicUrl },
    tls: 'authority and name',
  },
  {
    name: 'with sslmode=disable',
    env: { SSVIRT_DATABASE_URL: `${database}?sslmode=disable`, SSVIRT_API_PUBLIC_URL: publicUrl },
  },
  {
    name: 'on one machine, with --database-url',
    env: { SSVIRT_API_LISTEN: '127.0.0.1:8443' },
    flags: { 'database.url': 'postgres://ssvirt:hunter2@127.0.0.1:5432/ssvirt' },
  },
  {
    name: 'with --database-url of another machine',
    env: { SSVIRT_API_PUBLIC_URL: publicUrl },
    flags: { 'database.url': `${database}?sslmode=verify-full` },
    stops: /--database-url: database\.url: .*process list: write it to the config file, or set SSVIRT_DATABASE_URL$/,
  },
  {
    name: 'without api.publicUrl',
    env: { SSVIRT_DATABASE_URL: `${database}?sslmode=verify-full` },
    stops: /^api\.publicUrl is not set: set it in the config file or in SSVIRT_API_PUBLIC_URL to the URL of the API/,
  },
];

// test/database/tls.test.ts has the sentence of a process whose database does not use TLS.
for (const { name, env, flags = {}, tls, stops } of configurations)
  test(`a configuration of 0.1.0 ${name} ${stops === undefined ? 'starts' : 'stops and says what to set'}`, () => {
    const start = (): string | undefined => {
      const { config } = loadConfig(schema, { process: 'api-server', env: { ...certificate, ...env }, flags });
      apiSettings(config.api);
      return config.database.url?.tls?.check;
    };
    if (stops === undefined) assert.equal(start(), tls);
    else
      assert.throws(start, (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.equal(error.problems.length, 1);
        assert.match(error.problems[0] ?? '', stops);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      });
  });
