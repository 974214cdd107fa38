/** Statements with a name are described once for each connection, and their results do not change. */
import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { after, before, test } from 'node:test';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';

let running: TestDatabase;
let client: PoolClient;
before(async () => {
  running = await startTestDatabase({ maxConnections: 1 });
  client = await running.database.pool.connect();
});
after(async () => {
  client.release();
  await running.stop();
});

/** Counts how often PostgreSQL describes columns during `work`. */
async function descriptions(work: () => Promise<unknown>): Promise<number> {
  const { connection } = client as unknown as { readonly connection: EventEmitter };
  let count = 0;
  const described = (): void => void (count += 1);
  connection.on('rowDescription', described);
  await work();
  connection.off('rowDescription', described);
  return count;
}

const values = `SELECT $1::int AS number, $2::text AS word, $3::text[] AS list, 7::bigint AS large, '{"a": [1]}'::jsonb AS json,
  '2026-01-02 03:04:05.678+00'::timestamptz AS time, true AS flag, NULL::int AS nothing`;

test('an answer is the same with the description and without', async () => {
  const ask = (number: number) =>
    client.query<object>({ name: 'values', text: values, values: [number, 'a "word"', ['x', 'y,z']] });
  const rowOf = (number: number) => ({
    number,
    word: 'a "word"',
    list: ['x', 'y,z'],
    large: 7,
    json: { a: [1] },
    time: new Date('2026-01-02T03:04:05.678Z'),
    flag: true,
    nothing: null,
  });
  const answers: QueryResult<object>[] = [];
  const count = await descriptions(async () => {
    for (let n = 0; n < 4; n += 1) answers.push(await ask(n));
  });
  assert.equal(count, 1);
  assert.deepEqual(
    answers.map(({ rows }) => rows),
    [0, 1, 2, 3].map((n) => [rowOf(n)]),
  );
  for (const { rowCount, command, fields } of answers) {
    assert.deepEqual([rowCount, command], [1, 'SELECT']);
    assert.deepEqual(
      fields.map(({ name }) => name),
      Object.keys(rowOf(0)),
    );
  }
});

test('two statements keep their own columns, and none or many rows are found', async () => {
  const some = (count: number) =>
    client.query({ name: 'some', text: 'SELECT n FROM generate_series(1, $1) AS n', values: [count] });
  const other = () => client.query({ name: 'other', text: "SELECT 'x' AS letter, 1 AS n", values: [] });
  for (const count of [0, 3, 0, 1]) {
    assert.deepEqual(
      (await some(count)).rows,
      Array.from({ length: count }, (_, at) => ({ n: at + 1 })),
    );
    assert.deepEqual((await other()).rows, [{ letter: 'x', n: 1 }]);
  }
});

test('what is written gives its count', async () => {
  await client.query('CREATE TEMPORARY TABLE written (n int)');
  const write = (n: number) =>
    client.query({ name: 'write', text: 'INSERT INTO written SELECT generate_series(1, $1::int)', values: [n] });
  for (const n of [2, 3, 4]) assert.equal((await write(n)).rowCount, n);
});

const failing: readonly { readonly reason: string; readonly query: QueryConfig; readonly error: RegExp }[] = [
  {
    reason: 'PostgreSQL refuses a value',
    query: { name: 'divide', text: 'SELECT 6 / $1::int AS n', values: [0] },
    error: /division by zero/,
  },
  {
    reason: 'a value cannot be sent',
    query: { name: 'divide', text: 'SELECT 6 / $1::int AS n', values: [unsendable()] },
    error: /cannot be sent/,
  },
];

function unsendable(): unknown {
  return {
    toPostgres: () => {
      throw new Error('it cannot be sent');
    },
  };
}

for (const { reason, query, error } of failing)
  test(`${reason}: that is reported, and the connection goes on`, async () => {
    const divide = (by: number) => client.query({ ...query, values: [by] });
    for (const by of [1, 2]) assert.deepEqual((await divide(by)).rows, [{ n: 6 / by }]);
    await assert.rejects(client.query(query), error);
    assert.deepEqual((await client.query('SELECT 1 AS n')).rows, [{ n: 1 }]);
  });

test('a value that cannot be read is reported, and the connection goes on', async () => {
  const read = (text: string) => client.query({ name: 'read', text: 'SELECT $1::bigint AS n', values: [text] });
  for (const n of ['1', '2']) assert.deepEqual((await read(n)).rows, [{ n: Number(n) }]);
  await assert.rejects(read('9007199254740993'), /above 2\^53/);
  assert.deepEqual((await read('3')).rows, [{ n: 3 }]);
});

test('who asks the pool, or for rows in another form, is answered', async () => {
  const asArrays = { name: 'arrays', text: 'SELECT 1 AS a, 2 AS b', rowMode: 'array' } as const;
  for (let n = 0; n < 2; n += 1) assert.deepEqual((await client.query(asArrays)).rows, [[1, 2]]);
  client.release();
  try {
    const ask = { name: 'pooled', text: 'SELECT $1::int AS n', values: [5] };
    for (let n = 0; n < 3; n += 1) assert.deepEqual((await running.database.pool.query(ask)).rows, [{ n: 5 }]);
  } finally {
    client = await running.database.pool.connect();
  }
});
