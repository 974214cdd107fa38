import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { Fenced, type LeaderStore, type SyncFailureStore, type WriterTerm } from './contracts.ts';
import { createLeaderStore } from './leaders.ts';
import { createSyncFailureStore } from './sync-failures.ts';

let test: TestDatabase;
let pool: pg.Pool;
let leaders: LeaderStore;
let failures: SyncFailureStore;

before(async () => {
  test = await startTestDatabase();
  ({ pool } = test.database);
  leaders = createLeaderStore(pool);
  failures = createSyncFailureStore(pool);
});
after(() => test.stop());

const staleAfterMs = 30_000;
let names = 0;

/** Inserts a leader with the Lease epoch 10 and the time of its last sign of life. */
async function leading(heard: {
  readonly wonMs: number;
  readonly beatMs?: number;
  readonly beatEpoch?: number;
}): Promise<WriterTerm> {
  const name = `controller-${++names}`;
  const epoch = await leaders.raise({ name, leaseEpoch: 10, holder: 'one', staleAfterMs });
  assert.equal(epoch, 10);
  await pool.query(`UPDATE leaders SET won_at = now() - $2 * interval '1 ms' WHERE name = $1`, [name, heard.wonMs]);
  if (heard.beatMs !== undefined) {
    await leaders.beat({ name, epoch }, 'one', {});
    await pool.query(`UPDATE heartbeats SET at = now() - $2 * interval '1 ms', epoch = $3 WHERE name = $1`, [
      name,
      heard.beatMs,
      heard.beatEpoch ?? epoch,
    ]);
  }
  return { name, epoch };
}

describe('a leader', () => {
  const alive = { wonMs: 0 };
  const cases = [
    { what: 'of a later Lease takes over', leaseEpoch: 11, holder: 'two', heard: alive, epoch: 11 },
    { what: 'of a much later Lease takes its epoch', leaseEpoch: 5000, holder: 'two', heard: alive, epoch: 5000 },
    {
      what: 'that did not hear its answer is answered again, with a new epoch',
      leaseEpoch: 10,
      holder: 'one',
      heard: alive,
      epoch: 11,
    },
    {
      what: 'of the same Lease epoch that is another is refused',
      leaseEpoch: 10,
      holder: 'two',
      heard: alive,
      epoch: undefined,
    },
    { what: 'of an older Lease is refused', leaseEpoch: 9, holder: 'two', heard: alive, epoch: undefined },
    {
      what: 'of an older Lease is refused while the heart beats',
      leaseEpoch: 9,
      holder: 'two',
      heard: { wonMs: 90_000, beatMs: 100 },
      epoch: undefined,
    },
    {
      what: 'of an older Lease takes over when the heart has stopped',
      leaseEpoch: 1,
      holder: 'two',
      heard: { wonMs: 90_000, beatMs: 60_000 },
      epoch: 11,
    },
    {
      what: 'of an older Lease takes over from one that never beat',
      leaseEpoch: 1,
      holder: 'two',
      heard: { wonMs: 90_000 },
      epoch: 11,
    },
    {
      what: 'of an older Lease waits for one that has just won',
      leaseEpoch: 1,
      holder: 'two',
      heard: { wonMs: 10, beatMs: 60_000 },
      epoch: undefined,
    },
    {
      what: 'of an older Lease is not kept out by the heart of the one before',
      leaseEpoch: 1,
      holder: 'two',
      heard: { wonMs: 90_000, beatMs: 10, beatEpoch: 9 },
      epoch: 11,
    },
  ];
  for (const { what, leaseEpoch, holder, heard, epoch } of cases)
    it(what, async () => {
      const { name } = await leading(heard);
      assert.equal(await leaders.raise({ name, leaseEpoch, holder, staleAfterMs }), epoch);
      const { rows } = await pool.query('SELECT epoch, holder FROM leaders WHERE name = $1', [name]);
      assert.deepEqual(rows, [{ epoch: epoch ?? 10, holder: epoch === undefined ? 'one' : holder }]);
    });

  it('is one only, of many that try at once', async () => {
    const name = `controller-${++names}`;
    const tries = Array.from({ length: 6 }, (_, i) =>
      leaders.raise({ name, leaseEpoch: 1, holder: `h${i}`, staleAfterMs }),
    );
    assert.deepEqual(
      (await Promise.all(tries)).filter((epoch) => epoch !== undefined),
      [1],
    );
  });

  it('beats by the clock of the database, until another leads', async () => {
    const term = await leading({ wonMs: 0 });
    assert.equal(await leaders.lastBeat(term.name), undefined);
    await leaders.beat(term, 'one', { clusters: 3 });
    const beat = await leaders.lastBeat(term.name);
    assert.deepEqual({ ...beat, ageMs: 0 }, { epoch: 10, holder: 'one', ageMs: 0, details: { clusters: 3 } });
    assert.ok(beat !== undefined && beat.ageMs >= 0 && beat.ageMs < 60_000);
    const epoch = await leaders.raise({ name: term.name, leaseEpoch: 11, holder: 'two', staleAfterMs });
    assert.ok(epoch !== undefined);
    await leaders.beat({ name: term.name, epoch }, 'two', {});
    await assert.rejects(leaders.beat(term, 'one', {}), Fenced);
    assert.equal((await leaders.lastBeat(term.name))?.holder, 'two');
  });
});

it('sends a heartbeat with whatever a cluster says: PostgreSQL takes no NUL and no half of a character', async () => {
  const term = await leading({ wonMs: 0 });
  await leaders.beat(term, 'one', { message: 'no\0 \ud800 ü😀' });
  assert.deepEqual((await leaders.lastBeat(term.name))?.details, { message: 'no\ufffd \ufffd ü😀' });
});

describe('a failure to synchronize', () => {
  const key = { cluster: 'east', namespace: 'dev', vmName: 'db' };
  const failure = { ...key, errorType: 'database_update_refused', message: 'no\0', attempts: 10 };

  it('is one row, counted up, until it is over', async () => {
    const term = await leading({ wonMs: 0 });
    await failures.record(term, { ...failure, firstAgoMs: 0 });
    await failures.record(term, { ...failure, attempts: 1, message: 'again', firstAgoMs: 0 });
    assert.deepEqual(await failures.open(), [{ ...failure, attempts: 11, message: 'again' }]);
    await failures.resolve(term, { ...key, vmName: 'other' });
    assert.equal((await failures.open()).length, 1);
    await failures.resolve(term, key);
    assert.deepEqual(await failures.open(), []);
    await failures.record(term, { ...failure, firstAgoMs: 0 });
    assert.deepEqual(await failures.open(), [{ ...failure, message: 'no\ufffd' }]);
    const { rows } = await pool.query('SELECT count(*)::integer AS count FROM sync_failures');
    assert.deepEqual(rows, [{ count: 2 }]);
  });

  it('is written by the leader only', async () => {
    const { name } = await leading({ wonMs: 0 });
    await assert.rejects(failures.record({ name, epoch: 9 }, { ...failure, vmName: 'x', firstAgoMs: 0 }), Fenced);
    await assert.rejects(failures.resolve({ name, epoch: 9 }, key), Fenced);
    assert.deepEqual(
      (await failures.open()).map(({ vmName }) => vmName),
      ['db'],
    );
  });
});
