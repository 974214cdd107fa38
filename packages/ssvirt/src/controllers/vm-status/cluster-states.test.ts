/**
 * The states of clusters in a real PostgreSQL: when a cluster may be written, when it is stale, and when it is up to
 * date.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { pino } from 'pino';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { unique } from '../../../../../test/database/rows.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { LeapClock } from '../../../../../test/vm-status/leap-clock.ts';
import type { RecordedCluster } from '../../db/observations/contracts.ts';
import { createLeaderStore } from '../../db/observations/leaders.ts';
import { createObservationStore } from '../../db/observations/store.ts';
import { ClusterStates } from './cluster-states.ts';
import type { ContactTrouble } from './contacts.ts';
import type { ClusterWatch, Readability } from './watch/cluster-watch.ts';

const staleAfterMs = 15_000;
const soon = { deadlineMs: 5000 };

let running: TestDatabase;
let world: World;
before(async () => {
  running = await startTestDatabase();
});
afterEach(() => world.end());
after(() => running?.stop());

/** One cluster, and the `ClusterStates` that observes it. */
class World {
  readonly name = unique('cluster');
  readonly clock = new LeapClock();
  identity: string | undefined = 'first';
  read: Readability = { state: 'starting' };
  waits = false;
  trouble: ContactTrouble | undefined;
  admitted = 0;
  looks = 0;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();

  async start({ isWatched = true } = {}): Promise<void> {
    const { pool } = running.database;
    const readability = (): Readability => this.read;
    // The code under test uses only this method of a watch.
    const watch = { readability } as unknown as ClusterWatch;
    const states = new ClusterStates({
      fleet: {
        identityOf: (name) => {
          if (name !== this.name) return undefined;
          this.looks++;
          return this.identity;
        },
        stateOf: () => undefined,
        listConfigs: () => [],
      },
      store: createObservationStore(pool),
      watches: () => new Map(isWatched ? [[this.name, watch]] : []),
      waits: () => this.waits,
      trouble: () => this.trouble,
      admitted: () => void this.admitted++,
      clock: this.clock,
      log: pino({ level: 'silent' }),
      staleAfterMs,
      lookMs: 5,
    });
    const name = unique('states');
    const raised = { name, leaseEpoch: 1, holder: name, staleAfterMs: 30_000 };
    const epoch = (await createLeaderStore(pool).raise(raised)) ?? 0;
    this.#running = states.run({ name, epoch }, this.#ending.signal);
  }

  /** Writes what an earlier leader would have recorded. */
  async recorded(state: 'synced' | 'stale', identity = 'first'): Promise<void> {
    await running.database.pool.query('INSERT INTO clusters (name, identity, state, epoch) VALUES ($1, $2, $3, 0)', [
      this.name,
      identity,
      state,
    ]);
  }

  async row(): Promise<RecordedCluster | undefined> {
    const all = await createObservationStore(running.database.pool).clusters();
    return all.find(({ name }) => name === this.name);
  }

  is(state: RecordedCluster['state']): Promise<void> {
    return until(`it is ${state}`, async () => (await this.row())?.state === state, soon);
  }

  /** Resolves when the consequences of the current state have been written. */
  async looked(): Promise<void> {
    const from = this.looks;
    await until('it was looked at some times more', () => this.looks > from + 3, soon);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }
}

test('a cluster that is new may be written, and is up to date when what it said by then is written', async () => {
  world = new World();
  world.waits = true;
  await world.start();
  await world.is('stale');
  await until('it is admitted', () => world.admitted === 1, soon);
  world.read = { state: 'synced', unreadable: ['closed'] };
  await world.looked();
  assert.equal((await world.row())?.state, 'stale', 'its rows are not what it has');
  world.waits = false;
  await world.is('synced');
  const { message, identity, unreadableNamespaces } = (await world.row())!;
  assert.deepEqual([message, identity, unreadableNamespaces], ['', 'first', ['closed']]);
  assert.equal(world.admitted, 1);
});

test('a cluster that cannot be read is stale when that lasts, and not before', async () => {
  world = new World();
  await world.recorded('synced');
  world.read = { state: 'failing', since: world.clock.now(), message: 'no route' };
  await world.start();
  await world.looked();
  assert.equal((await world.row())?.state, 'synced');
  world.clock.leap(staleAfterMs);
  await world.is('stale');
  assert.match((await world.row())?.message ?? '', /cannot be read: no route/);
});

test('a cluster whose watches go on is stale when it is not reachable for long', async () => {
  world = new World();
  await world.recorded('synced');
  world.read = { state: 'synced', unreadable: [] };
  world.trouble = { since: world.clock.now(), message: 'it does not say who it is' };
  await world.start();
  await world.looked();
  assert.equal((await world.row())?.state, 'synced');
  world.clock.leap(staleAfterMs);
  await world.is('stale');
  assert.match((await world.row())?.message ?? '', /cannot be read: it does not say who it is/);
  world.trouble = undefined;
  await world.is('synced');
});

test('a cluster that this process has not met is stale when that lasts, and not before', async () => {
  world = new World();
  await world.recorded('synced');
  await world.start({ isWatched: false });
  await world.looked();
  assert.equal((await world.row())?.state, 'synced');
  world.clock.leap(staleAfterMs);
  await world.is('stale');
  assert.equal(world.admitted, 0);
});

test('another cluster under a known name is not written until a person accepts it', async () => {
  world = new World();
  await world.recorded('synced');
  world.identity = 'second';
  world.read = { state: 'synced', unreadable: [] };
  await world.start();
  await world.is('frozen');
  await world.looked();
  const { message = '', identity } = (await world.row()) ?? {};
  assert.match(message, new RegExp(`run: ssvirt database accept-cluster ${world.name} second`));
  assert.deepEqual([identity, world.admitted], ['first', 0]);
  const accept = 'UPDATE clusters SET accepted_identity = $2 WHERE name = $1';
  await running.database.pool.query(accept, [world.name, 'second']);
  await world.is('synced');
  assert.deepEqual([(await world.row())?.identity, world.admitted], ['second', 1]);
});
