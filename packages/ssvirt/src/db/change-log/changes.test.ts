import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  startTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from '../../../../../test/database/harness.ts';
import { ChangeFeed, formatPosition, parsePosition, type Change, type ChangeFeedOptions } from './changes.ts';

interface Reader {
  readonly ids: readonly string[];
  readonly resets: number;
  readonly feed: ChangeFeed;
  /** Resolves when that many changes have come; the test's own deadline applies. */
  has(count: number): Promise<void>;
  stop(): Promise<void>;
}

const deadline = { timeout: 120_000 };

interface Harness extends TestDatabase {
  /** Stopped before the database stops. */
  readonly readers: Reader[];
}

async function harness(t: TestContext, options: TestDatabaseOptions = {}): Promise<Harness> {
  const started = await startTestDatabase(options);
  const readers: Reader[] = [];
  t.after(async () => {
    await Promise.all(readers.map((reader) => reader.stop()));
    await started.stop();
  });
  return { ...started, readers };
}

async function startReader({ database, readers }: Harness, options: Partial<ChangeFeedOptions> = {}): Promise<Reader> {
  const ids: string[] = [];
  let resets = 0;
  let look: () => void = () => undefined;
  const end = new AbortController();
  const started = Promise.withResolvers<void>();
  const onChanges = (changes: readonly Change[]): void => {
    ids.push(...changes.map((change) => change.entityId));
    look();
  };
  const onReset = (): void => {
    resets += 1;
    look();
  };
  const feed = new ChangeFeed({ database, onChanges, onReset, onStart: () => started.resolve(), ...options });
  const running = feed.run(end.signal);
  const stop = async (): Promise<void> => {
    end.abort();
    await running;
  };
  await Promise.race([started.promise, running]);
  const reader: Reader = {
    feed,
    ids,
    get resets() {
      return resets;
    },
    has: (count) =>
      new Promise((done) => {
        look = () => {
          if (ids.length >= count) done();
        };
        look();
      }),
    stop,
  };
  readers.push(reader);
  return reader;
}

async function insert({ database: { pool } }: TestDatabase, ...names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'INSERT INTO organizations (name) SELECT unnest($1::text[]) RETURNING id',
    [names],
  );
  return rows.map((row) => row.id);
}

test('changes come in the order of their commits, from the moment of the start, in batches', deadline, async (t) => {
  const db = await harness(t);
  await insert(db, 'before');
  const reader = await startReader(db, { limit: 2 });
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push(...(await insert(db, name)));
  ids.push(...(await insert(db, 'd', 'e', 'f', 'g', 'h')).toSorted());
  await reader.has(ids.length);
  assert.deepEqual(reader.ids.slice(0, 3), ids.slice(0, 3));
  assert.deepEqual(reader.ids.slice(3).toSorted(), ids.slice(3));
});

test('a commit that comes late, behind a later transaction, is not skipped', deadline, async (t) => {
  const db = await harness(t);
  const reader = await startReader(db);
  const slow = await db.database.pool.connect();
  await slow.query('BEGIN');
  const { rows } = await slow.query<{ id: string }>(`INSERT INTO organizations (name) VALUES ('slow') RETURNING id`);
  const [quick] = await insert(db, 'quick');
  // The quick one is held back while the slow one, which comes before it, may still commit.
  const seen = await db.database.pool.query('SELECT FROM change_log WHERE entity_id = $1', [quick]);
  assert.equal(seen.rowCount, 1);
  assert.deepEqual(reader.ids, []);
  await slow.query('COMMIT');
  slow.release();
  await reader.has(2);
  assert.deepEqual(reader.ids, [rows[0]?.id, quick]);
});

test(
  'changes above the horizon are read though no notification wakes the reader when the horizon moves',
  deadline,
  async (t) => {
    const db = await harness(t);
    const reader = await startReader(db);
    const slow = await db.database.pool.connect();
    await slow.query('BEGIN');
    // Has a transaction id, and changes nothing that is reported.
    await slow.query('SELECT pg_current_xact_id()');
    const [quick] = await insert(db, 'quick');
    await slow.query('ROLLBACK');
    slow.release();
    await reader.has(1);
    assert.deepEqual(reader.ids, [quick]);
  },
);

test('a reader goes on from where another has stopped, and asks for some kinds only', deadline, async (t) => {
  const db = await harness(t);
  const first = await startReader(db);
  const [one = ''] = await insert(db, 'one');
  await first.has(1);
  await first.stop();
  const [two] = await insert(db, 'two');
  await db.database.pool.query(`INSERT INTO vdcs (organization_id, name, namespace) VALUES ('${one}', 'v', 'n')`);
  const from = parsePosition(formatPosition(first.feed.position!));
  const second = await startReader(db, { from: from!, kinds: ['organization'] });
  const [three] = await insert(db, 'three');
  await second.has(2);
  assert.deepEqual(second.ids, [two, three]);
});

test('what the clusters say is left out on request', deadline, async (t) => {
  const db = await harness(t);
  const all = await startReader(db);
  const reader = await startReader(db, { desiredOnly: true });
  await db.database.pool.query(`INSERT INTO clusters (name, state, epoch) VALUES ('west', 'synced', 1)`);
  const [one] = await insert(db, 'one');
  await Promise.all([all.has(2), reader.has(1)]);
  assert.deepEqual(reader.ids, [one]);
});

test('a position from before what is kept, or from a future that never came, means reset', deadline, async (t) => {
  const db = await harness(t);
  const reader = await startReader(db);
  const old = reader.feed.position!;
  await insert(db, 'a');
  await reader.has(1);
  await db.database.pool.query('DELETE FROM change_log');
  for (const from of [old, { transaction: '99999999999', sequence: 0 }]) {
    const late = await startReader(db, { from });
    const [next] = await insert(db, `b ${from.transaction}`);
    await late.has(1);
    assert.equal(late.resets, 1);
    assert.deepEqual(late.ids, [next]);
  }
  // A reader that has read everything is not affected by what is removed behind it.
  await reader.has(3);
  assert.equal(reader.resets, 0);
});

test('a server that crashes and comes back costs no change', deadline, async (t) => {
  const db = await harness(t, { ownServer: true, fsync: true });
  const reader = await startReader(db);
  const [one] = await insert(db, 'one');
  await reader.has(1);
  await db.postgres.kill();
  await db.postgres.start();
  const [two] = await insert(db, 'two');
  await reader.has(2);
  assert.deepEqual(reader.ids, [one, two]);
});

test('an error of the handler ends the feed with it', deadline, async (t) => {
  const db = await harness(t);
  const started = Promise.withResolvers<void>();
  const feed = new ChangeFeed({
    database: db.database,
    onStart: () => started.resolve(),
    onChanges: () => Promise.reject(new Error('no room')),
    onReset: () => undefined,
  });
  const running = assert.rejects(feed.run(new AbortController().signal), /no room/);
  await started.promise;
  await insert(db, 'one');
  await running;
});

test('a text that is no position is none', () => {
  for (const text of ['', '1', '-1-1', '1-', '99999999999999999999-1', '1-1-1', 'a-1'])
    assert.equal(parsePosition(text), undefined, text);
  assert.deepEqual(parsePosition('12-3'), { transaction: '12', sequence: 3 });
});
