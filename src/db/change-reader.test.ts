import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestDatabase } from '../../test/database/harness.ts';
import { until } from '../../test/runtime/until.ts';
import { positionNow, readChanges } from './change-reader.ts';

test('nothing is read of a transaction before all that began earlier have ended', async (t) => {
  const { database, stop } = await startTestDatabase();
  t.after(stop);
  const { pool } = database;
  const from = await positionNow(pool);
  const slow = await pool.connect();
  await slow.query('BEGIN');
  await slow.query(`INSERT INTO organizations (name) VALUES ('slow')`);
  await pool.query(`INSERT INTO organizations (name) VALUES ('quick')`);
  const early = await readChanges(pool, from);
  assert.deepEqual([early.changes, early.isWaiting], [[], true]);
  await slow.query('COMMIT');
  slow.release();
  // Others have transactions, too: a vacuum, say.
  await until('both are read', async () => (await readChanges(pool, early.next)).changes.length === 2);
});

test('a look that has reached its limit says where to go on', async (t) => {
  const { database, stop } = await startTestDatabase();
  t.after(stop);
  const { pool } = database;
  const from = await positionNow(pool);
  await pool.query(`INSERT INTO organizations (name) VALUES ('a'), ('b'), ('c')`);
  await until('all are below the horizon', async () => (await readChanges(pool, from)).changes.length === 3);
  const first = await readChanges(pool, from, { limit: 2 });
  const rest = await readChanges(pool, first.next, { limit: 2 });
  assert.deepEqual([first.hasMore, rest.hasMore], [true, false]);
  assert.equal(new Set([...first.changes, ...rest.changes].map(({ entityId }) => entityId)).size, 3);
});
