/** The desired state of vApps and VMs. Their shown status is tested in shown-status.test.ts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import { sql, type Kysely } from 'kysely';

import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster, someoneWaits } from '../../../../../test/database/rows.ts';
import { Duplicate, InUse, Missing } from '../connection/duplicate.ts';
import type { Tables, VappId, VdcId, VmId } from '../schema/schema.ts';
import { createVapp, deleteVapp, getVapp, listVapps, updateVapp } from '../vapps/vapps.ts';
import { deleteVdc } from '../vdcs/vdcs.ts';
import { createVm, deleteVm, getAnyVm, getVm, listVms, updateVm } from './vms.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
  await setCluster(db, { name: 'local', state: 'synced' });
});
after(() => running.stop());

const everything = { page: 1, pageSize: 1000 };

/** Inserts a row like the vm-controller does for a VirtualMachine that a template created. */
async function discover(vapp_id: VappId, place: { cluster: string; namespace: string }, vm_name: string) {
  const row = { vapp_id, ...place, name: vm_name, vm_name, origin: 'discovered', desired_state: 'none' } as const;
  const { id } = await db.insertInto('vms').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, ...place, vm_name };
}

describe('vApps', () => {
  test('a row is made, read with its status, changed and deleted', async () => {
    const vdc = await makeVdc(db);
    const made = await createVapp(db, { vdc_id: vdc.id, name: 'Shop', creation: 'running' });
    assert.deepEqual([made.status, made.stale, made.fault], ['UNRESOLVED', false, null]);
    assert.equal(made.organization_id, vdc.organization_id);
    const changed = await updateVapp(db, made.id, { creation: 'done', description: 'all of it' });
    assert.deepEqual([changed?.status, changed?.description], ['RESOLVED', 'all of it']);
    assert.equal((await updateVapp(db, made.id, { desired_state: 'absent' }))?.status, 'DELETING');
    assert.equal(await deleteVapp(db, made.id), true);
    assert.equal(await getVapp(db, 'all', made.id), undefined);
    assert.equal(await updateVapp(db, made.id, { hidden: true }), undefined);
    assert.equal(await deleteVapp(db, made.id), false);
  });

  test('a name is taken within its VDC, in whatever case, until the vApp is deleted', async () => {
    const { id, vdc_id } = await makeVapp(db, { name: 'shop' });
    await assert.rejects(makeVapp(db, { vdc_id, name: 'SHOP' }), (error: unknown) => {
      assert.ok(error instanceof Duplicate);
      assert.deepEqual([error.table, error.key], ['vapps', 'name']);
      return true;
    });
    await makeVapp(db, { name: 'shop' });
    await deleteVapp(db, id);
    await makeVapp(db, { vdc_id, name: 'Shop' });
  });

  test('its VDC must be there and live', async () => {
    const { id } = await makeVdc(db);
    await deleteVdc(db, id);
    const missing = new Missing('vapps', 'vdc_id');
    await assert.rejects(makeVapp(db, { vdc_id: id }), missing);
    await assert.rejects(makeVapp(db, { vdc_id: randomUUID() as VdcId }), missing);
  });

  test('an organisation sees its own only; a hidden one is listed when it is asked for', async () => {
    const vdc = await makeVdc(db);
    const [shown, hidden] = [
      await makeVapp(db, { vdc_id: vdc.id }),
      await makeVapp(db, { vdc_id: vdc.id, hidden: true }),
    ];
    const elsewhere = await makeVapp(db, { vdc_id: (await makeVdc(db, { organization_id: vdc.organization_id })).id });
    const foreign = await makeVapp(db);
    const listed = async (filter: Parameters<typeof listVapps>[2]) =>
      new Set((await listVapps(db, vdc.organization_id, filter, everything)).rows.map(({ id }) => id));
    assert.deepEqual(await listed({}), new Set([shown.id, elsewhere.id]));
    assert.deepEqual(await listed({ vdc: vdc.id }), new Set([shown.id]));
    assert.deepEqual(await listed({ vdc: vdc.id, hidden: true }), new Set([shown.id, hidden.id]));
    assert.deepEqual(await listed({ vdc: foreign.vdc_id }), new Set());
    assert.equal(await getVapp(db, vdc.organization_id, foreign.id), undefined);
  });

  test('one with a machine is not deleted; one whose machines are gone takes their rows along', async () => {
    const vapp = await makeVapp(db);
    const vm = await makeVm(db, { vapp_id: vapp.id });
    await assert.rejects(deleteVapp(db, vapp.id), new InUse('vapps', 'vms'));
    await observe(db, vm, 'POWERED_OFF');
    await assert.rejects(deleteVapp(db, vapp.id), InUse);
    await observe(db, vm, 'DELETED');
    assert.equal(await deleteVapp(db, vapp.id), true);
    assert.notEqual((await getAnyVm(db, 'all', vm.id))?.deleted_at, null);
  });

  test('a machine that is made while its vApp is being deleted is refused', async () => {
    const { id } = await makeVapp(db);
    const late = await db.transaction().execute(async (tx) => {
      await deleteVapp(tx, id);
      const outcome = assert.rejects(makeVm(db, { vapp_id: id }), new Missing('vms', 'vapp_id'));
      await someoneWaits(db);
      return { outcome };
    });
    await late.outcome;
  });

  test('the vm-controller does not wait for who deletes a vApp', async () => {
    const vdc = await makeVdc(db);
    const vapp = await makeVapp(db, { vdc_id: vdc.id });
    await db.transaction().execute(async (tx) => {
      await deleteVapp(tx, vapp.id);
      await db.transaction().execute(async (controller) => {
        await sql`SET LOCAL lock_timeout = '500ms'`.execute(controller);
        const place = { cluster: vdc.cluster, namespace: vdc.namespace };
        const row = { ...place, vapp_id: vapp.id, name: 'a', vm_name: 'a', origin: 'discovered' } as const;
        await controller
          .insertInto('vms')
          .values({ ...row, desired_state: 'none' })
          .execute();
      });
    });
  });
});

describe('machines', () => {
  test('a row is made in the place of its VDC, changed, and deleted', async () => {
    const vdc = await makeVdc(db, { cluster: 'east' });
    const vapp = await makeVapp(db, { vdc_id: vdc.id });
    const made = await createVm(db, {
      vapp_id: vapp.id,
      name: 'Web',
      vm_name: 'web-1',
      desired_power: 'on',
      cpu_count: 2,
      memory_mb: 2 ** 33,
      spec: { instanceType: 'u1.medium' },
    });
    assert.deepEqual([made.cluster, made.namespace, made.origin], ['east', vdc.namespace, 'requested']);
    assert.deepEqual([made.vapp_name, made.vdc_id, made.organization_id], [vapp.name, vdc.id, vdc.organization_id]);
    assert.deepEqual([made.status, made.uid, made.ip_addresses, made.busy], ['UNRESOLVED', null, null, null]);
    assert.deepEqual([made.memory_mb, made.spec], [2 ** 33, { instanceType: 'u1.medium' }]);
    const changed = await updateVm(db, made.id, { desired_power: 'off', cpu_count: 4 });
    assert.deepEqual([changed?.desired_power, changed?.cpu_count, changed?.name], ['off', 4, 'Web']);
    assert.ok(changed !== undefined && changed.updated_at > made.updated_at);
    assert.equal((await updateVm(db, made.id, { desired_state: 'absent' }))?.status, 'DELETING');
    assert.equal(await deleteVm(db, made.id), true);
    assert.equal(await deleteVm(db, made.id), false);
    assert.equal(await getVm(db, 'all', made.id), undefined);
    assert.equal(await updateVm(db, made.id, { cpu_count: 1 }), undefined);
    assert.equal((await getAnyVm(db, 'all', made.id))?.status, 'DELETED');
  });

  test('the state in the cluster is beside the requested one', async () => {
    const vm = await makeVm(db, { cpu_count: 2, memory_mb: 1024, guest_os: 'Fedora' });
    await observe(db, vm, 'FAILED', {
      cpu_count: 4,
      memory_mb: 2048,
      guest_os: 'Debian',
      ip_addresses: ['10.0.0.7', 'fd00::7'],
      node: 'node-1',
      host_name: 'web',
      fault_reason: 'Unschedulable',
      fault: 'No node has room for it.',
      restart_required: true,
      disks: JSON.stringify([{ name: 'root', bytes: 2 ** 34 }]),
    });
    const shown = await getVm(db, 'all', vm.id);
    assert.ok(shown !== undefined);
    assert.deepEqual([shown.cpu_count, shown.memory_mb, shown.guest_os], [2, 1024, 'Fedora']);
    assert.deepEqual(
      [shown.observed_cpu_count, shown.observed_memory_mb, shown.observed_guest_os],
      [4, 2048, 'Debian'],
    );
    assert.deepEqual(
      [shown.status, shown.fault_reason, shown.fault],
      ['FAILED', 'Unschedulable', 'No node has room for it.'],
    );
    assert.deepEqual(shown.ip_addresses, ['10.0.0.7', 'fd00::7']);
    assert.deepEqual(shown.disks, [{ name: 'root', bytes: 2 ** 34 }]);
    assert.deepEqual([shown.node, shown.host_name, shown.restart_required, shown.busy], ['node-1', 'web', true, false]);
    assert.ok(shown.status_changed_at instanceof Date);
  });

  test('a name is taken within the vApp, a VirtualMachine within its namespace', async () => {
    const { vapp_id, vdc_id } = await makeVm(db, { name: 'web' });
    const neighbour = await makeVapp(db, { vdc_id });
    const taken: readonly (readonly [Parameters<typeof makeVm>[1], string])[] = [
      [{ vapp_id, name: 'WEB', vm_name: 'web-2' }, 'name'],
      [{ vapp_id: neighbour.id, name: 'web' }, 'cluster, namespace and VirtualMachine'],
    ];
    for (const [vm, key] of taken) {
      await assert.rejects(makeVm(db, vm), (error: unknown) => {
        assert.ok(error instanceof Duplicate);
        assert.deepEqual([error.table, error.key], ['vms', key]);
        return true;
      });
    }
    await makeVm(db, { vapp_id: neighbour.id, name: 'web', vm_name: 'web-2' });
    await makeVm(db, { name: 'web' });
  });

  test('a name is free when its machine is deleted here, or gone from the cluster', async () => {
    const first = await makeVm(db, { name: 'web' });
    const again = { vapp_id: first.vapp_id, name: 'Web' };
    await observe(db, first, 'DELETING');
    await assert.rejects(makeVm(db, again), Duplicate);
    await observe(db, first, 'DELETED');
    const second = await makeVm(db, again);
    assert.notEqual(second.id, first.id);
    await deleteVm(db, second.id);
    const third = await makeVm(db, again);
    const all = await listVms(db, 'all', { vapp: first.vapp_id, deleted: true }, everything);
    assert.deepEqual(new Set(all.rows.map(({ id }) => id)), new Set([first.id, second.id, third.id]));
    const live = await listVms(db, 'all', { vapp: first.vapp_id }, everything);
    assert.deepEqual(live, { rows: [third], total: 1 });
  });

  test('a vApp must be there and live, and so must its VDC', async () => {
    const { id } = await makeVapp(db);
    await deleteVapp(db, id);
    const missing = new Missing('vms', 'vapp_id');
    await assert.rejects(makeVm(db, { vapp_id: id }), missing);
    await assert.rejects(makeVm(db, { vapp_id: randomUUID() as VappId }), missing);
  });

  test('an organisation sees its own only, of all its VDCs, of one, or of one vApp', async () => {
    const vm = await makeVm(db);
    const foreign = await makeVm(db);
    const { organization_id, vdc_id, vapp_id } = vm;
    const sibling = await makeVm(db, { vapp_id: (await makeVapp(db, { vdc_id })).id });
    const elsewhere = await makeVdc(db, { organization_id });
    const distant = await makeVm(db, { vapp_id: (await makeVapp(db, { vdc_id: elsewhere.id })).id });
    const listed = async (filter: Parameters<typeof listVms>[2]) =>
      new Set((await listVms(db, organization_id, filter, everything)).rows.map(({ id }) => id));
    assert.deepEqual(await listed({}), new Set([vm.id, sibling.id, distant.id]));
    assert.deepEqual(await listed({ vdc: vdc_id }), new Set([vm.id, sibling.id]));
    assert.deepEqual(await listed({ vapp: vapp_id }), new Set([vm.id]));
    assert.deepEqual(await listed({ vapp: foreign.vapp_id, deleted: true }), new Set());
    assert.equal(await getAnyVm(db, organization_id, foreign.id), undefined);
    assert.deepEqual(await getVm(db, organization_id, vm.id), vm);
  });

  test('where it is comes from its vApp, whatever is written, and stays', async () => {
    const vm = await makeVm(db);
    const foreign = await makeVm(db);
    const place = async () => {
      const { vdc_id, organization_id } = (await getVm(db, 'all', vm.id)) ?? {};
      return { vdc_id, organization_id };
    };
    const { vdc_id, organization_id } = vm;
    await sql`UPDATE vms SET vdc_id = ${foreign.vdc_id}, organization_id = ${foreign.organization_id} WHERE id = ${vm.id}`.execute(
      db,
    );
    assert.deepEqual(await place(), { vdc_id, organization_id });
    await sql`UPDATE vapps SET organization_id = ${foreign.organization_id} WHERE id = ${vm.vapp_id}`.execute(db);
    assert.equal((await getVapp(db, organization_id, vm.vapp_id))?.organization_id, organization_id);
    const moves = [
      sql`UPDATE vapps SET vdc_id = ${foreign.vdc_id} WHERE id = ${vm.vapp_id}`,
      sql`UPDATE vdcs SET organization_id = ${foreign.organization_id} WHERE id = ${vdc_id}`,
    ];
    for (const move of moves)
      await assert.rejects(move.execute(db), /cannot move the row .* what belongs to it has its place from it/);
  });

  test('a discovered machine can be asked to run, to stop and to go, never to be made', async () => {
    const vdc = await makeVdc(db);
    const vapp = await makeVapp(db, { vdc_id: vdc.id });
    const place = { cluster: vdc.cluster, namespace: vdc.namespace };
    const vm = await discover(vapp.id, place, 'made-by-template');
    await observe(db, vm, 'POWERED_OFF');
    assert.equal((await updateVm(db, vm.id, { desired_power: 'on' }))?.desired_state, 'none');
    assert.equal((await updateVm(db, vm.id, { desired_state: 'absent' }))?.status, 'DELETING');
    await assert.rejects(updateVm(db, vm.id, { desired_state: 'present' }), /violates check constraint/);
    // The same VirtualMachine, created again, gets another row; no unique key prevents that.
    const again = await discover(vapp.id, place, 'made-by-template');
    assert.notEqual(again.id, vm.id);
  });

  test('pages are in the order of names', async () => {
    const { id } = await makeVapp(db);
    for (const name of ['c', 'A', 'b']) await makeVm(db, { vapp_id: id, name });
    const pages = [1, 2, 3, 4].map((page) => listVms(db, 'all', { vapp: id }, { page, pageSize: 1 }));
    const seen = (await Promise.all(pages)).map(({ rows, total }) => [rows[0]?.name, total]);
    assert.deepEqual(seen, [
      ['A', 3],
      ['b', 3],
      ['c', 3],
      [undefined, 3],
    ]);
    assert.equal(await getVm(db, 'all', randomUUID() as VmId), undefined);
  });
});
