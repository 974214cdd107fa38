import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, someoneWaits, unique } from '../../../../../test/database/rows.ts';
import { requestReconciliation } from '../../db/work-queue/reconciliations.ts';
import { advanceTask, createTask, type ShownTask } from '../../db/tasks/tasks.ts';
import type { JsonObject } from '../../db/schema/schema.ts';
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import type { Vm } from '../../db/vms/vms.ts';

const tasks = '/cloudapi/1.0.0/tasks';

suite('tasks', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let admin: Person;
  before(async () => {
    api = await startApi();
    admin = await api.person('Organization Administrator');
  });
  after(() => api.stop());

  const get = (id: string, { token }: Person = admin): Promise<Answer> =>
    api.ask('GET', `${tasks}/urn:vcloud:task:${id}`, { token });
  const cancel = (id: string, { token }: Person = admin): Promise<Answer> =>
    api.ask('POST', `${tasks}/urn:vcloud:task:${id}/cancel`, { token });

  async function begin(
    person: Person = admin,
    operation = 'vdcCreate',
  ): Promise<{ readonly vdc: Vdc; readonly task: ShownTask }> {
    const vdc = await makeVdc(api.db, { organization_id: person.organizationId });
    const task = await createTask(api.db, {
      organization_id: person.organizationId,
      user_id: person.userId,
      owner_kind: 'vdc',
      owner_id: vdc.id,
      operation,
    });
    await requestReconciliation(api.db, 'vdc', vdc.id, vdc.cluster);
    return { vdc, task };
  }

  async function desired(vdc: Vdc): Promise<{ state: string; wish: number }> {
    const { desired_state } = await api.db
      .selectFrom('vdcs')
      .select('desired_state')
      .where('id', '=', vdc.id)
      .executeTakeFirstOrThrow();
    const { wish } = await api.db
      .selectFrom('reconciliations')
      .select('wish')
      .where('entity_id', '=', vdc.id)
      .executeTakeFirstOrThrow();
    return { state: desired_state, wish };
  }

  test('are shown with who asked, for what, and what they wait for', async () => {
    const { vdc, task } = await begin();
    const message = 'waits for the cluster local, which does not answer';
    await api.db.updateTable('reconciliations').set({ message }).where('entity_id', '=', vdc.id).execute();
    await advanceTask(api.db, task.id, { status: 'running', progress: 40, step: 'quota' });
    const { status, body } = await get(task.id, await api.person('System Administrator'));
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, startTime: '', user: (body['user'] as { id: string }).id, org: (body['org'] as { id: string }).id },
      {
        id: `urn:vcloud:task:${task.id}`,
        href: `${api.url}${tasks}/urn:vcloud:task:${task.id}`,
        type: 'application/vnd.vmware.vcloud.task+json',
        name: 'task',
        operation: `Creating virtual data center ${vdc.name}`,
        operationName: 'vdcCreate',
        status: 'running',
        progress: 40,
        step: 'quota',
        message,
        startTime: '',
        endTime: null,
        owner: { name: vdc.name, id: `urn:vcloud:vdc:${vdc.id}` },
        user: `urn:vcloud:user:${admin.userId}`,
        org: `urn:vcloud:org:${admin.organizationId}`,
        error: null,
        details: {},
      },
    );
  });

  test('that failed say why in the shape of every error, and wait for nothing', async () => {
    const { vdc, task } = await begin();
    await api.db.updateTable('reconciliations').set({ message: 'old' }).where('entity_id', '=', vdc.id).execute();
    const error = { minorErrorCode: 'CONFLICT', message: 'refused by the cluster' };
    await advanceTask(api.db, task.id, { status: 'error', error });
    const { body } = await get(task.id, await api.person('System Administrator'));
    assert.deepEqual(body['error'], { ...error, stackTrace: null });
    assert.equal(body['message'], '');
    assert.ok(Date.parse(String(body['endTime'])) >= Date.parse(String(body['startTime'])));
  });

  test('tell tenants nothing of what a cluster has said, one by one and in a list', async () => {
    const me = await api.person('Read-only');
    const { vdc, task } = await begin(me);
    const { task: failed } = await begin(me, 'vdcUpdate');
    const secret = 'waits for cluster "west": connect ECONNREFUSED 192.0.2.7:6443';
    await api.db.updateTable('reconciliations').set({ message: secret }).where('entity_id', '=', vdc.id).execute();
    await advanceTask(api.db, failed.id, { status: 'error', error: { minorErrorCode: 'CONFLICT', message: secret } });
    const listed = await api.ask('GET', tasks, { token: me.token });
    const texts = [listed.text, (await get(task.id, me)).text, (await get(failed.id, me)).text];
    for (const text of texts) assert.doesNotMatch(text, /west|ECONNREFUSED|192\.0\.2/);
    assert.match(texts[1] ?? '', /is waiting for its cluster/);
    assert.match(texts[2] ?? '', /"minorErrorCode":"CONFLICT","message":"It failed; ask the provider/);
  });

  test('are listed, filtered and named for all users of their organization, and no others', async () => {
    const me = await api.person('Organization Administrator');
    const { task, vdc } = await begin(me);
    const { task: other } = await begin(me, 'vdcDelete');
    await begin(); // a task of another organization
    const reader = await api.person('Read-only', me.organizationId);
    const { body } = await api.ask('GET', tasks, { token: reader.token });
    assert.equal(body['resultTotal'], 2);
    const listed = body['values'] as { id: string; owner: { name: string } }[];
    assert.deepEqual(new Set(listed.map(({ id }) => id.slice(-36))), new Set([task.id, other.id]));
    const filtered = await api.ask('GET', `${tasks}?filter=operationName==vdcCreate`, { token: reader.token });
    const [found, ...more] = filtered.body['values'] as { id: string; owner: { name: string } }[];
    assert.deepEqual([found?.id.slice(-36), found?.owner.name, more], [task.id, vdc.name, []]);
    const stranger = await get(task.id, await api.person('Organization Administrator'));
    assert.deepEqual([stranger.status, stranger.body], [403, (await get(randomUUID())).body]);
  });

  test('that create a virtual data center are canceled with it, so that nothing is orphaned', async () => {
    const { vdc, task } = await begin();
    const answer = await cancel(task.id);
    assert.deepEqual([answer.status, answer.body['status']], [200, 'canceled']);
    assert.deepEqual(await desired(vdc), { state: 'absent', wish: 2 });
    const event = await api.db
      .selectFrom('audit_events')
      .selectAll()
      .where('entity_id', '=', task.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([event.action, event.outcome, event.user_id], ['tasks.cancel', 'success', admin.userId]);
    const again = await cancel(task.id);
    assert.equal(again.status, 409);
    assert.match(String(again.body['message']), /has already ended \(canceled\)/);
  });

  test('are canceled by who asked for them, and by administrators; others see nothing of it', async () => {
    const { organizationId } = admin;
    const asked = await begin(await api.person('vApp User', organizationId));
    const other = await api.person('vApp Author', organizationId);
    const refused = await cancel(asked.task.id, other);
    assert.deepEqual([refused.status, refused.body], [403, (await cancel(randomUUID(), other)).body]);
    assert.equal((await cancel(asked.task.id, await api.person('Organization Administrator'))).status, 403);
    assert.deepEqual(await desired(asked.vdc), { state: 'present', wish: 1 });
    const own = await api.person('vApp User', organizationId);
    assert.equal((await cancel((await begin(own)).task.id, own)).status, 200);
    assert.equal((await cancel(asked.task.id, await api.person('System Administrator'))).status, 200);
  });

  test('that the provider has asked for are canceled by the provider only', async () => {
    const { task, vdc } = await begin();
    const provider = await api.person('System Administrator');
    await api.db.updateTable('tasks').set({ user_id: provider.userId }).where('id', '=', task.id).execute();
    const refused = await cancel(task.id);
    assert.equal(refused.status, 403);
    assert.match(String(refused.body['message']), /^Only a system administrator may cancel this task/);
    assert.deepEqual(await desired(vdc), { state: 'present', wish: 1 });
    assert.equal((await cancel(task.id, provider)).status, 200);
  });

  test('are not canceled where that would leave something half done, and say why', async () => {
    const ready = await begin();
    await api.db.insertInto('vdc_applied').values({ vdc_id: ready.vdc.id, ready: true }).execute();
    const ended = await begin();
    await advanceTask(api.db, ended.task.id, { status: 'error' });
    const leaving = await begin();
    await api.db.updateTable('vdcs').set({ desired_state: 'absent' }).where('id', '=', leaving.vdc.id).execute();
    const gone = await begin();
    await api.db.updateTable('vdcs').set({ deleted_at: new Date() }).where('id', '=', gone.vdc.id).execute();
    for (const [{ task }, says] of [
      [ready, /already exists.*delete it instead/],
      [ended, /has already ended \(error\)/],
      [leaving, /already being deleted/],
      [gone, /already being deleted/],
      [await begin(admin, 'vdcUpdate'), /vdcUpdate cannot be canceled/],
      [await begin(admin, 'vdcDelete'), /vdcDelete cannot be canceled/],
    ] as const) {
      const answer = await cancel(task.id);
      assert.equal(answer.status, 409, answer.text);
      assert.match(String(answer.body['message']), says);
    }
    assert.deepEqual(await desired(ready.vdc), { state: 'present', wish: 1 });
  });

  async function onMachine(
    operation: string,
    { hidden = false, details = {} }: { readonly hidden?: boolean; readonly details?: JsonObject } = {},
  ): Promise<{ readonly vm: Vm; readonly task: ShownTask }> {
    const { id: vdc_id } = await makeVdc(api.db, { organization_id: admin.organizationId, namespace: unique('ns') });
    const { id: vapp_id } = await makeVapp(api.db, { vdc_id, hidden });
    const vm = await makeVm(api.db, { vapp_id, desired_power: 'on' });
    await requestReconciliation(api.db, 'vm', vm.id, vm.cluster);
    const task = await taskOn('vm', vm.id, operation, details);
    return { vm, task };
  }

  function taskOn(kind: string, owner: string, operation: string, details: JsonObject = {}): Promise<ShownTask> {
    const { organizationId: organization_id, userId: user_id } = admin;
    return createTask(api.db, { organization_id, user_id, owner_kind: kind, owner_id: owner, operation, details });
  }

  const stateOf = async (table: 'vms' | 'vapps', id: string): Promise<string> => {
    const { rows } = await sql<{ desired_state: string }>`
      SELECT desired_state FROM ${sql.table(table)} WHERE id = ${id}
    `.execute(api.db);
    return rows[0]?.desired_state ?? 'none';
  };
  const wishesFor = async (...ids: readonly string[]): Promise<readonly string[]> => {
    const { rows } = await sql<{ kind: string }>`
      SELECT kind FROM reconciliations WHERE entity_id = ANY (${ids}::uuid[]) ORDER BY kind
    `.execute(api.db);
    return rows.map(({ kind }) => kind);
  };

  test('that create a machine are canceled with it; a vApp that was made for it goes too', async () => {
    const inVapp = await onMachine('vmCreate');
    const alone = await onMachine('vmCreate', { hidden: true });
    for (const { task } of [inVapp, alone]) assert.equal((await cancel(task.id)).body['status'], 'canceled');
    assert.deepEqual(
      [await stateOf('vms', inVapp.vm.id), await stateOf('vapps', inVapp.vm.vapp_id)],
      ['absent', 'present'],
    );
    assert.deepEqual(
      [await stateOf('vms', alone.vm.id), await stateOf('vapps', alone.vm.vapp_id)],
      ['absent', 'absent'],
    );
    assert.deepEqual(await wishesFor(inVapp.vm.id, inVapp.vm.vapp_id), ['vm']);
    assert.deepEqual(await wishesFor(alone.vm.id, alone.vm.vapp_id), ['vapp', 'vm']);
  });

  test('that instantiate a vApp are canceled with it, its machines and their tasks', async () => {
    const { vm, task: child } = await onMachine('vmCreate');
    const parent = await taskOn('vapp', vm.vapp_id, 'vappInstantiate');
    const details = { parent: parent.id };
    await api.db.updateTable('tasks').set({ details }).where('id', '=', child.id).execute();
    const refused = await cancel(child.id);
    assert.deepEqual([refused.status, /cancel the task of the vApp/.test(refused.text)], [409, true]);
    assert.equal((await cancel(parent.id)).body['status'], 'canceled');
    assert.equal((await get(child.id)).body['status'], 'canceled');
    assert.deepEqual([await stateOf('vapps', vm.vapp_id), await stateOf('vms', vm.id)], ['absent', 'absent']);
    assert.deepEqual(await wishesFor(vm.id, vm.vapp_id), ['vapp', 'vm']);
    assert.equal((await cancel((await taskOn('vapp', vm.vapp_id, 'vappInstantiate')).id)).status, 409);
  });

  test('that change power are canceled, alone or all of a vApp, and what is wanted stays', async () => {
    const { vm, task } = await onMachine('vmPowerOn');
    assert.equal((await cancel(task.id)).body['status'], 'canceled');
    const parent = await taskOn('vapp', vm.vapp_id, 'vappShutdown');
    const child = await taskOn('vm', vm.id, 'vmShutdown', { parent: parent.id });
    assert.equal((await cancel(parent.id)).body['status'], 'canceled');
    assert.equal((await get(child.id)).body['status'], 'canceled');
    const { desired_power } = await api.db
      .selectFrom('vms')
      .select('desired_power')
      .where('id', '=', vm.id)
      .executeTakeFirstOrThrow();
    assert.equal(desired_power, 'on');
    const sent = await onMachine('vmReset', { details: { sent: true } });
    assert.match((await cancel(sent.task.id)).text, /has already been sent/);
    const edit = await onMachine('vmUpdate');
    assert.match((await cancel(edit.task.id)).text, /vmUpdate cannot be canceled/);
  });

  test('on machines name neither clusters nor namespaces to tenants, and say nothing of failed attempts', async () => {
    const { vm, task } = await onMachine('vmCreate');
    const notStopped = `cluster "${vm.cluster}" refuses: HTTP 403: not in namespace "${vm.namespace}"`;
    const doomed = await taskOn('vm', vm.id, 'vmDelete', { notStopped });
    assert.deepEqual((await get(doomed.id)).body['details'], {
      notStopped: 'the cluster refuses: HTTP 403: not in the virtual data center',
    });
    const message = `waits for the namespace "${vm.namespace}" to be ready`;
    const say = (more: object) =>
      api.db
        .updateTable('reconciliations')
        .set({ message, ...more })
        .where('entity_id', '=', vm.id)
        .execute();
    await say({});
    assert.equal((await get(task.id)).body['message'], 'waits for the virtual data center to be ready');
    assert.equal((await get(task.id, await api.person('System Administrator'))).body['message'], message);
    await say({ failures: 1, message: 'connect ECONNREFUSED 192.0.2.7:6443' });
    assert.match(String((await get(task.id)).body['message']), /^It is waiting for its cluster/);
    const error = {
      minorErrorCode: 'CONFLICT',
      message: `denied in ${vm.namespace} of cluster "${vm.cluster}": too large`,
    };
    await advanceTask(api.db, task.id, { status: 'error', error });
    const { body } = await get(task.id);
    assert.equal((body['error'] as { message: string }).message, 'denied in … of the cluster: too large');
  });

  test('that end while they are being canceled have ended, and what they made stays', async () => {
    const { vdc, task } = await begin();
    await advanceTask(api.db, task.id, { status: 'running' });
    let answer: Promise<Answer> | undefined;
    await api.db.transaction().execute(async (tx) => {
      await advanceTask(tx, task.id, { status: 'success' });
      answer = cancel(task.id);
      await someoneWaits(api.db);
    });
    assert.equal((await answer)?.status, 409);
    assert.deepEqual(await desired(vdc), { state: 'present', wish: 1 });
    const { rows } = await sql`SELECT FROM audit_events WHERE entity_id = ${task.id} AND outcome = 'success'`.execute(
      api.db,
    );
    assert.equal(rows.length, 0);
  });
});
