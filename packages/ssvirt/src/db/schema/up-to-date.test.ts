import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase } from '../../../../../test/database/harness.ts';
import { inDatabase } from '../../../../../test/database/prepared.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { openConnections } from '../connection/connections.ts';
import { openDatabase } from '../connection/database.ts';
import { migrate } from './migrate.ts';
import { migrations } from '../migrations/index.ts';
import { newestMigration } from '../migrations/newest.ts';
import { untilUpToDate } from './up-to-date.ts';

test('a migration may take longer than the process lets its other statements take', async (t) => {
  const limitMs = 300;
  const harness = await startTestDatabase();
  await harness.database.pool.query('CREATE DATABASE slow');
  const url = inDatabase(harness.url, 'slow');
  const watching = openDatabase({ url, idleInTransactionMs: 120_000 });
  const process = openConnections({ url, statementTimeoutMs: limitMs, applicationName: 'the process' });
  const end = new AbortController();
  const holder = watching.client();
  t.after(async () => {
    end.abort();
    await holder.end();
    await Promise.all([watching.close(), process.close()]);
    await harness.stop();
  });
  await migrate(watching, Object.fromEntries(Object.entries(migrations).slice(0, 1)));

  // Like a statement with much work: it waits for this lock.
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE vdcs');
  const done = untilUpToDate(process, { log: pino({ enabled: false }), signal: end.signal, pause: () => sleep(10) });
  await until('its statement has taken longer than its limit', async () => {
    const { rowCount } = await watching.pool.query(
      `SELECT FROM pg_stat_activity WHERE application_name = 'the process' AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > $1 * interval '1 ms'`,
      [2 * limitMs],
    );
    return rowCount === 1;
  });
  await holder.query('COMMIT');
  await done;
  const { rows } = await watching.pool.query('SELECT max(name) AS newest FROM kysely_migration');
  assert.deepEqual(rows, [{ newest: newestMigration }]);
});
