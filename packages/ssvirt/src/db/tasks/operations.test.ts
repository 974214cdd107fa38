/** Tasks and audit events. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import { sql, type Kysely } from 'kysely';

import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeOrganization, makeUser } from '../../../../../test/database/rows.ts';
import { appendAuditEvent, listAuditEvents } from '../retention/audit.ts';
import { Missing } from '../connection/duplicate.ts';
import type { Filter, ListRequest } from '../lists/contracts.ts';
import type { OrganizationId, Tables, TaskId, TaskStatus } from '../schema/schema.ts';
import { advanceTask, cameFrom, createTask, getTask, listTasks, type Task } from './tasks.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
});
after(() => running.stop());

const everything = { page: 1, pageSize: 1000 };

async function makeTask(organization_id?: OrganizationId, owner_id: string = randomUUID()): Promise<Task> {
  const organization = organization_id ?? (await makeOrganization(db)).id;
  return createTask(db, { organization_id: organization, owner_kind: 'vm', owner_id, operation: 'powerOn' });
}

function compare(field: string, text: string): Filter {
  return { kind: 'compare', field, comparison: '==', operand: { text } };
}

describe('tasks', () => {
  test('a task is queued, runs, says how far it is, and ends', async () => {
    const user = await makeUser(db);
    const made = await createTask(db, {
      organization_id: user.organization_id,
      user_id: user.id,
      owner_kind: 'vm',
      owner_id: randomUUID(),
      operation: 'powerOn',
      details: { force: true },
    });
    assert.deepEqual([made.status, made.progress, made.started_at, made.ended_at], ['queued', 0, null, null]);
    const advanced = await advanceTask(db, made.id, { status: 'running', progress: 10, step: 'waiting for the guest' });
    assert.deepEqual([advanced?.status, advanced?.progress, advanced?.step], ['running', 10, 'waiting for the guest']);
    assert.ok(advanced?.started_at instanceof Date);
    const further = await advanceTask(db, made.id, { status: 'running', progress: 60 });
    assert.deepEqual([further?.progress, further?.step], [60, 'waiting for the guest']);
    assert.deepEqual(further?.started_at, advanced.started_at);
    const ended = await advanceTask(db, made.id, { status: 'success', details: { took: 3 } });
    assert.deepEqual([ended?.status, ended?.progress, ended?.details], ['success', 100, { took: 3 }]);
    assert.ok(ended?.ended_at instanceof Date);
    assert.partialDeepStrictEqual(await getTask(db, 'all', made.id), ended);
  });

  test('only the transitions of the table happen, and a task that has ended never changes', async () => {
    const { id: organization } = await makeOrganization(db);
    const states = Object.keys(cameFrom) as TaskStatus[];
    const allowed: string[] = [];
    for (const from of states) {
      for (const to of states) {
        if (to === 'queued') continue;
        const { id } = await makeTask(organization);
        for (const step of wayTo[from]) assert.ok(await advanceTask(db, id, { status: step }), `${step} on the way`);
        const before = await getTask(db, 'all', id);
        assert.equal(before?.status, from);
        const after = await advanceTask(db, id, { status: to, step: 'further' });
        if (after === undefined) assert.deepEqual(await getTask(db, 'all', id), before);
        else allowed.push(`${from} → ${to}`);
      }
    }
    assert.deepEqual(allowed.toSorted(), expectedTransitions.toSorted());
  });

  test('a task that failed says why', async () => {
    const { id } = await makeTask();
    const error = { minorErrorCode: 'BUSY_ENTITY', message: 'The machine is being moved.' };
    assert.deepEqual((await advanceTask(db, id, { status: 'error', error }))?.error, error);
    assert.equal(await advanceTask(db, randomUUID() as TaskId, { status: 'running' }), undefined);
  });

  test('an organisation sees its own, newest first, of one owner or those that are open', async () => {
    const { id: organization } = await makeOrganization(db);
    const first = await makeTask(organization);
    const second = await makeTask(organization, first.owner_id);
    const third = await makeTask(organization);
    const foreign = await makeTask(undefined, first.owner_id);
    await advanceTask(db, first.id, { status: 'canceled' });
    const listed = async (filter: Pick<ListRequest, 'filter'> = {}) =>
      (await listTasks(db, organization, { ...everything, ...filter })).rows.map(({ id }) => id);
    const ofOwner = compare('owner.id', first.owner_id);
    assert.deepEqual(await listed(), [third.id, second.id, first.id]);
    assert.deepEqual(await listed({ filter: ofOwner }), [second.id, first.id]);
    const open = { kind: 'and', parts: [ofOwner, compare('status', 'QUEUED')] } as const;
    assert.deepEqual(await listed({ filter: open }), [second.id]);
    assert.equal(await getTask(db, organization, foreign.id), undefined);
    assert.deepEqual(await getTask(db, 'all', foreign.id), foreign);
  });

  test('pages skip no task, though many were made in the same millisecond', async () => {
    const { id: organization_id } = await makeOrganization(db);
    const at = new Date('2026-01-01T00:00:00.000Z');
    await sql`
      INSERT INTO tasks (organization_id, owner_kind, owner_id, operation, created_at)
      SELECT ${organization_id}, 'vm', gen_random_uuid(), n::text, ${at}::timestamptz + (n / 3) * interval '1 microsecond'
      FROM generate_series(0, 9) n
    `.execute(db);
    const pages = [1, 2, 3, 4].map((page) => listTasks(db, organization_id, { page, pageSize: 3 }));
    const seen = (await Promise.all(pages)).flatMap(({ rows }) => rows.map(({ operation }) => operation));
    assert.equal(seen.length, 10);
    assert.equal(seen[0], '9');
    assert.deepEqual(new Set(seen).size, 10);
  });

  test('its organisation must be there', async () => {
    const missing = (error: unknown) => error instanceof Missing && error.column === 'organization_id';
    await assert.rejects(makeTask(randomUUID() as OrganizationId), missing);
  });
});

const wayTo: Readonly<Record<TaskStatus, readonly Exclude<TaskStatus, 'queued'>[]>> = {
  queued: [],
  preRunning: ['preRunning'],
  running: ['running'],
  success: ['running', 'success'],
  error: ['error'],
  canceled: ['canceled'],
  aborted: ['preRunning', 'aborted'],
};

const expectedTransitions = [
  ...['preRunning', 'running', 'error', 'canceled', 'aborted'].map((to) => `queued → ${to}`),
  ...['preRunning', 'running', 'error', 'canceled', 'aborted'].map((to) => `preRunning → ${to}`),
  ...['running', 'success', 'error', 'canceled', 'aborted'].map((to) => `running → ${to}`),
];

describe('audit events', () => {
  test('events are appended, and an organisation sees its own, newest first', async () => {
    const user = await makeUser(db);
    const mine = { organization_id: user.organization_id, user_id: user.id, user_name: user.username };
    const vm = { entity_kind: 'vm', entity_id: randomUUID(), entity_name: 'web' };
    await appendAuditEvent(db, { ...mine, action: 'powerOn', ...vm, outcome: 'success', details: { force: true } });
    await appendAuditEvent(db, { ...mine, action: 'delete', ...vm, outcome: 'refused', request_id: 'r-1' });
    await appendAuditEvent(db, { action: 'logIn', outcome: 'failed', client_address: '192.0.2.1' });
    const { rows, total } = await listAuditEvents(db, user.organization_id, everything);
    assert.deepEqual(
      rows.map(({ action, outcome }) => [action, outcome]),
      [
        ['delete', 'refused'],
        ['powerOn', 'success'],
      ],
    );
    assert.equal(total, 2);
    assert.deepEqual(rows[1]?.details, { force: true });
    assert.equal((await listAuditEvents(db, 'all', everything)).total, 3);
  });

  test('events of what is long gone stay', async () => {
    const organization_id = randomUUID() as OrganizationId;
    await appendAuditEvent(db, { organization_id, action: 'delete', outcome: 'success' });
    assert.equal((await listAuditEvents(db, organization_id, everything)).total, 1);
  });
});
