/**
 * Whatever the network does to the statements of two leaders, the rows have the values that the newest leader wrote
 * last. A database trigger records every change, so that a row that goes back for a moment is noticed too.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { buildWorld, observation, type World } from '../../../../../test/database/observed-world.ts';
import { OutcomeUnknown } from './connection.ts';
import { Fenced, type ObservationStore, type VmBatch, type VmObservation, type WriterTerm } from './contracts.ts';
import { createLeaderStore } from './leaders.ts';
import { createObservationStore } from './store.ts';

let test: TestDatabase;
let world: World;

before(async () => {
  test = await startTestDatabase();
  world = await buildWorld(test.database.pool);
  await world.pool.query(`
    CREATE TABLE writes (at bigint GENERATED ALWAYS AS IDENTITY, uid uuid, epoch bigint, sequence bigint, status text);
    CREATE FUNCTION log_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO writes (uid, epoch, sequence, status) VALUES (NEW.uid, NEW.epoch, NEW.sequence, NEW.status);
      RETURN NULL;
    END $$;
    CREATE TRIGGER log_write AFTER INSERT OR UPDATE ON vm_observed FOR EACH ROW EXECUTE FUNCTION log_write()`);
});
after(() => test.stop());

/** A statement that the network held back and may deliver later. */
type Taken = Parameters<pg.Pool['query']>[0];

/** A pool that loses statements on demand: the writer sees a broken connection. */
class Network {
  readonly taken: Taken[] = [];
  losing = false;
  readonly #lent = new WeakMap<pg.PoolClient, pg.PoolClient>();
  readonly pool: pg.Pool;

  constructor(real: pg.Pool) {
    const lend = async (): Promise<pg.PoolClient> => this.#overTheNetwork(await real.connect());
    this.pool = new Proxy(real, {
      get: (target, key) => (key === 'connect' ? lend : (Reflect.get(target, key) as unknown)),
    });
  }

  #overTheNetwork(client: pg.PoolClient): pg.PoolClient {
    const known = this.#lent.get(client);
    if (known !== undefined) return known;
    const send = (query: Taken & { readonly name?: string }): Promise<unknown> => {
      if (!this.losing || query.name !== 'ssvirt_write_vms') return client.query(query);
      this.taken.push(query);
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    };
    const bound = (value: unknown): unknown => (typeof value === 'function' ? (value.bind(client) as unknown) : value);
    const proxy = new Proxy(client, {
      get: (target, key) => (key === 'query' ? send : bound(Reflect.get(target, key))),
    });
    this.#lent.set(client, proxy);
    return proxy;
  }
}

class Leader {
  readonly network = new Network(world.pool);
  readonly store: ObservationStore = createObservationStore(this.network.pool);
  term: WriterTerm = { name: 'vm-controller', epoch: 0 };
  sequence = 0;
  last: VmBatch = { observations: [], deletions: [] };
}

const machines = 3;
const statuses = ['POWERED_ON', 'POWERED_OFF', 'SUSPENDED', 'FAILED', 'DELETING'] as const;
type Word = (typeof statuses)[number] | 'DELETED';

const words = fc.dictionary(
  fc.constantFrom(...Array.from({ length: machines }, (_, i) => String(i))),
  fc.constantFrom<Word>(...statuses, 'DELETED'),
  { minKeys: 1 },
);
const who = fc.oneof(
  { weight: 4, arbitrary: fc.constant('leader' as const) },
  { weight: 1, arbitrary: fc.constant('other' as const) },
);
const lost = fc.nat({ max: 2 }).map((n) => n === 0);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), who, words, lost }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), who }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver' as const), who, which: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('raise' as const), who }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let leaseEpoch = 10;

class Run {
  leading = new Leader();
  other = new Leader();
  readonly uids = Array.from({ length: machines }, () => randomUUID());
  readonly prefix = randomUUID().slice(0, 8);
  /** The expected values of the rows, for each VM that has one. */
  readonly said = new Map<string, Word>();

  async begin(): Promise<void> {
    await this.raise(this.leading);
  }

  async take(one: Step): Promise<void> {
    const leader = one.who === 'leader' ? this.leading : this.other;
    if (one.kind === 'raise') await this.raise(leader);
    else if (one.kind === 'write') await this.write(leader, this.batch(one.words), ++leader.sequence, one.lost);
    else if (one.kind === 'again') await this.write(leader, leader.last, leader.sequence, false);
    else await this.deliver(leader, one.which);
    await this.compare();
  }

  async raise(leader: Leader): Promise<void> {
    const { name } = world.term;
    const epoch = await createLeaderStore(world.pool).raise({
      name,
      leaseEpoch: ++leaseEpoch,
      holder: 'any',
      staleAfterMs: 60_000,
    });
    assert.ok(epoch !== undefined);
    leader.term = { name, epoch };
    leader.sequence = 0;
    leader.last = { observations: [], deletions: [] };
    if (leader === this.other) [this.leading, this.other] = [this.other, this.leading];
  }

  batch(said: Readonly<Record<string, Word>>): VmBatch {
    const entries = Object.entries(said).map(([key, word]) => ({
      name: `${this.prefix}-${key}`,
      uid: this.uids[Number(key)] ?? '',
      word,
    }));
    return {
      observations: entries.flatMap(({ name, uid, word }): VmObservation[] =>
        word === 'DELETED' ? [] : [observation({ name, uid, vappId: world.vapp, status: word })],
      ),
      deletions: entries.filter(({ word }) => word === 'DELETED').map(({ uid }) => ({ cluster: 'east', uid })),
    };
  }

  async write(leader: Leader, batch: VmBatch, sequence: number, lost: boolean): Promise<void> {
    leader.last = batch;
    leader.network.losing = lost;
    const writing = leader.store.write(leader.term, sequence, batch);
    // An overtaken leader learns of it when it raises the round. Otherwise its statement is sent and may be lost.
    if (this.leading !== leader)
      return assert.rejects(writing, (error) => error instanceof Fenced || (lost && error instanceof OutcomeUnknown));
    if (lost) return assert.rejects(writing, OutcomeUnknown);
    await writing;
    this.apply(batch);
  }

  /** A lost statement arrives. It may still take effect while its leader leads and has sent nothing since. */
  async deliver(leader: Leader, which: number): Promise<void> {
    const query = leader.network.taken[which % Math.max(1, leader.network.taken.length)];
    if (query === undefined) return;
    const { rowCount } = await world.pool.query(query);
    if ((rowCount ?? 0) === 0) return;
    assert.equal(query, leader.network.taken.at(-1), 'only the last that was lost may still be written');
    assert.equal(this.leading, leader, 'only the leader may write');
    this.apply(leader.last);
  }

  apply({ observations, deletions }: VmBatch): void {
    for (const { uid, status } of observations) {
      if (this.said.get(uid) === 'DELETED') continue;
      // A VM that is being deleted gets no row.
      if (status === 'DELETING' && !this.said.has(uid)) continue;
      this.said.set(uid, status as Word);
    }
    for (const { uid } of deletions) if (this.said.has(uid)) this.said.set(uid, 'DELETED');
  }

  async compare(): Promise<void> {
    const { rows } = await world.pool.query<{ uid: string; status: Word }>(
      'SELECT uid, status FROM vm_observed WHERE uid = ANY ($1::uuid[])',
      [this.uids],
    );
    const sorted = (entries: Iterable<readonly [string, Word]>): readonly (readonly [string, Word])[] =>
      [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(rows.map(({ uid, status }) => [uid, status] as const)), sorted(this.said));
  }
}

it('ends in what the newest statement says, however they are sent again, lost, late, or from two leaders', async () => {
  const history = fc.array(step, { minLength: 6, maxLength: 14 });
  const property = fc.asyncProperty(history, async (steps) => {
    const run = new Run();
    await run.begin();
    for (const one of steps) await run.take(one);
  });
  await fc.assert(property, { numRuns: 30 });

  const { rows } = await world.pool.query(`
    SELECT uid, status FROM (
      SELECT *, lag(status) OVER w AS old_status, lag(epoch) OVER w AS old_epoch, lag(sequence) OVER w AS old_sequence
      FROM writes WINDOW w AS (PARTITION BY uid ORDER BY at)
    ) t
    WHERE old_status = 'DELETED' OR (epoch, sequence) <= (old_epoch, old_sequence)`);
  assert.deepEqual(rows, [], 'no row went back');
  const { rows: counts } = await world.pool.query<{ count: number }>('SELECT count(*)::integer AS count FROM writes');
  assert.ok((counts[0]?.count ?? 0) > 100, 'the runs wrote something');
});
