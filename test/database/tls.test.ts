/** What each sslmode checks, as libpq does. */
import assert from 'node:assert/strict';
import { chownSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { openDatabase } from '../../packages/ssvirt/src/db/connection/database.ts';
import { tlsAdvice } from '../../packages/ssvirt/src/db/connection/errors.ts';
import { postgresAccount } from '../../packages/ssvirt/src/db/embedded/account.ts';
import { untilUpToDate } from '../../packages/ssvirt/src/db/schema/up-to-date.ts';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import { startTestDatabase } from './harness.ts';

test('sslmode says what is encrypted and what is checked', { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const [authority, other] = await Promise.all([createAuthority('right'), createAuthority('other')]);
  // For another name than the requested address.
  const server = await authority.issue({ commonName: 'db', dnsNames: ['db.example'], server: true });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    const account = postgresAccount();
    if (account !== undefined) chownSync(join(folder, name), account.uid, account.gid);
    return join(folder, name);
  };
  const ca = file('ca.pem', authority.certificate);
  const otherCa = file('other.pem', other.certificate);
  const { url, stop } = await startTestDatabase({
    settings: {
      ssl: 'on',
      ssl_cert_file: file('cert.pem', server.certificate),
      ssl_key_file: file('key.pem', server.key),
    },
  });
  t.after(stop);
  const cases: readonly (readonly [query: string, outcome: 'plain' | 'encrypted' | RegExp])[] = [
    ['', 'plain'],
    ['?sslmode=disable', 'plain'],
    ['?sslmode=require', 'encrypted'],
    [`?sslmode=require&sslrootcert=${otherCa}`, /certificate/],
    [`?sslmode=verify-ca&sslrootcert=${ca}`, 'encrypted'],
    [`?sslmode=verify-ca&sslrootcert=${otherCa}`, /certificate/],
    ['?sslmode=verify-ca', /certificate/],
    [`?sslmode=verify-full&sslrootcert=${ca}`, /does not match certificate's altnames/],
  ];
  for (const [query, outcome] of cases) {
    const { pool, close } = openDatabase({ url: `${url}${query}` });
    const answer = pool.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    if (outcome instanceof RegExp)
      await assert.rejects(answer, (error: Error) => {
        assert.match(error.message, outcome, query);
        assert.match(tlsAdvice(error) ?? '', /add sslrootcert=FILE/);
        return true;
      });
    else assert.equal((await answer).rows[0]?.ssl, outcome === 'encrypted', query);
    await close();
  }
});

test('a process stops with what to set if the server does not use TLS and must', { timeout: 60_000 }, async (t) => {
  const { url, stop } = await startTestDatabase();
  t.after(stop);
  const database = openDatabase({ url: `${url}?sslmode=verify-full` });
  t.after(() => database.close());
  const pause = (): Promise<void> => Promise.reject(new Error('it waits'));
  const started = untilUpToDate(database, { log: pino({ enabled: false }), signal: t.signal, pause });
  await assert.rejects(started, /^Error: cannot use the database: .*add sslmode=disable to database\.url/);
});
