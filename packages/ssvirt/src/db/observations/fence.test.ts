import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { openDatabase, type Database } from '../connection/database.ts';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import {
  addVm,
  buildWorld,
  insert,
  isWaiting,
  observation,
  until,
  type World,
} from '../../../../../test/database/observed-world.ts';
import { OutcomeUnknown } from './connection.ts';
import { Fenced, type ObservationStore, type VmObservation, type WriterTerm, type WriteResult } from './contracts.ts';
import { createLeaderStore } from './leaders.ts';
import { createObservationStore } from './store.ts';

let test: TestDatabase;
/** The writer's own connections, separate from those that observe and hold locks. */
let writer: Database;
let world: World;
let store: ObservationStore;
let term: WriterTerm;
let holder: pg.Client;
let sequence = 0;
let names = 0;

before(async () => {
  test = await startTestDatabase();
  writer = openDatabase({ url: test.url, maxConnections: 3 });
  world = await buildWorld(test.database.pool);
  term = world.term;
  store = createObservationStore(writer.pool);
  // A VM on the node `slow` makes its statement wait in the middle of writing, while the advisory lock 1 is held.
  await world.pool.query(`
    CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.node = 'slow' THEN PERFORM pg_advisory_xact_lock_shared(1); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER linger BEFORE INSERT OR UPDATE ON vm_observed FOR EACH ROW EXECUTE FUNCTION linger()`);
});
after(async () => {
  await writer.close();
  await test.stop();
});
beforeEach(async () => {
  holder = new pg.Client(test.url);
  await holder.connect();
});
afterEach(() => holder.end());

const seen = (changes: Partial<VmObservation> = {}): VmObservation =>
  observation({ name: `vm-${++names}`, vappId: world.vapp, ...changes });

async function write(...observations: readonly VmObservation[]): Promise<readonly WriteResult[]> {
  return (await store.write(term, ++sequence, { observations, deletions: [] })).observations;
}

async function statusOf(uid: string): Promise<unknown> {
  const { rows } = await world.pool.query<{ status: string }>('SELECT status FROM vm_observed WHERE uid = $1', [uid]);
  return rows[0]?.status;
}

const outcomes = (results: readonly WriteResult[]): readonly string[] => results.map(({ outcome }) => outcome);

describe('a locked row', () => {
  interface Case {
    readonly what: string;
    readonly hold: (machine: VmObservation) => Promise<void>;
    readonly given?: (machine: VmObservation) => Promise<unknown>;
    readonly outcome: string;
  }
  const lock = async (text: string, values: readonly unknown[]): Promise<void> => {
    await holder.query('BEGIN');
    assert.ok(((await holder.query(text, [...values])).rowCount ?? 0) > 0);
  };
  const cases: readonly Case[] = [
    {
      what: 'is the machine’s own',
      given: (machine) => write({ ...machine, status: 'POWERED_OFF' }),
      hold: ({ uid }) => lock('SELECT FROM vm_observed WHERE uid = $1 FOR UPDATE', [uid]),
      outcome: 'updated',
    },
    ...['vm_list_states', 'vm_list_keys'].map((table): Case => ({
      what: `is the copy in ${table} by which lists are sorted`,
      given: (machine) => write({ ...machine, status: 'POWERED_OFF' }),
      hold: ({ uid }) =>
        lock(`SELECT FROM ${table} k JOIN vm_observed o USING (vm_id) WHERE o.uid = $1 FOR UPDATE OF k`, [uid]),
      outcome: 'updated',
    })),
    {
      what: 'is of the machine that had the name before',
      given: (machine) => write({ ...machine, uid: randomUUID() }),
      hold: ({ name }) => lock('SELECT FROM vm_observed WHERE name = $1 FOR UPDATE', [name]),
      outcome: 'created',
    },
    {
      what: 'was asked for and is not bound yet',
      given: ({ name }) => addVm(world.pool, world.vapp, { name, vm_name: name }),
      hold: ({ name }) => lock('UPDATE vms SET description = $1 WHERE vm_name = $1', [name]),
      outcome: 'bound',
    },
    {
      what: 'is that of the vApp in which it is to be made',
      hold: () => lock('SELECT FROM vapps WHERE id = $1 FOR UPDATE', [world.vapp]),
      outcome: 'created',
    },
  ];
  for (const { what, given, hold, outcome } of cases)
    it(`is left out and said to be locked, and the others are written, where it ${what}`, async () => {
      const machine = seen();
      const elsewhere = await insert(world.pool, 'vapps', { vdc_id: world.vdc, name: `other-${names}` });
      await given?.(machine);
      await hold(machine);
      const both = [machine, seen({ vappId: elsewhere })] as const;
      assert.deepEqual(outcomes(await write(...both)), ['locked', 'created']);
      await holder.query('ROLLBACK');
      assert.deepEqual(outcomes(await write(...both)), [outcome, 'unchanged']);
    });

  it('is left out where it is that of the VDC, whose name is copied to a new machine', async () => {
    const machine = seen();
    await lock(`UPDATE vdcs SET name = 'renamed' WHERE id = $1`, [world.vdc]);
    assert.deepEqual(outcomes(await write(machine)), ['locked']);
    await holder.query('COMMIT');
    assert.deepEqual(outcomes(await write(machine)), ['created']);
    const { rows } = await world.pool.query(
      'SELECT k.vdc_name FROM vm_list_keys k JOIN vm_observed o USING (vm_id) WHERE o.uid = $1',
      [machine.uid],
    );
    assert.deepEqual(rows, [{ vdc_name: 'renamed' }]);
  });

  it('is left out of deletions too', async () => {
    const machine = seen();
    await write(machine);
    await lock('SELECT FROM vm_observed WHERE uid = $1 FOR UPDATE', [machine.uid]);
    const remove = (): Promise<readonly WriteResult[]> =>
      store
        .write(term, ++sequence, { observations: [], deletions: [{ cluster: 'east', uid: machine.uid }] })
        .then(({ deletions }) => deletions);
    assert.deepEqual(outcomes(await remove()), ['locked']);
    await holder.query('ROLLBACK');
    assert.deepEqual(outcomes(await remove()), ['updated']);
  });
});

describe('a statement whose outcome is unknown', () => {
  it('is waited for before anything else is written, and does not overwrite it', async () => {
    const machine = seen();
    await write(machine);
    await holder.query('SELECT pg_advisory_lock(1)');
    const gaveUp = new AbortController();
    const first = store.write(
      term,
      ++sequence,
      { observations: [{ ...machine, status: 'POWERED_OFF', node: 'slow' }], deletions: [] },
      gaveUp.signal,
    );
    await until('the first statement, held', () => isWaiting(world.pool, 'json_to_recordset'));
    gaveUp.abort();
    await assert.rejects(first, OutcomeUnknown);
    // The row is still POWERED_ON, so this statement has something to write only because of the first.
    const second = write(machine);
    await until('the second, behind it', () => isWaiting(world.pool, 'SET round = round'));
    await holder.query('SELECT pg_advisory_unlock(1)');
    assert.deepEqual(outcomes(await second), ['updated']);
    assert.equal(await statusOf(machine.uid), 'POWERED_ON');
  });

  it('is one whose connection was broken, and the next goes well', async () => {
    const machine = seen();
    await write(machine);
    await holder.query('SELECT pg_advisory_lock(1)');
    const first = write({ ...machine, status: 'POWERED_OFF', node: 'slow' });
    const broken = assert.rejects(first, OutcomeUnknown);
    await until('the first statement, held', () => isWaiting(world.pool, 'json_to_recordset'));
    await world.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    await broken;
    assert.deepEqual(outcomes(await write({ ...machine, status: 'SUSPENDED' })), ['updated']);
    assert.equal(await statusOf(machine.uid), 'SUSPENDED');
  });

  it('is not sent where it was given up before', async () => {
    const machine = seen();
    const batch = { observations: [machine], deletions: [] };
    await assert.rejects(store.write(term, ++sequence, batch, AbortSignal.abort(new Error('stopping'))), /stopping/);
    assert.equal(await statusOf(machine.uid), undefined);
  });
});

describe('a new leader', () => {
  const raise = (leaseEpoch: number): Promise<number | undefined> =>
    createLeaderStore(test.database.pool).raise({
      name: term.name,
      leaseEpoch,
      holder: `leader ${leaseEpoch}`,
      staleAfterMs: 60_000,
    });

  it('waits for the statement under way, after which the old one writes nothing', async () => {
    const machine = seen();
    await write(machine);
    await holder.query('SELECT pg_advisory_lock(1)');
    const underWay = write({ ...machine, status: 'POWERED_OFF', node: 'slow' });
    await until('the statement, held', () => isWaiting(world.pool, 'json_to_recordset'));
    const raised = raise(2);
    await until('the new leader, behind it', () => isWaiting(world.pool, 'INSERT INTO leaders'));
    await holder.query('SELECT pg_advisory_unlock(1)');
    const epoch = await raised;
    assert.ok(epoch !== undefined && epoch > term.epoch);
    assert.equal(await statusOf(machine.uid), 'POWERED_OFF', 'what was under way is there when the new leader begins');
    assert.deepEqual(outcomes(await underWay), ['updated']);
    await assert.rejects(write({ ...machine, status: 'SUSPENDED' }), Fenced);
    await assert.rejects(write(), Fenced, 'an empty batch is refused as well');
    await assert.rejects(store.writeVapps(term, ++sequence, []), Fenced);
    const cluster = { name: 'east', state: 'synced' as const, message: '', unreadableNamespaces: [] };
    await assert.rejects(store.writeCluster(term, cluster), Fenced);
    assert.equal(await statusOf(machine.uid), 'POWERED_OFF');
    term = { name: term.name, epoch };
  });

  it('bars a statement that waits for it', async () => {
    const machine = seen();
    await holder.query('BEGIN');
    await holder.query('UPDATE leaders SET epoch = epoch + 1 WHERE name = $1', [term.name]);
    const late = assert.rejects(write(machine), Fenced);
    await until('the statement, waiting', () => isWaiting(world.pool, 'json_to_recordset'));
    await holder.query('COMMIT');
    await late;
    assert.equal(await statusOf(machine.uid), undefined);
    term = { name: term.name, epoch: term.epoch + 1 };
  });

  it('writes over what the old one wrote with a higher sequence', async () => {
    const machine = seen();
    sequence += 1000;
    await write(machine);
    const epoch = await raise(3);
    assert.ok(epoch !== undefined);
    term = { name: term.name, epoch };
    sequence = 0;
    assert.deepEqual(outcomes(await write({ ...machine, status: 'POWERED_OFF' })), ['updated']);
  });
});
