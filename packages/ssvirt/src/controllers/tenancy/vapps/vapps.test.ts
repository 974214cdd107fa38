import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { makeVapp, makeVm, unique } from '../../../../../../test/database/rows.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { specOf } from '../../../../../../test/tenancy/harness.ts';
import { configMaps, offers, pair, VappHarness } from '../../../../../../test/tenancy/vapp-harness.ts';
import { markDue, requestReconciliation } from '../../../db/work-queue/reconciliations.ts';
import type { TaskId } from '../../../db/schema/schema.ts';
import { advanceTask, createTask } from '../../../db/tasks/tasks.ts';
import { updateVapp, type Vapp } from '../../../db/vapps/vapps.ts';
import { installationId } from '../../../db/vdcs/vdc-work.ts';
import type { Vdc } from '../../../db/vdcs/vdcs.ts';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { instanceName, parameterSecretName } from '../../../kubevirt/tenant-vm/names.ts';
import { secrets, templateInstances, templates, virtualMachines } from '../../../fleet/kinds.ts';
import { parameterSecret } from '../../../kubevirt/tenant-vm/template-vm.ts';

interface VirtualMachineSpec {
  readonly runStrategy: string;
  readonly template: {
    readonly metadata: KubeObject['metadata'];
    readonly spec: { readonly domain: { readonly cpu: unknown } };
  };
}

const gone = { vapps: 0, vms: 0, works: 0 };

describe('vApps that templates make', () => {
  let harness: VappHarness;
  let vdc: Vdc;

  before(async () => {
    harness = await VappHarness.begin();
    harness.replica();
    vdc = await harness.made();
  });
  after(() => harness.stop());

  const machine = (name: string, place = vdc): Promise<KubeObject | undefined> =>
    harness.look(virtualMachines, place.namespace, name);
  const empty = async (): Promise<Vdc> => harness.made();

  test('one is made with the values that were given, which stay nowhere', async () => {
    const place = await empty();
    const parameters = { WORD: 'sesame', CORES: '3' };
    const { vapp, task, vms } = await harness.instantiate(place, { prefix: 'shop', parameters, powerOn: true });
    await harness.ended(task, 'success');
    const instance = instanceName({ vappName: vapp.name, vappId: vapp.id });
    assert.deepEqual(await harness.objects(place), [
      'VirtualMachine shop-db',
      'VirtualMachine shop-web',
      `TemplateInstance ${instance}`,
      'ConfigMap shop',
    ]);
    const beside = await harness.look(configMaps, place.namespace, 'shop');
    assert.deepEqual(beside?.['data'], { word: 'sesame' });
    assert.equal(beside?.metadata.labels?.['vapp.ssvirt.io/vapp-id'], vapp.id);
    const row = await harness.db.selectFrom('vapps').selectAll().where('id', '=', vapp.id).executeTakeFirstOrThrow();
    assert.equal(row.creation, 'done');
    assert.doesNotMatch(JSON.stringify(row), /sesame/);
    assert.equal(row.spec['instance'], instance);
    for (const vm of vms) {
      const made = await machine(vm.vm_name, place);
      const { runStrategy, template } = specOf(made) as unknown as VirtualMachineSpec;
      assert.equal(made?.metadata.labels?.['ssvirt.io/vm-id'], vm.id);
      assert.equal(made?.metadata.labels?.['vdc.ssvirt.io/vdc-id'], place.id);
      assert.equal(made?.metadata.annotations?.['ssvirt.io/vapp-name'], vapp.name);
      assert.equal(template.metadata.labels?.['vapp.ssvirt.io/vapp-id'], vapp.id);
      assert.equal(template.metadata.labels?.['kubevirt.io/vm'], vm.vm_name);
      assert.equal(runStrategy, 'RerunOnFailure');
      assert.deepEqual(template.spec.domain.cpu, { cores: 3 });
      const applied = await harness.db
        .selectFrom('vm_applied')
        .selectAll()
        .where('vm_id', '=', vm.id)
        .executeTakeFirstOrThrow();
      assert.equal(applied.uid, made?.metadata.uid);
    }
    assert.deepEqual(await harness.rows(vapp.id), { vapps: 1, vms: 2, works: 0 });
  });

  test('a virtual data center that is not there yet is waited for', async () => {
    const asked = await harness.create();
    const { task } = await harness.instantiate(asked.vdc);
    await harness.ended(task, 'success');
  });

  test('where an object of the template is refused, nothing is left, and the task has the words of the cluster', async () => {
    const place = await empty();
    await harness.cluster.client.create(configMaps, { metadata: { namespace: place.namespace, name: 'taken' } });
    const { vapp, task } = await harness.instantiate(place, { prefix: 'taken' });
    const { error } = await harness.ended(task, 'error');
    assert.match(String(error?.['message']), /taken.*already exists/);
    assert.deepEqual(await harness.objects(place), ['ConfigMap taken']);
    assert.deepEqual(await harness.rows(vapp.id), gone);
  });

  test('where the template is gone, or makes fewer machines by now, all is undone', async () => {
    const place = await empty();
    const missing = await harness.instantiate(place, { template: 'nowhere' });
    const { error } = await harness.ended(missing.task, 'error');
    assert.match(String(error?.['message']), /"nowhere".*no longer exists/);
    const objects = [{ ...pair.objects[0], metadata: { name: '${NAME}-other' } }];
    await harness.cluster.client.create(templates, {
      ...pair,
      metadata: { name: 'changed', namespace: offers },
      objects,
    });
    const changed = await harness.instantiate(place, { template: 'changed', prefix: 'new' });
    const ended = await harness.ended(changed.task, 'error');
    assert.match(String(ended.error?.['message']), /did not create the virtual machine "new-db"/);
    assert.deepEqual(await harness.objects(place), []);
    assert.deepEqual(await harness.rows(changed.vapp.id), gone);
  });

  test('where the template now makes a forbidden object, or generates a value that is never shown, nothing is made', async () => {
    const place = await empty();
    const disk = {
      metadata: { name: '${NAME}-web' },
      spec: { sourceRef: { kind: 'DataSource', name: 'x', namespace: '${WORD}' }, storage: {} },
    };
    const [web, beside, db] = pair.objects;
    const spec = { ...(web?.['spec'] as object), dataVolumeTemplates: [disk] };
    const claim = { spec: { source: { pvc: { namespace: 'kubevirt-os-images', name: '${WORD}' } }, storage: {} } };
    const copied = { ...(web?.['spec'] as object), dataVolumeTemplates: [{ ...disk, ...claim }] };
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'x' } };
    const parameters = [...pair.parameters, { name: 'PASSWORD', generate: 'expression', from: '[a-z]{8}' }];
    const cases = [
      [
        'disk',
        { objects: [{ ...web, spec }, beside, db] },
        /^parameters\.WORD: objects\[0\].*is "tenant-b"; disks are cloned/,
      ],
      [
        'claim',
        { objects: [{ ...web, spec: copied }, beside, db] },
        /^parameters\.WORD: objects\[0\].*pvc\.name is "tenant-b"; only the template itself may choose a claim/,
      ],
      ['role', { objects: [web, db, role] }, /"role" cannot be used here: objects\[2\] is of the kind "RoleBinding"/],
      ['password', { parameters }, /"password" has changed: its parameter PASSWORD is now generated/],
    ] as const;
    for (const [name, change, message] of cases) {
      const template = { ...pair, metadata: { name, namespace: offers }, ...change } as Unstructured;
      await harness.cluster.client.create(templates, template);
      const asked = { template: name, prefix: name, parameters: { WORD: 'tenant-b' } };
      const { vapp, task } = await harness.instantiate(place, asked);
      const { error } = await harness.ended(task, 'error');
      assert.match(String(error?.['message']), message);
      assert.deepEqual(await harness.objects(place), []);
      assert.deepEqual(await harness.rows(vapp.id), gone);
    }
  });

  test('a machine that the template has not made is not taken for its own, and stays', async () => {
    const place = await empty();
    const key = { namespace: place.namespace, name: 'lone-db' };
    const spec = { runStrategy: 'Halted', template: { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } } };
    const foreign = await harness.cluster.client.create(virtualMachines, { metadata: key, spec });
    await harness.cluster.client.create(templates, {
      ...pair,
      metadata: { name: 'lone', namespace: offers },
      objects: [{ ...pair.objects[0], metadata: { name: '${NAME}-web' } }],
    });
    const { task } = await harness.instantiate(place, { template: 'lone', prefix: 'lone' });
    const { error } = await harness.ended(task, 'error');
    assert.match(String(error?.['message']), /did not create the virtual machine "lone-db"/);
    assert.deepEqual(await harness.objects(place), ['VirtualMachine lone-db']);
    assert.equal((await machine('lone-db', place))?.metadata.uid, foreign.metadata.uid);
  });

  test('one is deleted with its machines, its template instance and what came with them', async () => {
    const place = await empty();
    const [{ vapp, task }, other] = await Promise.all([
      harness.instantiate(place, { powerOn: true }),
      harness.instantiate(place, { prefix: 'other' }),
    ]);
    await harness.ended(task, 'success');
    await harness.ended(other.task, 'success');
    const renamed = await updateVapp(harness.db, vapp.id, { name: unique('another') });
    await harness.ended(await harness.delete(renamed ?? vapp, place), 'success');
    assert.deepEqual(await harness.rows(vapp.id), gone);
    const { name = '' } = (await harness.instance(place, other.vapp))?.metadata ?? {};
    assert.deepEqual(await harness.objects(place), [
      'VirtualMachine other-db',
      'VirtualMachine other-web',
      `TemplateInstance ${name}`,
      'ConfigMap other',
    ]);
    assert.equal((await machine('other-db', place))?.metadata.deletionTimestamp, undefined);
  });

  test('one that is deleted while it is made leaves nothing', async () => {
    const place = await empty();
    const { vapp, task } = await harness.instantiate(place);
    const removal = await harness.delete(vapp, place);
    await harness.ended(removal, 'success');
    assert.notEqual((await harness.task(task)).ended_at, null);
    assert.deepEqual(await harness.objects(place), []);
    assert.deepEqual(await harness.rows(vapp.id), gone);
  });

  test('a machine that is deleted before the template has made it is gone afterwards, and the others are there', async () => {
    const place = await empty();
    const path = `/apis/template.openshift.io/v1/namespaces/${place.namespace}/templateinstances`;
    const { id } = harness.cluster.faults.add({ kind: '503', path, verbs: ['create'] });
    const { vapp, task, vms } = await harness.instantiate(place, { prefix: 'few' });
    const [web] = vms;
    assert.ok(web !== undefined);
    const removal = await harness.db.transaction().execute(async (tx) => {
      await sql`UPDATE vms SET desired_state = 'absent' WHERE id = ${web.id}`.execute(tx);
      await requestReconciliation(tx, 'vm', web.id, place.cluster);
      const owner = { organization_id: place.organization_id, owner_kind: 'vm', owner_id: web.id };
      return (await createTask(tx, { ...owner, operation: 'vmDelete' })).id;
    });
    const message = sql<{ message: string }>`SELECT message FROM reconciliations WHERE entity_id = ${web.id}`;
    await until('it waits for the template', async () =>
      /has created it/.test((await message.execute(harness.db)).rows[0]?.message ?? ''),
    );
    harness.cluster.faults.remove(id);
    await harness.ended(task, 'success');
    await harness.ended(removal, 'success');
    assert.deepEqual(
      (await harness.objects(place)).filter((one) => one.startsWith('VirtualMachine')),
      ['VirtualMachine few-db'],
    );
    await until('nothing is left to do', async () => (await harness.rows(vapp.id)).works === 0);
    assert.equal((await harness.rows(vapp.id)).vms, 1);
  });

  test('a machine that replaced an old one of the same name outlives the vApp of that one', async () => {
    const place = await empty();
    const { vapp, task } = await harness.instantiate(place, { prefix: 'old' });
    await harness.ended(task, 'success');
    const { client } = harness.cluster;
    const key = { namespace: place.namespace, name: 'old-web' };
    const { spec } = await client.get(virtualMachines, key);
    await client.delete(virtualMachines, key);
    await until('it is gone', async () => (await machine('old-web', place)) === undefined);
    const another = await client.create(virtualMachines, { metadata: key, spec });
    await harness.ended(await harness.delete(vapp, place), 'success');
    assert.deepEqual(await harness.objects(place), ['VirtualMachine old-web']);
    const left = await machine('old-web', place);
    assert.equal(left?.metadata.uid, another.metadata.uid);
    assert.equal(left?.metadata.deletionTimestamp, undefined);
    assert.deepEqual(await harness.rows(vapp.id), gone);
  });

  test('what others have under the names that it would take is not touched', async () => {
    const place = await empty();
    const [id, name] = [randomUUID(), unique('vApp')];
    const taken = parameterSecretName(instanceName({ vappName: name, vappId: id }));
    await harness.cluster.client.create(secrets, { metadata: { namespace: place.namespace, name: taken } });
    const { task } = await harness.instantiate(place, { id, name });
    const { error } = await harness.ended(task, 'error');
    assert.match(String(error?.['message']), /that does not belong to this vApp/);
    assert.deepEqual(await harness.objects(place), [`Secret ${taken}`]);
  });

  test('whatever a process that died had done is gone on with, and not done again', async () => {
    const place = await empty();
    const [id, name, parameters] = [randomUUID(), unique('vApp'), { NAME: 'twice' }];
    const vapp = { installationId: await installationId(harness.db), organizationId: place.organization_id };
    const identity = { ...vapp, vdcId: place.id, namespace: place.namespace, vappId: id, vappName: name };
    const left = parameterSecret(identity, instanceName(identity), parameters);
    await harness.cluster.client.create(secrets, left);
    const first = await harness.instantiate(place, { id, name, prefix: 'twice' });
    await harness.ended(first.task, 'success');
    const before = await harness.instance(place, first.vapp);
    // As if the last steps had not been recorded. The vApp was renamed since.
    const again = await harness.db.transaction().execute(async (tx) => {
      await sql`UPDATE vapps SET name = ${unique('vApp')}, creation = 'running', spec = spec || ${{ parameters }} WHERE id = ${id}`.execute(
        tx,
      );
      await sql`DELETE FROM vapp_applied WHERE vapp_id = ${id}`.execute(tx);
      await sql`DELETE FROM vm_applied WHERE vm_id IN (SELECT id FROM vms WHERE vapp_id = ${id})`.execute(tx);
      return harness.ask(first.vapp, place, 'vappInstantiate', {}, tx);
    });
    await harness.ended(again, 'success');
    assert.equal((await harness.instance(place, first.vapp))?.metadata.uid, before?.metadata.uid);
    assert.equal((await harness.objects(place)).length, 4);
    const { rows } =
      await sql`SELECT FROM vm_applied JOIN vms ON vms.id = vm_id WHERE vapp_id = ${id} AND uid IS NOT NULL`.execute(
        harness.db,
      );
    assert.equal(rows.length, 2);
    // The Secret that the first attempt sent may still arrive.
    const noted = await sql`SELECT FROM repeated_creations WHERE vapp_id = ${id}`.execute(harness.db);
    assert.equal(noted.rows.length, 1);
  });

  test('a template instance that a user deletes before its end is not made again: the vApp is undone', async () => {
    const place = await empty();
    const { vapp, task } = await harness.instantiate(place);
    await harness.ended(task, 'success');
    await sql`UPDATE vapps SET creation = 'running' WHERE id = ${vapp.id}`.execute(harness.db);
    const { namespace } = place;
    const instance = (await harness.instance(place, vapp))?.metadata.name ?? '';
    await harness.cluster.client.delete(templateInstances, { namespace, name: instance });
    await until('it is gone', async () => (await harness.instance(place, vapp)) === undefined);
    const { error } = await harness.ended(await harness.ask(vapp, place, 'vappInstantiate'), 'error');
    assert.match(String(error?.['message']), /its template instance was deleted/);
    assert.deepEqual(await harness.objects(place), []);
    assert.deepEqual(await harness.rows(vapp.id), gone);
  });

  test('two processes make five at once, each of them once', async () => {
    const place = await empty();
    const other = harness.replica();
    const asked = await Promise.all(Array.from({ length: 5 }, () => harness.instantiate(place)));
    for (const { task } of asked) await harness.ended(task, 'success');
    assert.equal((await harness.objects(place)).length, 5 * 4);
    await Promise.all(asked.map(async ({ vapp }) => harness.ended(await harness.delete(vapp, place), 'success')));
    assert.deepEqual(await harness.objects(place), []);
    await other.stop();
  });

  describe('what is asked of all machines', () => {
    const ask = async (
      place = vdc,
    ): Promise<{ readonly parent: TaskId; readonly children: readonly TaskId[]; vapp: Vapp }> => {
      const vapp = await makeVapp(harness.db, { vdc_id: place.id });
      const vms = [await makeVm(harness.db, { vapp_id: vapp.id }), await makeVm(harness.db, { vapp_id: vapp.id })];
      return harness.db.transaction().execute(async (tx) => {
        const parent = await harness.ask(vapp, place, 'vappPowerOn', {}, tx);
        const { organization_id } = vapp;
        const child = { organization_id, owner_kind: 'vm', operation: 'vmPowerOn', details: { parent } };
        const children = await Promise.all(vms.map(({ id }) => createTask(tx, { ...child, owner_id: id })));
        return { parent, vapp, children: children.map(({ id }) => id) };
      });
    };
    const end = (vapp: Vapp, id: TaskId | undefined, status: 'success' | 'error'): Promise<unknown> =>
      harness.db.transaction().execute(async (tx) => {
        await markDue(tx, 'vapp', [vapp.id]);
        const error = status === 'error' ? { error: { minorErrorCode: 'CONFLICT', message: 'no room' } } : {};
        await advanceTask(tx, id ?? ('' as TaskId), { status: 'running' });
        return advanceTask(tx, id ?? ('' as TaskId), { status, ...error });
      });

    test('ends when it has ended for each of them', async () => {
      const { vapp, parent, children } = await ask();
      await end(vapp, children[0], 'success');
      await until('half of it is done', async () => (await harness.task(parent)).progress === 49);
      await end(vapp, children[1], 'success');
      await harness.ended(parent, 'success');
      await until('nothing is left to do', async () => (await harness.rows(vapp.id)).works === 0);
    });

    test('fails where it has failed for one, and says for which', async () => {
      const { vapp, parent, children } = await ask();
      await end(vapp, children[0], 'error');
      await end(vapp, children[1], 'success');
      const { error } = await harness.ended(parent, 'error');
      assert.match(String(error?.['message']), /1 of 2 virtual machines: "vm-.*": no room/);
    });

    test('ends with the virtual data center that they are in', async () => {
      const place = await empty();
      const { vapp, parent, children } = await ask(place);
      const removal = await harness.remove(place, true);
      await harness.ended(removal.task, 'success');
      for (const id of [parent, ...children]) {
        const { error } = await harness.ended(id, 'error');
        assert.match(String(error?.['message']), /was deleted before this was done/);
      }
      assert.deepEqual(await harness.rows(vapp.id), gone);
    });

    test('has ended where there is none', async () => {
      const vapp = await makeVapp(harness.db, { vdc_id: vdc.id });
      for (const operation of ['vappCreate', 'vappPowerOff', 'vappUpdate', 'vappDelete']) {
        const isLast = operation === 'vappDelete';
        const task = await (isLast ? harness.delete(vapp, vdc) : harness.ask(vapp, vdc, operation));
        await harness.ended(task, 'success');
      }
      assert.deepEqual(await harness.rows(vapp.id), gone);
    });
  });

  test('its machines get a new name', async () => {
    const { vapp, task, vms } = await harness.instantiate(vdc);
    await harness.ended(task, 'success');
    const name = unique('renamed');
    await updateVapp(harness.db, vapp.id, { name });
    await harness.ended(await harness.ask(vapp, vdc, 'vappUpdate'), 'success');
    for (const { vm_name } of vms)
      assert.equal((await machine(vm_name))?.metadata.annotations?.['ssvirt.io/vapp-name'], name);
  });
});
