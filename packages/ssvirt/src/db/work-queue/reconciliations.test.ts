/** Claims on entities: one worker at a time, and a lost claim writes nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, makeVm, unique } from '../../../../../test/database/rows.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { endTasks, reportTasks } from './claimed-tasks.ts';
import { backlogOf, explainOverdue, overdueClusters } from './reconciliation-backlog.ts';
import {
  claimDue,
  completeClaim,
  endClaim,
  failClaim,
  finishClaim,
  holdsClaim,
  LostClaim,
  markDue,
  markSeen,
  renewClaim,
  requestReconciliation,
  underClaim,
  type Claim,
  type ClaimRequest,
} from './reconciliations.ts';
import type { Tables, TaskId, VdcId } from '../schema/schema.ts';
import { createTask } from '../tasks/tasks.ts';
import { nothingApplied, readPlaces, recordApplied, recordFault } from '../vdcs/vdc-applied.ts';
import { removeVdc, undoVdc } from '../vdcs/vdc-removal.ts';
import { readVdcWork } from '../vdcs/vdc-work.ts';

const leaseMs = 60_000;
const failure = { minorErrorCode: 'CONFLICT', message: 'no' };

suite('claims', () => {
  let harness: TestDatabase;
  let db: Kysely<Tables>;
  before(async () => {
    harness = await startTestDatabase();
    ({ db } = harness.database);
  });
  after(() => harness?.stop());

  const request = async (cluster: string, id: string = randomUUID()): Promise<string> => {
    await requestReconciliation(db, 'vdc', id, cluster);
    return id;
  };
  const claim = (cluster: string, changes: Partial<ClaimRequest> = {}): Promise<readonly Claim[]> =>
    claimDue(db, { kind: 'vdc', owner: 'one', clusters: [cluster], limit: 10, leaseMs, ...changes });
  const only = async (cluster: string, changes: Partial<ClaimRequest> = {}): Promise<Claim> => {
    const [first, ...others] = await claim(cluster, changes);
    assert.ok(first);
    assert.equal(others.length, 0);
    return first;
  };
  /** Returns a claim that ends at once, and the one that follows it. */
  const lost = async (cluster: string, id?: string): Promise<readonly [Claim, Claim]> => {
    await request(cluster, id);
    const older = await only(cluster, { leaseMs: 0 });
    return [older, await only(cluster, { owner: 'two' })];
  };
  const row = async (id: string) =>
    db.selectFrom('reconciliations').selectAll().where('entity_id', '=', id).executeTakeFirst();

  test('are taken by one of many who ask at once', async () => {
    const cluster = unique('c');
    for (let i = 0; i < 20; i++) await request(cluster);
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(cluster, { owner: `${i}`, limit: 5 })));
    const ids = all.flat().map(({ entityId }) => entityId);
    assert.equal(new Set(ids).size, ids.length);
    const rest = await claim(cluster, { limit: 100 });
    assert.equal(ids.length + rest.length, 20);
  });

  test('are not given again before their time is up, and raise the attempt then', async () => {
    const cluster = unique('c');
    await request(cluster);
    const first = await only(cluster);
    assert.deepEqual(await claim(cluster), []);
    await renewClaim(db, first, 0);
    const second = await only(cluster, { owner: 'two' });
    assert.equal(second.attempt, first.attempt + 1);
  });

  test('are refused in a transaction: no other connection would see them', async () => {
    const request = { kind: 'vdc', owner: 'one', clusters: ['c'], limit: 1, leaseMs } as const;
    await assert.rejects(
      db.transaction().execute((tx) => claimDue(tx, request)),
      /cannot claim in a transaction/,
    );
  });

  test('of one cluster take nothing from another, and the limit is of each', async () => {
    const [one, other] = [unique('a'), unique('b')];
    for (let i = 0; i < 5; i++) await request(one);
    for (let i = 0; i < 2; i++) await request(other);
    const claims = await claimDue(db, { kind: 'vdc', owner: 'x', clusters: [one, other], limit: 3, leaseMs });
    const of = (cluster: string): number => claims.filter((found) => found.cluster === cluster).length;
    assert.deepEqual([of(one), of(other)], [3, 2]);
  });

  test('begin with those that have waited longest', async () => {
    const cluster = unique('c');
    const [late, early] = [await request(cluster), await request(cluster)];
    await sql`UPDATE reconciliations SET due_at = now() - interval '1 hour' WHERE entity_id = ${early}`.execute(db);
    assert.equal((await only(cluster, { limit: 1 })).entityId, early);
    assert.equal((await only(cluster, { limit: 1 })).entityId, late);
  });

  test('that are complete are due again in their time', async () => {
    const cluster = unique('c');
    const id = await request(cluster);
    assert.equal(await completeClaim(db, await only(cluster), { dueInMs: 60_000 }), true);
    assert.deepEqual(await claim(cluster), []);
    const { nextInMs = 0, due } = await backlogOf(db, 'vdc', cluster);
    assert.equal(due, 0);
    assert.ok(nextInMs > 50_000 && nextInMs <= 60_000, String(nextInMs));
    await markDue(db, 'vdc', [id]);
    assert.equal((await only(cluster)).entityId, id);
  });

  for (const [what, again] of [
    ['wished', (id: string, cluster: string) => request(cluster, id)],
    ['found to differ', (id: string) => markDue(db, 'vdc', [id])],
  ] as const)
    test(`are due at once where more was ${what} while they were worked on`, async () => {
      const cluster = unique('c');
      const id = await request(cluster);
      const first = await only(cluster);
      await again(id, cluster);
      await completeClaim(db, first, { dueInMs: 60_000 });
      const second = await only(cluster);
      assert.ok(second.requestNumber > first.requestNumber);
    });

  test('that are finished leave no row behind, unless more was wished meanwhile', async () => {
    const cluster = unique('c');
    const id = await request(cluster);
    const first = await only(cluster);
    await request(cluster, id);
    assert.equal(await finishClaim(db, first), true);
    const second = await only(cluster);
    assert.equal(await finishClaim(db, second), true);
    assert.equal(await row(id), undefined);
    assert.equal(await finishClaim(db, second), false);
  });

  test('of an entity that was finished and asked for again are others than those of before', async () => {
    const cluster = unique('c');
    const id = await request(cluster);
    const older = await only(cluster, { leaseMs: 0 });
    await finishClaim(db, await only(cluster));
    await request(cluster, id);
    const newer = await only(cluster);
    assert.ok(newer.attempt > older.attempt + 1, `${older.attempt}, then ${newer.attempt}`);
    assert.equal(await holdsClaim(db, older), false);
  });

  test('are looked at again where something was seen of their entities, also while others hold some of them', async () => {
    const cluster = unique('c');
    const ids = [await request(cluster), await request(cluster)] as const;
    for (const one of await claim(cluster)) await completeClaim(db, one, { dueInMs: 60_000 });
    let seen: Promise<number> | undefined;
    await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM reconciliations WHERE entity_id = ${ids[0]} FOR UPDATE`.execute(tx);
      seen = markSeen(db, 'vdc', [...ids, randomUUID()]);
      await until('the other is due', async () => ((await row(ids[1]))?.due_at ?? Infinity) <= new Date());
    });
    assert.equal(await seen, 2);
    assert.equal((await claim(cluster)).length, 2);
  });

  test('that failed wait, say why, and count; a new wish does not wait', async () => {
    const cluster = unique('c');
    const id = await request(cluster);
    await failClaim(db, await only(cluster), { message: 'waits for it', retryInMs: 60_000 });
    assert.equal((await row(id))?.message, 'waits for it');
    // An entity that was only observed to differ keeps its retry time.
    await markDue(db, 'vdc', [id]);
    assert.deepEqual(await claim(cluster), []);
    await request(cluster, id);
    assert.equal((await only(cluster)).failures, 0);
  });

  test('of which the time is up are kept until another replica has taken them', async () => {
    const cluster = unique('c');
    await request(cluster);
    const mine = await only(cluster, { leaseMs: 0 });
    assert.equal(await renewClaim(db, mine, leaseMs), true);
    assert.deepEqual(await claim(cluster), []);
  });

  test('that were completed are not written for again', async () => {
    const cluster = unique('c');
    await request(cluster);
    const mine = await only(cluster);
    await completeClaim(db, mine, { dueInMs: 0 });
    assert.equal(await holdsClaim(db, mine), false);
    assert.equal(await completeClaim(db, mine, { dueInMs: 0 }), false);
  });

  test('hold off whoever comes while something is written for them', async () => {
    const cluster = unique('c');
    await request(cluster);
    const mine = await only(cluster, { leaseMs: 0 });
    const started = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const writing = underClaim(db, mine, async () => {
      started.resolve();
      await end.promise;
    });
    await started.promise;
    assert.deepEqual(await claim(cluster), []);
    end.resolve();
    await writing;
    assert.equal((await only(cluster)).attempt, mine.attempt + 1);
  });

  suite('that were lost', () => {
    const booleans: readonly (readonly [string, (older: Claim) => Promise<boolean>])[] = [
      ['are not renewed', (older) => renewClaim(db, older, leaseMs)],
      ['are not completed', (older) => completeClaim(db, older, { dueInMs: 0 })],
      ['do not fail', (older) => failClaim(db, older, { message: 'late', retryInMs: 0 })],
      ['do not end', (older) => endClaim(db, older)],
      ['are not held', (older) => holdsClaim(db, older)],
    ];
    for (const [what, write] of booleans)
      test(what, async () => {
        const [older, newer] = await lost(unique('c'));
        const was = await row(newer.entityId);
        assert.equal(await write(older), false);
        assert.deepEqual(await row(newer.entityId), was);
        assert.equal(await holdsClaim(db, newer), true);
      });

    interface Victim {
      readonly older: Claim;
      readonly newer: Claim;
      readonly vdc: VdcId;
      readonly task: TaskId;
    }
    const victim = async (): Promise<Victim> => {
      const cluster = unique('c');
      const { id: vdc, organization_id } = await makeVdc(db, { cluster });
      const { id: task } = await createTask(db, {
        organization_id,
        owner_kind: 'vdc',
        owner_id: vdc,
        operation: 'vdcCreate',
      });
      const [older, newer] = await lost(cluster, vdc);
      return { older, newer, vdc, task };
    };
    const writes: readonly (readonly [string, (claimed: Claim, victim: Victim) => Promise<unknown>])[] = [
      ['record nothing that was applied', (held) => recordApplied(db, held, { ...nothingApplied, ready: true })],
      ['record no fault', (held) => recordFault(db, held, 'late')],
      ['move no task', (held, { task }) => reportTasks(db, held, [task], { step: 'late', progress: 5 })],
      ['end no task', (held, { task }) => endTasks(db, held, [task])],
      ['undo nothing', (held) => undoVdc(db, held, failure)],
      ['remove nothing', (held) => removeVdc(db, held, failure)],
    ];
    for (const [what, write] of writes)
      test(what, async () => {
        const found = await victim();
        const was = await readVdcWork(db, found.vdc);
        await assert.rejects(write(found.older, found), LostClaim);
        assert.deepEqual(await readVdcWork(db, found.vdc), was);
        // The same write with the present claim succeeds.
        await write(found.newer, found);
        assert.notDeepEqual(await readVdcWork(db, found.vdc), was);
      });
  });

  suite('that end in a removal', () => {
    const removed = async (operation: string, fault?: string) => {
      const cluster = unique('c');
      const vdc = await makeVdc(db, { cluster });
      const vapp = await makeVapp(db, { vdc_id: vdc.id });
      await makeVm(db, { vapp_id: vapp.id, cluster, namespace: vdc.namespace });
      const owner = { owner_kind: 'vdc', owner_id: vdc.id } as const;
      const { id } = await createTask(db, { organization_id: vdc.organization_id, ...owner, operation });
      await request(cluster, vdc.id);
      const held = await only(cluster);
      if (fault !== undefined)
        assert.equal(await undoVdc(db, held, { minorErrorCode: 'BAD_REQUEST', message: fault }), true);
      await removeVdc(db, held, failure);
      assert.equal(await row(vdc.id), undefined);
      assert.equal((await readPlaces(db, [vdc.id]))[0]?.state, 'deleted');
      const { rows } = await sql`
        SELECT FROM vapps a LEFT JOIN vms v ON v.vapp_id = a.id WHERE a.vdc_id = ${vdc.id} AND (a.deleted_at IS NULL OR v.deleted_at IS NULL)
      `.execute(db);
      assert.equal(rows.length, 0);
      return db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    };
    test('give who asked for it what they asked for', async () => {
      const { status, error } = await removed('vdcDelete');
      assert.deepEqual([status, error], ['success', null]);
    });
    test('tell the others why not', async () => {
      const { status, error } = await removed('vdcUpdate');
      assert.deepEqual([status, error], ['error', failure]);
    });
    test('tell who was refused the reason of the refusal', async () => {
      const { status, error } = await removed('vdcCreate', 'the cluster refuses');
      assert.deepEqual([status, error?.['message']], ['error', 'the cluster refuses']);
    });
  });

  test('undo nothing where something else was wished meanwhile', async () => {
    const cluster = unique('c');
    const vdc = await makeVdc(db, { cluster });
    await request(cluster, vdc.id);
    const held = await only(cluster);
    await request(cluster, vdc.id);
    assert.equal(await undoVdc(db, held, failure), false);
    assert.equal((await readVdcWork(db, vdc.id))?.vdc.desired_state, 'present');
  });

  test('that no replica takes are explained, those of clusters that are reached are not', async () => {
    const [away, here] = [unique('away'), unique('here')];
    const id = await request(away);
    const other = await request(here);
    const overdue = { kind: 'vdc', sinceMs: 0 } as const;
    await until('it is overdue', async () =>
      (await overdueClusters(db, { ...overdue, except: [here] })).includes(away),
    );
    assert.equal((await overdueClusters(db, { ...overdue, except: [here] })).includes(here), false);
    await explainOverdue(db, { ...overdue, cluster: away, message: 'waits' });
    assert.equal((await row(id))?.message, 'waits');
    assert.equal((await row(other))?.message, '');
  });
});
