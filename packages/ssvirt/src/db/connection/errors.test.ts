import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestDatabase } from '../../../../../test/database/harness.ts';
import { openDatabase } from './database.ts';
import { isRetryable, isUnavailable } from './errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

const cases: readonly { readonly error: unknown; readonly unavailable: boolean; readonly retryable: boolean }[] = [
  { error: withCode('ECONNREFUSED'), unavailable: true, retryable: true },
  {
    error: new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')]),
    unavailable: true,
    retryable: true,
  },
  { error: new Error('Connection terminated unexpectedly'), unavailable: true, retryable: true },
  { error: withCode('57P01'), unavailable: true, retryable: true },
  { error: withCode('08006'), unavailable: true, retryable: true },
  { error: withCode('25006'), unavailable: true, retryable: true },
  { error: withCode('40P01'), unavailable: false, retryable: true },
  { error: withCode('53100'), unavailable: false, retryable: true },
  { error: withCode('23505'), unavailable: false, retryable: false },
  { error: withCode('28P01'), unavailable: false, retryable: false },
  { error: new Error('x'), unavailable: false, retryable: false },
  { error: 'ECONNREFUSED', unavailable: false, retryable: false },
];

for (const { error, unavailable, retryable } of cases) {
  test(`${String(error)} ${(error as { code?: string }).code ?? ''}: unavailable ${unavailable}, retryable ${retryable}`, () => {
    assert.equal(isUnavailable(error), unavailable);
    assert.equal(isRetryable(error), retryable);
  });
}

test('a server that is killed makes statements fail as unavailable, in use or not, and is used again when it is back', async () => {
  const { url, postgres, stop } = await startTestDatabase({ ownServer: true });
  const lost: Error[] = [];
  const { pool, db, close } = openDatabase({ url, onConnectionError: (error) => lost.push(error) });
  const idle = await pool.connect();
  const busy = pool.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
  // A transaction between two statements: only the pool listens on its connection.
  const open = await db.startTransaction().execute();
  await open.selectFrom('vms').select('id').execute();
  idle.release();
  await postgres.kill();
  assert.ok(isUnavailable(await busy), String(await busy));
  await assert.rejects(open.selectFrom('vms').select('id').execute(), isUnavailable);
  await assert.rejects(pool.query('SELECT 1'), isUnavailable);
  await postgres.start();
  assert.deepEqual((await pool.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
  assert.ok(lost.every(isUnavailable), String(lost));
  await close();
  await stop();
});
