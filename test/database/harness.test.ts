import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestDatabase } from './harness.ts';

test('each call gives a migrated database of its own, on one server, unless it asks for one of its own', async () => {
  const [one, other, own] = await Promise.all([
    startTestDatabase(),
    startTestDatabase(),
    startTestDatabase({ ownServer: true }),
  ]);
  await one.database.pool.query(`INSERT INTO organizations (name) VALUES ('acme')`);
  const count = async (pool: typeof one.database.pool): Promise<number> =>
    (await pool.query<{ count: number }>(`SELECT count(*) FROM organizations WHERE name = 'acme'`)).rows[0]?.count ??
    NaN;
  assert.equal(await count(one.database.pool), 1);
  assert.equal(await count(other.database.pool), 0);
  assert.equal(one.postgres, other.postgres);
  assert.notEqual(one.postgres.port, own.postgres.port);
  await Promise.all([one.stop(), other.stop(), own.stop()]);
});
