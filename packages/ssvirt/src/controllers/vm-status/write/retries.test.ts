/** Retries with a clock that does not advance by itself, and failures in a real PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { unique } from '../../../../../../test/database/rows.ts';
import type { SyncFailureStore, VmStatus, WriterTerm } from '../../../db/observations/contracts.ts';
import { createLeaderStore } from '../../../db/observations/leaders.ts';
import { createSyncFailureStore } from '../../../db/observations/sync-failures.ts';
import { FakeClock } from '@ssvirt/kube/fake-clock';
import { Pending, type Mark } from './pending.ts';
import { Retries } from './retries.ts';
import { RowLocked } from './writer.ts';

let running: TestDatabase;
let store: SyncFailureStore;
before(async () => {
  running = await startTestDatabase();
  store = createSyncFailureStore(running.database.pool);
});
after(() => running?.stop());

interface Marked {
  readonly type: string;
  readonly status: VmStatus | undefined;
  readonly attempts: number;
  readonly given: boolean;
}

interface World {
  readonly clock: FakeClock;
  readonly pending: Pending;
  readonly retries: Retries;
  readonly marked: Marked[];
  readonly mark: Mark;
  readonly term: WriterTerm;
}

async function world(maxRetries = 3): Promise<World> {
  const clock = new FakeClock();
  const pending = new Pending();
  pending.open();
  const marked: Marked[] = [];
  const retries = new Retries({
    store,
    pending,
    clock,
    log: pino({ level: 'silent' }),
    baseDelayMs: 1000,
    maxDelayMs: 300_000,
    maxRetries,
    failed: (_, failure) => void marked.push(failure),
    // No jitter.
    random: () => 0,
  });
  const name = unique('retries');
  const epoch = await createLeaderStore(running.database.pool).raise({
    name,
    leaseEpoch: 1,
    holder: name,
    staleAfterMs: 30_000,
  });
  const term = { name, epoch: epoch ?? 0 };
  await retries.begin(term);
  return { clock, pending, retries, marked, mark: { cluster: 'east', key: `${unique('ns')}/web`, seenAt: 7 }, term };
}

const refused = Object.assign(new Error('no such luck'), { code: '23514' });

async function openOf({ mark }: World): Promise<readonly string[]> {
  const [namespace] = mark.key.split('/');
  const open = await store.open();
  return open
    .filter((failure) => failure.namespace === namespace)
    .map(({ vmName, errorType, message, attempts }) => `${vmName} ${errorType} ${message} ${attempts}`);
}

test('pauses double from the first to the longest, and the machine is marked again after each', async () => {
  const { clock, pending, retries, mark } = await world(100);
  const pauses: number[] = [];
  for (let i = 0; i < 11; i++) {
    retries.failed(mark, refused);
    assert.ok(retries.isFailing(mark));
    const pause = clock.next ?? 0;
    pauses.push(Math.round(pause / 1000));
    await clock.advance(pause - 1);
    assert.equal(pending.size, 0, 'not before its time');
    await clock.advance(1);
    assert.deepEqual(pending.take(1).machines, [mark]);
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  await retries.stop();
});

test('a row that is locked for a moment is tried again soon without a log line; one that stays locked has failed', async () => {
  const { clock, pending, retries, marked, mark } = await world(3);
  const held = new RowLocked('held');
  const pauses: number[] = [];
  const again = async (): Promise<void> => {
    retries.failed(mark, held);
    pauses.push(Math.round(clock.next ?? 0));
    await clock.advance(clock.next ?? 0);
    assert.deepEqual(pending.take(1).machines, [mark]);
  };
  await again();
  assert.equal(retries.isFailing(mark), false);
  retries.succeeded(mark);
  for (let i = 0; i < 5; i++) await again();
  assert.deepEqual([marked.length, retries.failing], [0, 0]);
  await again();
  assert.deepEqual(pauses, [50, 50, 100, 200, 400, 800, 1000]);
  assert.deepEqual(marked, [{ type: 'database_row_locked', status: undefined, attempts: 1, given: false }]);
  retries.succeeded(mark);
  assert.equal(retries.failing, 0);
  await retries.stop();
});

test('after so many retries it is put down once, counted up, and taken back when it is written', async () => {
  const all = await world(3);
  const { retries, marked, mark } = all;
  for (let i = 0; i < 3; i++) retries.failed(mark, refused);
  await retries.stop();
  assert.deepEqual(await openOf(all), []);
  retries.failed(mark, refused);
  await retries.stop();
  assert.deepEqual(await openOf(all), ['web database_update_refused no such luck 4']);
  retries.failed(mark, refused);
  await retries.stop();
  assert.deepEqual(await openOf(all), ['web database_update_refused no such luck 5']);
  assert.deepEqual(
    marked.map(({ attempts, given }) => `${attempts} ${given}`),
    ['1 false', '2 false', '3 false', '4 true', '5 false'],
  );
  assert.equal(retries.failing, 1);
  retries.succeeded(mark);
  await retries.stop();
  assert.deepEqual(await openOf(all), []);
  assert.deepEqual([retries.failing, retries.isFailing(mark)], [0, false]);
});

test('a request ends the pause of its machine, and of no other', async () => {
  const { clock, pending, retries, mark } = await world();
  const other = { ...mark, key: `${unique('ns')}/web` };
  const gone = { ...mark, uid: '00000000-0000-4000-8000-000000000001' };
  for (const one of [mark, gone, other]) retries.failed(one, refused, 'POWERED_ON');
  retries.retryNow(mark.cluster, mark.key);
  const taken = pending.take(9);
  assert.deepEqual([taken.machines, taken.gone], [[mark], [gone]]);
  await clock.advance(1000);
  assert.deepEqual(pending.take(9).machines, [other], 'nothing is marked twice');
  retries.retryNow(mark.cluster, mark.key);
  assert.equal(pending.size, 0, 'it is being written');
  await retries.stop();
});

test('what is put down says when the first attempt failed', async () => {
  const { clock, retries, mark } = await world(1);
  retries.failed(mark, refused, 'POWERED_ON');
  await clock.advance(3_600_000);
  retries.failed(mark, refused, 'POWERED_ON');
  await retries.stop();
  const [namespace] = mark.key.split('/');
  const { rows } = await running.database.pool.query<{ readonly seconds: number }>(
    `SELECT extract(epoch FROM last_failed_at - first_failed_at)::float8 AS seconds FROM sync_failures WHERE namespace = $1`,
    [namespace],
  );
  assert.deepEqual(rows, [{ seconds: 3600 }]);
});

test('what an earlier leader has put down is taken back by the next', async () => {
  const all = await world();
  const { retries, mark, term } = all;
  const [namespace = ''] = mark.key.split('/');
  const failure = { cluster: 'east', namespace, vmName: 'web', errorType: 'x', message: 'y', attempts: 11 };
  await store.record(term, { ...failure, firstAgoMs: 0 });
  await retries.begin(term);
  assert.equal(retries.isFailing(mark), false, 'it is tried with the others');
  retries.succeeded(mark);
  await retries.stop();
  assert.deepEqual(await openOf(all), []);
});

test('that a machine is gone is tried again as that', async () => {
  const { clock, pending, retries, mark } = await world();
  const gone = { ...mark, uid: '3f1c8d7e-0000-4000-8000-000000000000' };
  retries.failed(gone, refused);
  await clock.advance(2000);
  assert.deepEqual(pending.take(1), { machines: [], gone: [gone], vapps: [] });
  await retries.stop();
});

test('that a machine is gone and that another has its name fail and succeed apart from each other', async () => {
  const { clock, pending, retries, mark } = await world();
  const gone = { ...mark, uid: '3f1c8d7e-0000-4000-8000-000000000000' };
  const { cluster, key, seenAt } = mark;
  retries.failed(gone, refused);
  retries.failed(mark, refused);
  assert.equal(retries.failing, 2);
  retries.succeeded(mark);
  await clock.advance(2000);
  assert.deepEqual(pending.take(10), { machines: [], gone: [gone], vapps: [] });
  retries.failed(mark, refused);
  retries.succeeded(gone);
  assert.deepEqual(
    pending.take(10),
    { machines: [{ cluster, key, seenAt: undefined }], gone: [], vapps: [] },
    'it may be the one that is gone: looked at now',
  );
  await clock.advance(2000);
  assert.deepEqual(pending.take(10), { machines: [{ cluster, key, seenAt }], gone: [], vapps: [] });
  assert.equal(retries.failing, 1);
  retries.dropped(mark);
  assert.deepEqual([retries.failing, clock.timers], [0, 0], 'it was');
  await retries.stop();
});

test('what was put down of a machine is taken back when the machine is gone', async () => {
  const all = await world(0);
  const { retries, mark } = all;
  retries.failed(mark, refused);
  await retries.stop();
  assert.deepEqual(await openOf(all), ['web database_update_refused no such luck 1']);
  retries.succeeded({ ...mark, uid: '3f1c8d7e-0000-4000-8000-000000000000' });
  await retries.stop();
  assert.deepEqual(await openOf(all), []);
});

test('a cluster that leaves takes its failures along, but not what was gone in it', async () => {
  const { clock, pending, retries, mark } = await world();
  const gone = { ...mark, uid: '3f1c8d7e-0000-4000-8000-000000000000' };
  const elsewhere = { ...mark, cluster: 'east-2' };
  for (const one of [mark, gone, elsewhere, { ...mark, isVapp: true } as const]) retries.failed(one, refused);
  retries.forget('east');
  assert.equal(retries.failing, 2);
  await clock.advance(2000);
  assert.deepEqual(pending.take(10), { machines: [elsewhere], gone: [gone], vapps: [] });
  await retries.stop();
});

test('a vApp is tried again as that, and is no failure of a machine', async () => {
  const all = await world(0);
  const { clock, pending, retries, marked, mark } = all;
  const vapp = { ...mark, isVapp: true } as const;
  retries.failed(vapp, refused);
  assert.deepEqual([retries.isFailing(vapp), retries.isFailing(mark), marked], [true, false, []]);
  await clock.advance(2000);
  assert.deepEqual(pending.take(1), { machines: [], gone: [], vapps: [vapp] });
  retries.succeeded(vapp);
  await retries.stop();
  assert.deepEqual([retries.failing, await openOf(all)], [0, []]);
});

test('thousands that fail together are put down one after the other', async () => {
  const { mark, term } = await world();
  let at = 0;
  let most = 0;
  const retries = new Retries({
    store: {
      ...store,
      record: async (...of) => {
        most = Math.max(most, ++at);
        await store.record(...of);
        at--;
      },
    },
    pending: new Pending(),
    clock: new FakeClock(),
    log: pino({ level: 'silent' }),
    baseDelayMs: 1000,
    maxDelayMs: 300_000,
    maxRetries: 0,
    failed: () => undefined,
  });
  await retries.begin(term);
  for (let i = 0; i < 50; i++) retries.failed({ ...mark, key: `${mark.key}-${i}` }, refused);
  await retries.stop();
  assert.equal(most, 1);
});
