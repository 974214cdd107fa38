/** Deletion of VDCs by real requests, concurrent with other changes to them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import {
  makeOrganization,
  makeVapp,
  makeVdc,
  makeVm,
  observe,
  someoneWaits,
  unique,
} from '../../../../../test/database/rows.ts';
import { Missing } from '../../db/connection/duplicate.ts';
import type { OrganizationId, TaskId, VappId, VdcId, VmId } from '../../db/schema/schema.ts';
import { advanceTask } from '../../db/tasks/tasks.ts';
import { createVapp } from '../../db/vapps/vapps.ts';
import { updateVdc } from '../../db/vdcs/vdcs.ts';
import { createVm } from '../../db/vms/vms.ts';

interface Body {
  readonly statusText: string;
  readonly message: string;
  readonly minorErrorCode: string;
  readonly task: { readonly id: string; readonly operationName: string };
}

suite('deleting a virtual data center', () => {
  let api: ApiHarness;
  let admin: Person;
  let organization_id: OrganizationId;

  before(async () => {
    api = await startApi();
    admin = await api.person('System Administrator');
    organization_id = (await makeOrganization(api.db)).id;
  });
  after(() => api.stop());

  const ask = (method: string, id: VdcId, { query = '', headers = {}, body }: Rest = {}): Promise<Answer<Body>> =>
    api.ask<Body>(method, `/api/admin/org/urn:vcloud:org:${organization_id}/vdcs/urn:vcloud:vdc:${id}${query}`, {
      token: admin.token,
      headers,
      body,
    });
  const remove = (id: VdcId, rest?: Rest): Promise<Answer<Body>> => ask('DELETE', id, rest);

  async function vdcWith(...vms: readonly string[]): Promise<{ vdc: VdcId; vapp: VappId; vms: readonly VmId[] }> {
    const { id: vdc } = await makeVdc(api.db, { organization_id });
    const { id: vapp } = await makeVapp(api.db, { vdc_id: vdc });
    const made: VmId[] = [];
    for (const name of vms) made.push((await makeVm(api.db, { vapp_id: vapp, name })).id);
    return { vdc, vapp, vms: made };
  }

  async function states(vdc: VdcId): Promise<readonly string[]> {
    const { rows } = await sql<{ state: string }>`
      SELECT 'vdc ' || desired_state AS state FROM vdcs WHERE id = ${vdc}
      UNION ALL SELECT 'vapp ' || desired_state FROM vapps WHERE vdc_id = ${vdc}
      UNION ALL SELECT v.name || ' ' || v.desired_state FROM vms v JOIN vapps a ON a.id = v.vapp_id WHERE a.vdc_id = ${vdc}
    `.execute(api.db);
    return rows.map(({ state }) => state).toSorted();
  }

  async function count(table: 'tasks' | 'audit_events', column: string, id: VdcId): Promise<number> {
    const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`.execute(api.db);
    return rows.length;
  }

  async function requestNumbers(id: VdcId): Promise<number | undefined> {
    const { rows } = await sql<{ wish: number }>`SELECT wish FROM reconciliations WHERE entity_id = ${id}`.execute(
      api.db,
    );
    return rows[0]?.wish;
  }

  /** Waits until there is one. */
  async function openTask(owner: VdcId): Promise<TaskId> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const { rows } = await sql<{ id: TaskId }>`
        SELECT id FROM tasks WHERE owner_id = ${owner} AND ended_at IS NULL
      `.execute(api.db);
      if (rows[0] !== undefined) return rows[0].id;
      await pause(5);
    }
    throw new Error('no task after 10 s');
  }

  test('without machines asks for its removal and that of its empty vApps, by a task', async () => {
    const { vdc, vms } = await vdcWith('gone');
    await sql`UPDATE vms SET deleted_at = now() WHERE id = ${vms[0]}`.execute(api.db);
    const answer = await remove(vdc);
    assert.equal(answer.status, 202, answer.text);
    assert.deepEqual([answer.body.statusText, answer.body.task.operationName], ['DELETING', 'vdcDelete']);
    assert.equal(answer.headers['location'], `${api.url}/cloudapi/1.0.0/tasks/${answer.body.task.id}`);
    assert.deepEqual(await states(vdc), ['gone present', 'vapp absent', 'vdc absent']);
    assert.equal(await requestNumbers(vdc), 1);
    assert.equal((await ask('GET', vdc)).body.statusText, 'DELETING');
  });

  test('is refused with the numbers while it has machines, and changes nothing', async () => {
    const { vdc } = await vdcWith('one', 'two');
    const { status, body } = await remove(vdc);
    assert.deepEqual([status, body.minorErrorCode], [409, 'CONFLICT']);
    assert.match(
      body.message,
      /it has 2 virtual machines in 1 vApps\. Delete them first, or delete it with force=true/,
    );
    assert.equal((await remove(vdc, { query: '?force=false' })).status, 409);
    assert.deepEqual(await states(vdc), ['one present', 'two present', 'vapp present', 'vdc present']);
    assert.deepEqual([await requestNumbers(vdc), await count('tasks', 'owner_id', vdc)], [undefined, 0]);
  });

  test('does not count machines that the cluster says are gone', async () => {
    const { vdc, vapp } = await vdcWith();
    const vm = await makeVm(api.db, { vapp_id: vapp });
    await observe(api.db, vm, 'DELETED');
    assert.equal((await remove(vdc)).status, 202);
  });

  test('with force asks for the removal of all that is in it, also of what was only discovered', async () => {
    const { vdc, vapp, vms } = await vdcWith('requested', 'deleted');
    await sql`UPDATE vms SET deleted_at = now() WHERE id = ${vms[1]}`.execute(api.db);
    await sql`
      INSERT INTO vms (vapp_id, name, cluster, namespace, vm_name, origin, desired_state)
      VALUES (${vapp}, 'found', 'local', ${unique('ns')}, 'found', 'discovered', 'none')
    `.execute(api.db);
    const { vdc: other } = await vdcWith('bystander');
    const { status, text } = await remove(vdc, { query: '?force=true' });
    assert.equal(status, 202, text);
    assert.deepEqual(await states(vdc), [
      'deleted present',
      'found absent',
      'requested absent',
      'vapp absent',
      'vdc absent',
    ]);
    assert.deepEqual(await states(other), ['bystander present', 'vapp present', 'vdc present']);
  });

  test('anything but true and false for force is refused', async () => {
    const { vdc } = await vdcWith();
    const { status, body } = await remove(vdc, { query: '?force=perhaps' });
    assert.equal(status, 400);
    assert.match(body.message, /^force is "perhaps"; it must be true or false/);
  });

  test('again while it goes on answers with the same task; after that has failed, with another', async () => {
    const { vdc } = await vdcWith();
    const { task } = (await remove(vdc)).body;
    const again = await remove(vdc);
    assert.deepEqual([again.status, again.body.task.id], [202, task.id]);
    assert.deepEqual([await count('audit_events', 'entity_id', vdc), await requestNumbers(vdc)], [1, 1]);
    await advanceTask(api.db, task.id.slice(-36) as TaskId, { status: 'error', error: { message: 'stuck' } });
    const anew = await remove(vdc);
    assert.equal(anew.status, 202);
    assert.notEqual(anew.body.task.id, task.id);
    assert.equal(await requestNumbers(vdc), 2);
  });

  test('again with force, when machines turned up in it meanwhile, asks for theirs too', async () => {
    const { vdc, vapp } = await vdcWith();
    await remove(vdc);
    await sql`
      INSERT INTO vms (vapp_id, name, cluster, namespace, vm_name, origin, desired_state)
      VALUES (${vapp}, 'late', 'local', ${unique('ns')}, 'late', 'discovered', 'none')
    `.execute(api.db);
    assert.equal((await remove(vdc)).status, 202);
    assert.ok((await states(vdc)).includes('late none'));
    assert.equal((await remove(vdc, { query: '?force=true' })).status, 202);
    assert.ok((await states(vdc)).includes('late absent'));
    assert.equal(await count('tasks', 'owner_id', vdc), 1);
  });

  test('waits where that is preferred: 204 when it is gone, else what the task ended in', async () => {
    for (const [end, status] of [
      ['success', 204],
      ['error', 409],
    ] as const) {
      const { vdc } = await vdcWith();
      const waiting = remove(vdc, { headers: { prefer: 'wait=20' } });
      const id = await openTask(vdc);
      await advanceTask(api.db, id, { status: 'running' });
      await advanceTask(api.db, id, { status: end, ...(end === 'error' ? { error: { message: 'stuck' } } : {}) });
      const answer = await waiting;
      assert.equal(answer.status, status, answer.text);
      assert.equal(
        answer.text,
        end === 'success' ? '' : JSON.stringify({ minorErrorCode: 'CONFLICT', message: 'stuck', stackTrace: null }),
      );
    }
  });

  suite('at the same time as', () => {
    /** Holds the row's lock until both requests wait for it; then they run one after the other, in either order. */
    async function heldFor<T>(vdc: VdcId, start: () => Promise<T>): Promise<T> {
      const lock = await api.db.startTransaction().execute();
      await updateVdc(lock, vdc, { description: 'held' });
      const both = start();
      await someoneWaits(api.db);
      await lock.commit().execute();
      return both;
    }

    test('another deletion gives one task', async () => {
      const { vdc } = await vdcWith();
      const [one, two] = await heldFor(vdc, () => Promise.all([remove(vdc), remove(vdc)]));
      assert.deepEqual([one.status, two.status, one.body.task.id], [202, 202, two.body.task.id]);
      assert.deepEqual([await count('tasks', 'owner_id', vdc), await count('audit_events', 'entity_id', vdc)], [1, 1]);
    });

    test('a change: that comes first, or is refused', async () => {
      const { vdc } = await vdcWith();
      const [removal, change] = await heldFor(vdc, () =>
        Promise.all([remove(vdc), ask('PUT', vdc, { body: { vmQuota: 5 } })]),
      );
      assert.equal(removal.status, 202);
      assert.ok(change.status === 202 || change.body.minorErrorCode === 'BUSY_ENTITY', change.text);
      assert.deepEqual(await states(vdc), ['vapp absent', 'vdc absent']);
    });

    test('a vApp that is being created waits for it, and takes it along', async () => {
      const { vdc } = await vdcWith();
      const creation = await api.db.startTransaction().execute();
      await createVapp(creation, { vdc_id: vdc, name: 'just now' });
      const removal = remove(vdc);
      await someoneWaits(api.db);
      await creation.commit().execute();
      assert.equal((await removal).status, 202);
      assert.deepEqual(await states(vdc), ['vapp absent', 'vapp absent', 'vdc absent']);
    });

    test('a machine that is being created in a vApp is refused, since it has one then', async () => {
      const { vdc, vapp } = await vdcWith();
      const creation = await api.db.startTransaction().execute();
      await createVm(creation, { vapp_id: vapp, name: 'just now', vm_name: 'just-now' });
      const removal = remove(vdc);
      await someoneWaits(api.db);
      await creation.commit().execute();
      assert.equal((await removal).status, 409);
      assert.deepEqual(await states(vdc), ['just now present', 'vapp present', 'vdc present']);
    });

    test('a vApp or a machine that comes after it is refused', async () => {
      const { vdc, vapp } = await vdcWith();
      const before = { desired_state: 'absent' } as const;
      const lock = await api.db.startTransaction().execute();
      await updateVdc(lock, vdc, before);
      await lock.updateTable('vapps').set(before).where('vdc_id', '=', vdc).execute();
      const late = Promise.allSettled([
        createVapp(api.db, { vdc_id: vdc, name: 'late' }),
        createVm(api.db, { vapp_id: vapp, name: 'late', vm_name: 'late' }),
      ]);
      await someoneWaits(api.db);
      await lock.commit().execute();
      for (const [at, outcome] of (await late).entries()) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Missing, `${at}: ${outcome.status}`);
      }
      await assert.rejects(createVapp(api.db, { vdc_id: vdc, name: 'later' }), Missing);
    });
  });
});

interface Rest {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
