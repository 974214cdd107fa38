/** Which row a VM gets: by its label, by its name and place, a new one, or none. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { virtualMachines } from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { templateInstances } from '../../../packages/sandbox/src/simulators/templates/kinds.ts';
import { VAPP_LABEL } from '../../../packages/ssvirt/src/kubevirt/facts/vm.ts';
import { makeVapp, makeVm } from '../../database/rows.ts';
import { create, label, machine, remove } from '../machines.ts';
import type { Scene } from '../scene.ts';

export function bindingTests(scene: () => Scene): void {
  test('a machine that was asked for is bound to its row by place and name, and keeps it', async () => {
    const { rows, client, database } = scene();
    const { namespace, vapp } = await scene().place('name');
    const asked = await makeVm(database.database.db, { vapp_id: vapp.id, name: 'web' });
    const { metadata } = await create(client, { namespace, on: false });
    const row = await rows.status(namespace, 'POWERED_OFF');
    assert.deepEqual([row.id, row.origin, row.uid], [asked.id, 'requested', metadata.uid]);
  });

  test('a machine with the label of a vApp is bound there, and not to a row of the same name elsewhere', async () => {
    const { rows, client, database } = scene();
    const { db } = database.database;
    const { namespace, vdc, vapp } = await scene().place('label');
    const other = await makeVapp(db, { vdc_id: vdc.id });
    await makeVm(db, { vapp_id: vapp.id, name: 'db' });
    await create(client, { namespace, vappId: other.id, on: false });
    const [, made] = await rows.until('it has a row', namespace, (all) => all.some(({ uid }) => uid !== null));
    assert.deepEqual([made?.vapp_id, made?.origin, made?.status], [other.id, 'discovered', 'POWERED_OFF']);
  });

  test('a row that comes after its machine is bound to it', async () => {
    const { rows, client, database } = scene();
    const { namespace, vapp } = await scene().place('late');
    const { metadata } = await create(client, { namespace, on: false });
    await settled(scene());
    assert.deepEqual(await rows.vms(namespace), [], 'nobody has asked for it, and no vApp has it');
    const asked = await makeVm(database.database.db, { vapp_id: vapp.id, name: 'web' });
    const row = await rows.status(namespace, 'POWERED_OFF');
    assert.deepEqual([row.id, row.uid], [asked.id, metadata.uid]);
  });

  test('a machine that is made again under the same name has another row, with another id', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('again');
    await create(client, { namespace, vappId: vapp.id, on: false });
    const first = await rows.status(namespace, 'POWERED_OFF');
    await remove(client, namespace);
    await rows.status(namespace, 'DELETED');
    const { metadata } = await create(client, { namespace, vappId: vapp.id, on: false });
    const all = await rows.until('there are two', namespace, (two) => two.length === 2 && two[1]?.uid !== null);
    assert.deepEqual(
      all.map(({ status, uid }) => [status, uid]),
      [
        ['DELETED', first.uid],
        ['POWERED_OFF', metadata.uid],
      ],
    );
    assert.notEqual(all[0]?.id, all[1]?.id);
    assert.equal(await rows.vapp(vapp.id), 'POWERED_OFF', 'the deleted one does not count');
  });

  test('machines that are not ours get no row: without a vApp, outside of VDCs, with the vApp of another VDC', async () => {
    const { rows, client } = scene();
    const mine = await scene().place('mine');
    const theirs = await scene().place('theirs');
    const outside = `outside-${randomUUID().slice(0, 8)}`;
    await client.create(
      { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
      { metadata: { name: outside } },
    );
    await create(client, { namespace: mine.namespace, name: 'stranger', on: false });
    await create(client, { namespace: mine.namespace, name: 'captured', vappId: theirs.vapp.id, on: false });
    await create(client, { namespace: mine.namespace, name: 'nonsense', labels: { [VAPP_LABEL]: 'x' }, on: false });
    await create(client, { namespace: outside, vappId: mine.vapp.id, on: false });
    await settled(scene());
    for (const namespace of [mine.namespace, theirs.namespace, outside])
      assert.deepEqual(await rows.vms(namespace), [], namespace);
    await label(client, mine.namespace, { [VAPP_LABEL]: mine.vapp.id }, 'captured');
    const row = await rows.status(mine.namespace, 'POWERED_OFF');
    assert.deepEqual([row.vm_name, row.vapp_id], ['captured', mine.vapp.id]);
  });

  test('a machine that is being deleted gets no row, though its vApp is known', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('dying');
    await create(client, { namespace, on: false, finalizers: ['test.ssvirt.io/hold'] });
    await remove(client, namespace);
    await label(client, namespace, { [VAPP_LABEL]: vapp.id });
    await settled(scene());
    assert.deepEqual(await rows.vms(namespace), []);
    await client.patch(
      virtualMachines,
      { namespace, name: 'web' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await settled(scene());
    assert.deepEqual(await rows.vms(namespace), []);
  });

  test('the machine of a template has a row under the vApp of that name, and the vApp follows its creation', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('template', { vapp: 'shop' });
    const object = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      ...machine({ namespace, name: 'shop-db', on: false }),
    };
    const template = templateOf(object);
    await client.create(templateInstances, { metadata: { namespace, name: 'shop' }, spec: { template } });
    const row = await rows.status(namespace, 'POWERED_OFF');
    assert.deepEqual([row.vm_name, row.vapp_id, row.origin], ['shop-db', vapp.id, 'discovered']);
    await rows.vappStatus(vapp.id, 'POWERED_OFF');
  });

  test('a template that cannot be carried out is a creation that failed', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('failing', { vapp: 'shop' });
    const metadata = { namespace, name: 'taken' };
    const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
    await client.create(configMaps, { metadata });
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'taken' } };
    const template = templateOf(object);
    await client.create(templateInstances, {
      metadata: { namespace, name: 'anything', labels: { [VAPP_LABEL]: vapp.id } },
      spec: { template },
    });
    await rows.vappStatus(vapp.id, 'FAILED_CREATION');
    const { rows: found } = await scene().database.database.pool.query<{ fault: string }>(
      'SELECT fault FROM vapp_observed WHERE vapp_id = $1::uuid',
      [vapp.id],
    );
    assert.match(found[0]?.fault ?? '', /^It could not be created from its template: .*already exists\.$/);
  });
}

function templateOf(object: unknown): JsonObject {
  const kind = { apiVersion: 'template.openshift.io/v1', kind: 'Template' };
  return JSON.parse(JSON.stringify({ ...kind, metadata: { name: 'small' }, objects: [object] })) as JsonObject;
}

/**
 * Resolves when all earlier events of the cluster are written. It creates a VM and waits until that is shown, because
 * watches keep the order.
 */
export async function settled(scene: Scene): Promise<void> {
  const { namespace, vapp } = await scene.place('settled');
  await create(scene.client, { namespace, vappId: vapp.id, on: false });
  await scene.rows.until('what comes later is shown', namespace, ([row]) => row?.status === 'POWERED_OFF');
}
