/** Batches in a real PostgreSQL: one bad row does not block the others, and a failing database loses nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, unique } from '../../../../../../test/database/rows.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import {
  Fenced,
  type VappObservation,
  type VmObservation,
  type WriterTerm,
} from '../../../db/observations/contracts.ts';
import type { VdcId } from '../../../db/schema/schema.ts';
import { createLeaderStore } from '../../../db/observations/leaders.ts';
import { createObservationStore } from '../../../db/observations/store.ts';
import { systemClock } from '@ssvirt/kube/clock';
import { parseKey } from '@ssvirt/kube/object';
import { Pending, type Mark } from './pending.ts';
import { Writer } from './writer.ts';

let running: TestDatabase;
before(async () => {
  running = await startTestDatabase();
});
after(() => running?.stop());

/** A writer that works on the VMs of one vApp. */
class Work {
  readonly pending = new Pending();
  readonly failed: string[] = [];
  readonly failing = new Set<string>();
  readonly batches: number[] = [];
  readonly said: string[] = [];
  readonly uids = new Map<string, string>();
  readonly ending = new AbortController();
  status: VmObservation['status'] = 'POWERED_OFF';
  namespace = '';
  vappId = '';
  term: WriterTerm = { name: unique('writer'), epoch: 0 };
  ended: Promise<unknown> = Promise.resolve();

  async start(): Promise<void> {
    const { db, pool } = running.database;
    const vdc = await makeVdc(db, { cluster: 'local' });
    this.namespace = vdc.namespace;
    this.vappId = (await makeVapp(db, { vdc_id: vdc.id })).id;
    const { name } = this.term;
    this.term = { name, epoch: await raised(name, 1) };
    const note = (mark: Mark): void => void this.failed.push(parseKey(mark.key).name);
    const writer = new Writer({
      store: createObservationStore(pool),
      pending: this.pending,
      source: { observe: (mark) => this.#observe(mark), observeVapp: (mark) => this.#observeVapp(mark) },
      retries: {
        isFailing: ({ key }) => this.failing.has(key),
        failed: (mark) => {
          this.failing.add(mark.key);
          note(mark);
        },
        succeeded: ({ key }) => void this.failing.delete(key),
        dropped: () => undefined,
      },
      reports: {
        written: () => undefined,
        deleted: () => undefined,
        batch: (rows) => void this.batches.push(rows),
        unavailable: () => void this.said.push('unavailable'),
        available: () => void this.said.push('available'),
      },
      clock: systemClock,
      log: pino({ level: 'silent' }),
      windowMs: 5,
      maxBatch: 1000,
    });
    this.pending.open();
    this.ended = writer.run(this.term, this.ending.signal, new AbortController().signal);
    this.ended.catch(() => undefined);
  }

  /** Marks all at once, so that they form one batch. */
  mark(...names: readonly string[]): void {
    for (const name of names) this.pending.machine('local', `${this.namespace}/${name}`, systemClock.now());
  }

  async has(...wanted: readonly string[]): Promise<void> {
    await until(`the rows are ${wanted.join(', ')}`, async () => {
      const { rows } = await running.database.pool.query<{ row: string }>(
        `SELECT name || ' ' || status AS row FROM vm_observed WHERE namespace = $1 ORDER BY name`,
        [this.namespace],
      );
      const found = rows.map(({ row }) => row);
      if (found.join() === wanted.join()) return true;
      throw new Error(`they are ${found.join(', ')}`);
    });
  }

  /** A row can be read before its writer learns that it is written. */
  async wrote(rows: number): Promise<readonly number[]> {
    await until(`${rows} rows are told of`, () => this.batches.reduce((sum, some) => sum + some, 0) >= rows);
    return this.batches;
  }

  /** The TemplateInstance has the name of the vApp. */
  #observeVapp({ cluster, key }: Mark): VappObservation {
    const { namespace = '', name } = parseKey(key);
    return { cluster, namespace, name, uid: randomUUID(), creation: 'done' };
  }

  #observe({ cluster, key }: Mark): VmObservation {
    const { namespace = '', name } = parseKey(key);
    this.uids.set(name, this.uids.get(name) ?? randomUUID());
    return {
      cluster,
      namespace,
      name,
      uid: this.uids.get(name) ?? '',
      generation: 1,
      vappId: this.vappId,
      status: this.status,
      debouncing: false,
      busy: false,
      restartRequired: false,
      ipAddresses: [],
      disks: [],
    };
  }
}

async function raised(name: string, leaseEpoch: number): Promise<number> {
  const leaders = createLeaderStore(running.database.pool);
  const epoch = await leaders.raise({ name, leaseEpoch, holder: unique('holder'), staleAfterMs: 30_000 });
  assert.ok(epoch !== undefined);
  return epoch;
}

let work: Work;
beforeEach(async () => {
  work = new Work();
  await work.start();
});
afterEach(async () => {
  work.ending.abort();
  await work.ended.catch(() => undefined);
});

/** Makes writes of a VM or a TemplateInstance of that name in that namespace fail. */
async function poison(
  namespace: string,
  name: string,
  table: 'vm_observed' | 'vapp_observed' = 'vm_observed',
): Promise<() => Promise<void>> {
  const { pool } = running.database;
  const trigger = unique('poison').replaceAll('-', '_');
  await pool.query(`
    CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$;
    CREATE TRIGGER ${trigger} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
      WHEN (NEW.namespace = '${namespace}' AND NEW.name = '${name}') EXECUTE FUNCTION ${trigger}()`);
  return async () => void (await pool.query(`DROP TRIGGER ${trigger} ON ${table}`));
}

test('what is marked together is one batch', async () => {
  work.mark('a', 'b', 'c');
  await work.has('a POWERED_OFF', 'b POWERED_OFF', 'c POWERED_OFF');
  assert.deepEqual(await work.wrote(3), [3]);
});

test('a row that is refused is found by halves, and holds no other; it goes alone the next time', async () => {
  const names = Array.from({ length: 16 }, (_, i) => `vm-${String(i).padStart(2, '0')}`);
  const lift = await poison(work.namespace, 'vm-05');
  work.mark(...names);
  const others = names.filter((name) => name !== 'vm-05');
  await work.has(...others.map((name) => `${name} POWERED_OFF`));
  await until('it has failed', () => work.failed.length > 0);
  assert.deepEqual(work.failed, ['vm-05']);
  const first = await work.wrote(15);
  assert.equal(
    first.reduce((sum, rows) => sum + rows),
    15,
  );
  work.batches.length = 0;
  await lift();
  work.status = 'POWERED_ON';
  work.mark(...names);
  await work.has(...names.map((name) => `${name} POWERED_ON`));
  assert.deepEqual(await work.wrote(16), [15, 1]);
  assert.deepEqual([...work.failing], []);
});

test('a row that another session holds fails by itself, and the others of the batch are written', async () => {
  const { pool } = running.database;
  work.mark('a', 'b');
  await work.has('a POWERED_OFF', 'b POWERED_OFF');
  const session = await pool.connect();
  try {
    await session.query('BEGIN');
    await session.query(`SELECT FROM vm_observed WHERE namespace = $1 AND name = 'a' FOR UPDATE`, [work.namespace]);
    work.status = 'POWERED_ON';
    work.mark('a', 'b');
    await work.has('a POWERED_OFF', 'b POWERED_ON');
    await until('it is reported', () => work.failed.length > 0);
    assert.deepEqual(work.failed, ['a']);
  } finally {
    await session.query('ROLLBACK');
    session.release();
  }
  work.mark('a');
  await work.has('a POWERED_ON', 'b POWERED_ON');
});

test('while the whole database fails nothing is lost and no row is blamed; what waits is written when it is back', async () => {
  const { pool } = running.database;
  work.mark('a');
  await work.has('a POWERED_OFF');
  await pool.query('ALTER TABLE vm_observed RENAME TO vm_observed_away');
  try {
    work.status = 'POWERED_ON';
    work.mark('a', 'b');
    await until('it is said', () => work.said.includes('unavailable'));
    work.mark('c');
  } finally {
    await pool.query('ALTER TABLE vm_observed_away RENAME TO vm_observed');
  }
  await work.has('a POWERED_ON', 'b POWERED_ON', 'c POWERED_ON');
  await until('it is said', () => work.said.includes('available'));
  assert.deepEqual(work.failed, []);
});

test('when another leads the writer ends, and what it had taken was not written', async () => {
  work.mark('a');
  await work.has('a POWERED_OFF');
  await raised(work.term.name, 2);
  work.status = 'POWERED_ON';
  work.mark('a');
  await assert.rejects(work.ended, Fenced);
  await work.has('a POWERED_OFF');
  assert.equal(work.pending.size, 1, 'it was given back');
});

test('a machine that is gone and one that takes its name are written in one statement', async () => {
  work.mark('a');
  await work.has('a POWERED_OFF');
  const old = work.uids.get('a') ?? '';
  work.uids.delete('a');
  work.pending.gone('local', `${work.namespace}/a`, old, systemClock.now());
  work.mark('a');
  await work.has('a DELETED', 'a POWERED_OFF');
  assert.deepEqual(await work.wrote(3), [1, 2]);
});

test('a vApp that is refused or held by another holds no other vApp and no machine, and the database is not blamed', async () => {
  const { db, pool } = running.database;
  const names = ['shop-a', 'shop-b', 'shop-c', 'shop-d'];
  const { rows } = await pool.query<{ id: VdcId }>('SELECT vdc_id AS id FROM vapps WHERE id = $1', [work.vappId]);
  for (const name of names) await makeVapp(db, { vdc_id: rows[0]!.id, name });
  const lift = await poison(work.namespace, 'shop-b', 'vapp_observed');
  const session = await pool.connect();
  try {
    await session.query('BEGIN');
    await session.query(`SELECT FROM vapps WHERE vdc_id = $1 AND name = 'shop-c' FOR UPDATE`, [rows[0]!.id]);
    for (const name of names) work.pending.vapp('local', `${work.namespace}/${name}`, systemClock.now());
    work.mark('a');
    await work.has('a POWERED_OFF');
    await until('the others are written', async () => {
      const found = await pool.query<{ name: string }>(
        'SELECT name FROM vapp_observed WHERE namespace = $1 ORDER BY name',
        [work.namespace],
      );
      return found.rows.map(({ name }) => name).join() === 'shop-a,shop-d';
    });
    await until('both are told', () => work.failed.length >= 2);
    assert.deepEqual([[...work.failed].sort(), work.said], [['shop-b', 'shop-c'], []]);
  } finally {
    await session.query('ROLLBACK');
    session.release();
    await lift();
  }
});
