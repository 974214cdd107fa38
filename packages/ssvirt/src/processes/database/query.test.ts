import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { query, QueryError } from './query.ts';

let running: TestDatabase;
before(async () => {
  running = await startTestDatabase();
});
after(() => running?.stop());

const ask = (statement: string, write = false): Promise<string> => query(running.database, statement, { write });

test('an answer is a table', async () => {
  const text = await ask(
    `SELECT 1 AS n, 'a  b' AS word, NULL AS nothing, '{x,y}'::text[] AS list, '{"k": 1}'::jsonb AS doc`,
  );
  assert.equal(text, 'n  word  nothing  list       doc\n1  a b   -        ["x","y"]  {"k":1}\n');
});

/** The provider's organization exists from the start. */
const names = `SELECT name FROM organizations WHERE name <> 'System'`;

test('nothing is changed unless that is asked for', async () => {
  const insert = `INSERT INTO organizations (name) VALUES ('acme')`;
  await assert.rejects(
    ask(insert),
    /the database refuses the statement: cannot execute INSERT .*; to change data, use --write$/,
  );
  assert.equal(await ask(names), 'name\n');
  assert.equal(await ask(insert, true), 'INSERT 1\n');
  assert.equal(await ask(names), 'name\nacme\n');
});

test('a second statement does not get past that', async () => {
  await assert.rejects(ask('COMMIT; DELETE FROM organizations'), QueryError);
  assert.equal(await ask(names), 'name\nacme\n');
});

test('what PostgreSQL refuses is said in its words', async () => {
  await assert.rejects(ask('SELECT nmae FROM organizations'), /refuses the statement: column "nmae" does not exist$/);
});
