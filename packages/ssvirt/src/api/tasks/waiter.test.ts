import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { after, afterEach, before, suite, test } from 'node:test';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization } from '../../../../../test/database/rows.ts';
import type { OrganizationId } from '../../db/schema/schema.ts';
import { advanceTask, createTask, type ShownTask } from '../../db/tasks/tasks.ts';
import { ApiError } from '../errors.ts';
import { TaskWaiter } from './waiter.ts';

const long = 60_000;

suite('who waits for a task', { timeout: 180_000 }, () => {
  let harness: TestDatabase;
  let organization: OrganizationId;
  const waiters: TaskWaiter[] = [];
  before(async () => {
    harness = await startTestDatabase();
    organization = (await makeOrganization(harness.database.db)).id;
  });
  afterEach(() => Promise.all(waiters.splice(0).map((waiter) => waiter.close())));
  after(() => harness.stop());

  function waiter(idleMs?: number): TaskWaiter {
    const made = new TaskWaiter(harness.database, idleMs === undefined ? {} : { idleMs });
    waiters.push(made);
    return made;
  }

  async function running(): Promise<ShownTask> {
    const { db } = harness.database;
    const task = await createTask(db, {
      organization_id: organization,
      owner_kind: 'vdc',
      owner_id: randomUUID(),
      operation: 'vdcCreate',
    });
    await advanceTask(db, task.id, { status: 'running', step: 'namespace' });
    return task;
  }

  const end = (task: ShownTask) => advanceTask(harness.database.db, task.id, { status: 'success' });

  /** The number of database sessions that run LISTEN. */
  async function listeners(): Promise<number> {
    const { rows } = await harness.database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    return rows[0]?.count ?? 0;
  }

  async function listenersAre(count: number): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      if ((await listeners()) === count) return;
      await pause(5);
    }
    assert.equal(await listeners(), count);
  }

  test('gets it at once where it has ended, and without a reader', async () => {
    const task = await running();
    await end(task);
    assert.equal((await waiter().wait(harness.database.db, organization, task.id, long)).status, 'success');
    assert.equal(await listeners(), 0);
  });

  test('gets it when it ends; many share one connection', async () => {
    const { db } = harness.database;
    const one = waiter();
    const tasks = await Promise.all([running(), running(), running()]);
    const waits = tasks.flatMap((task) => [
      one.wait(db, organization, task.id, long),
      one.wait(db, 'all', task.id, long),
    ]);
    await listenersAre(1);
    for (const task of tasks) await end(task);
    assert.deepEqual(new Set((await Promise.all(waits)).map(({ status }) => status)), new Set(['success']));
  });

  test('misses no end that comes while the wait begins', async () => {
    const { db } = harness.database;
    const one = waiter(1);
    for (let round = 0; round < 10; round += 1) {
      const task = await running();
      const [waited] = await Promise.all([one.wait(db, organization, task.id, long), end(task)]);
      assert.equal(waited.status, 'success');
    }
  });

  test('gets it as it is when the time is up, when the caller leaves, and when the server stops', async () => {
    const { db } = harness.database;
    const task = await running();
    // The readers of these waiters end at once, because listeners are counted below.
    assert.equal((await waiter(1).wait(db, organization, task.id, 20)).step, 'namespace');
    const left = new AbortController();
    const waiting = waiter(1).wait(db, organization, task.id, long, left.signal);
    left.abort();
    assert.equal((await waiting).status, 'running');
    const stopped = waiter();
    const held = stopped.wait(db, organization, task.id, long);
    await listenersAre(1);
    await stopped.close();
    assert.equal((await held).status, 'running');
    assert.equal((await stopped.wait(db, organization, task.id, long)).status, 'running');
  });

  test('leaves no connection behind when no request waits any more', async () => {
    const one = waiter(10);
    const task = await running();
    const waiting = one.wait(harness.database.db, organization, task.id, long);
    await listenersAre(1);
    await end(task);
    await waiting;
    await listenersAre(0);
  });

  test('is refused a task of others as one that is not there', async () => {
    const task = await running();
    const stranger = (await makeOrganization(harness.database.db)).id;
    const forbidden = (error: unknown): boolean =>
      error instanceof ApiError && error.code === 'ACCESS_TO_RESOURCE_IS_FORBIDDEN';
    await assert.rejects(waiter().wait(harness.database.db, stranger, task.id, long), forbidden);
    const missing = randomUUID() as typeof task.id;
    await assert.rejects(waiter().wait(harness.database.db, organization, missing, long), forbidden);
  });

  test('gets it though all connections were cut in between', async () => {
    const { db, pool } = harness.database;
    const task = await running();
    const waiting = waiter().wait(db, organization, task.id, long);
    await listenersAre(1);
    await pool
      .query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      .catch(() => undefined); // our own connection may be among them
    await end(task);
    assert.equal((await waiting).status, 'success');
  });
});
