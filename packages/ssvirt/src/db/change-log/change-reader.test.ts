import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase } from '../../../../../test/database/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { positionNow, readChanges } from './change-reader.ts';
import { untilUpToDate } from '../schema/up-to-date.ts';

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
  // Other processes have transactions too, such as a vacuum.
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

test('a log that came with a dump, out of a server that has counted further, starts over when a process starts', async (t) => {
  const { database, stop } = await startTestDatabase();
  t.after(stop);
  const { pool } = database;
  const entity = '10000000-0000-4000-8000-000000000001';
  const old = { transaction: '4000000000', sequence: 7 };
  await pool.query(`UPDATE change_log_purged SET transaction = '3999999999', sequence = 5`);
  await pool.query(
    `INSERT INTO change_log (transaction, kind, operation, entity_id) VALUES ('${old.transaction}', 'vm', 'created', '${entity}')`,
  );
  assert.ok(
    (await readChanges(pool, await positionNow(pool))).isLost,
    'whoever begins now is told that changes were missed',
  );
  const starts = [1, 2, 3].map(() =>
    untilUpToDate(database, {
      log: pino({ level: 'silent' }),
      signal: AbortSignal.timeout(60_000),
      pause: () => Promise.reject(new Error('the database is there')),
    }),
  );
  await Promise.all(starts);
  await until('whoever begins now may go on', async () => !(await readChanges(pool, await positionNow(pool))).isLost);
  const from = await positionNow(pool);
  await pool.query(`INSERT INTO organizations (name) VALUES ('new')`);
  await until('what is new is read, and nothing else', async () => {
    const { changes, isLost } = await readChanges(pool, from);
    assert.ok(!isLost);
    assert.ok(changes.every(({ entityId }) => entityId !== entity));
    return changes.length === 1;
  });
  for (const place of [old, { transaction: '1', sequence: 1 }])
    assert.ok(
      (await readChanges(pool, place)).isLost,
      `a place of the old life, ${place.transaction}, cannot be gone on from`,
    );
});
