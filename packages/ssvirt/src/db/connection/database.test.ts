import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '@ssvirt/base/config/secret';
import { startTestDatabase } from '../../../../../test/database/harness.ts';
import { openDatabase } from './database.ts';

test('values come as what they are: bigint as a number, times as dates in UTC', async () => {
  const { database, stop } = await startTestDatabase();
  const { rows } = await database.pool.query(
    `SELECT 9007199254740991 AS big, '2026-01-02 03:04:05Z'::timestamptz AS at, current_setting('TimeZone') AS zone, 7::oid::int4 AS small`,
  );
  assert.deepEqual(rows, [{ big: 2 ** 53 - 1, at: new Date('2026-01-02T03:04:05Z'), zone: 'UTC', small: 7 }]);
  await assert.rejects(
    database.pool.query('SELECT 9007199254740993 AS big'),
    /cannot read the bigint 9007199254740993/,
  );
  assert.deepEqual((await database.pool.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
  await stop();
});

test('a password that is given apart wins, and neither shows', async () => {
  const { url, stop } = await startTestDatabase();
  const right = new URL(url).password;
  const wrongUrl = url.replace(right, 'hunter2');
  const good = openDatabase({ url: wrongUrl, password: new Secret(right) });
  assert.equal((await good.pool.query('SELECT 1')).rowCount, 1);
  for (const hidden of [right, 'hunter2']) assert.ok(!inspect(good, { depth: 8 }).includes(hidden));
  await good.close();
  const bad = openDatabase({ url: wrongUrl });
  await assert.rejects(bad.pool.query('SELECT 1'), (error) => {
    assert.match(String(error), /password authentication failed/);
    return !inspect(error, { depth: 8 }).includes('hunter2');
  });
  await bad.close();
  await stop();
});

test('a statement that takes too long is ended, and the database can be closed twice', async () => {
  const { url, stop } = await startTestDatabase();
  const { pool, close } = openDatabase({ url, statementTimeoutMs: 20 });
  await assert.rejects(pool.query('SELECT pg_sleep(30)'), { code: '57014' });
  await close();
  await close();
  await stop();
});
