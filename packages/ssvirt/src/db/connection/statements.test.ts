/** Repeated statements are prepared, and prepared again when a migration has changed their columns. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { isOutdated, isRetryable } from './errors.ts';
import type { Tables, UserId } from '../schema/schema.ts';
import { findSessions } from '../tenants/sessions.ts';
import { StatementNames } from './statements.ts';
import { getUser } from '../tenants/users.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  // One connection, so that the next statement finds what was prepared.
  running = await startTestDatabase({ maxConnections: 1 });
  db = running.database.db;
});
after(() => running.stop());

async function prepared(pattern: string): Promise<number> {
  const { rows } = await running.database.pool.query('SELECT FROM pg_prepared_statements WHERE statement LIKE $1', [
    pattern,
  ]);
  return rows.length;
}

test('a statement is prepared when it comes for the third time, once', async () => {
  const ask = (n: number) => sql<{ n: number }>`SELECT ${n}::int AS n, 'thrice' AS word`.execute(db);
  const counts: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    assert.equal((await ask(n)).rows[0]?.n, n);
    counts.push(await prepared('%thrice%'));
  }
  assert.deepEqual(counts, [0, 0, 1, 1, 1]);
});

test('a column that a migration adds is in the next answer', async () => {
  await sql`CREATE TABLE notes (id int)`.execute(db);
  await sql`INSERT INTO notes VALUES (1)`.execute(db);
  const ask = (from = db) => sql`SELECT * FROM notes WHERE id = ${1}`.execute(from);
  for (let n = 0; n < 4; n += 1) assert.deepEqual((await ask()).rows, [{ id: 1 }]);
  assert.equal(await prepared('SELECT * FROM notes%'), 1);
  await sql`ALTER TABLE notes ADD COLUMN text text`.execute(db);
  assert.deepEqual((await ask()).rows, [{ id: 1, text: null }]);
  assert.deepEqual((await ask()).rows, [{ id: 1, text: null }]);
});

test('within a transaction that is an error after which the same may be tried again', async () => {
  await sql`CREATE TABLE letters (id int)`.execute(db);
  const ask = (from = db) => sql`SELECT * FROM letters WHERE id = ${1}`.execute(from);
  for (let n = 0; n < 4; n += 1) await ask();
  await sql`ALTER TABLE letters ADD COLUMN text text`.execute(db);
  const inTransaction = () => db.transaction().execute((tx) => ask(tx));
  await assert.rejects(inTransaction(), (error: unknown) => isOutdated(error) && isRetryable(error));
  assert.deepEqual((await inTransaction()).rows, []);
});

test('an error of the statement itself stays what it is', async () => {
  const divide = (by: number) => sql`SELECT 1 / ${by}::int AS n`.execute(db);
  for (let n = 1; n < 5; n += 1) await divide(n);
  await assert.rejects(divide(0), /division by zero/);
  assert.deepEqual((await divide(1)).rows, [{ n: 1 }]);
});

test('rows and sessions that are read together are planned once, however few there are', async () => {
  const { database } = running;
  const several = [randomUUID() as UserId, randomUUID() as UserId];
  for (let n = 0; n < 20; n += 1) {
    await Promise.all(several.map((id) => getUser(db, 'all', id)));
    await findSessions(database.pool, ['00']);
  }
  const { rows } = await database.pool.query(
    "SELECT custom_plans < 6 AS once, generic_plans > 9 AS general FROM pg_prepared_statements WHERE statement LIKE '%AS given (%'",
  );
  const wanted = { once: true, general: true };
  assert.deepEqual(rows, [wanted, wanted]);
});

test('only so many get a name, none that is very long, and a new one where it is asked for', () => {
  const names = new StatementNames();
  const often = (text: string): string | undefined => [1, 2, 3].map(() => names.nameOf(text)).at(-1);
  assert.equal(often('x'.repeat(10_000)), undefined);
  const first = often('SELECT 0');
  assert.match(first ?? '', /^ssvirt_\d+$/);
  const given = new Set(Array.from({ length: 500 }, (_, n) => often(`SELECT ${n}`)));
  given.delete(undefined);
  assert.equal(given.size, 300);
  names.rename('SELECT 0');
  assert.notEqual(names.nameOf('SELECT 0'), first);
  assert.equal(names.nameOf('SELECT 0'), names.nameOf('SELECT 0'));
});
