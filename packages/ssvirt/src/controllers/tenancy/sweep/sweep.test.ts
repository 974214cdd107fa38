import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { makeVapp, makeVm, unique } from '../../../../../../test/database/rows.ts';
import { install, looseDefinition } from '../../../../../../test/fleet/definition.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { TenancyHarness } from '../../../../../../test/tenancy/harness.ts';
import { noteRepeated } from '../../../db/vms/repeated-creations.ts';
import type { Vapp } from '../../../db/vapps/vapps.ts';
import { installationId } from '../../../db/vdcs/vdc-work.ts';
import type { Vdc } from '../../../db/vdcs/vdcs.ts';
import type { Vm } from '../../../db/vms/vms.ts';
import { systemClock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { secrets, templateInstances, virtualMachines } from '../../../fleet/kinds.ts';
import { instanceFinalizer } from '../vapps/template-marks.ts';
import { Sweep } from './sweep.ts';

describe('the sweep', () => {
  let harness: Awaited<ReturnType<typeof TenancyHarness.start>>;
  let installation: string;
  let vdc: Vdc;
  let vapp: Vapp;

  before(async () => {
    harness = await TenancyHarness.start();
    await install(
      harness.cluster.client,
      looseDefinition('template.openshift.io', 'v1', 'TemplateInstance', 'templateinstances'),
    );
    installation = await installationId(harness.db);
    const first = harness.replica();
    vdc = await harness.made();
    vapp = await makeVapp(harness.db, { vdc_id: vdc.id });
    await first.stop();
  });
  after(() => harness.stop());

  const remove = (table: 'vms' | 'vapps', id: string): Promise<unknown> =>
    sql`UPDATE ${sql.table(table)} SET deleted_at = now() WHERE id = ${id}`.execute(harness.db);
  const put = (
    type: ResourceType<KubeObject>,
    labels: Readonly<Record<string, string>>,
    more: object = {},
  ): Promise<KubeObject> => {
    const metadata = {
      namespace: vdc.namespace,
      name: unique('object'),
      labels: { 'ssvirt.io/installation-id': installation, ...labels },
    };
    return harness.cluster.client.create(type, { metadata: { ...metadata }, ...more });
  };
  const isThere = async (type: ResourceType<KubeObject>, { metadata }: KubeObject): Promise<boolean> => {
    const { namespace = '', name = '' } = metadata;
    return harness.cluster.client.get(type, { namespace, name }).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  };
  const machineOf = (vm: Pick<Vm, 'id'>): Promise<KubeObject> => put(virtualMachines, { 'ssvirt.io/vm-id': vm.id });
  const deletedVm = async (): Promise<Vm> => {
    const vm = await makeVm(harness.db, { vapp_id: vapp.id });
    await remove('vms', vm.id);
    return vm;
  };
  const done = { conditions: [{ type: 'Ready', status: 'True', reason: 'Created' }] };
  const instanceOf = async (secret = '', status: object = done): Promise<KubeObject> => {
    const old = await makeVapp(harness.db, { vdc_id: vdc.id });
    await remove('vapps', old.id);
    const labels = { 'vapp.ssvirt.io/vapp-id': old.id };
    if (secret === '') return put(templateInstances, labels, { status });
    await harness.cluster.client.create(secrets, { metadata: { namespace: vdc.namespace, name: secret, labels } });
    return put(templateInstances, labels, { spec: { secret: { name: secret } }, status });
  };
  const sweepIn = (cluster: Cluster, mayWrite: () => Promise<boolean>): Sweep =>
    new Sweep({
      db: harness.db,
      cluster,
      settings: { sweepMs: 60_000, requestMs: 5_000 },
      clock: systemClock,
      log: pino({ level: 'silent' }),
      orphans: () => undefined,
      swept: () => undefined,
      mayWrite,
    });

  test('deletes what was made for rows that are gone, and keeps and reports all else that fits nothing', async () => {
    const unwanted = await machineOf(await deletedVm());
    const wanted = await machineOf(await makeVm(harness.db, { vapp_id: vapp.id }));
    const unknown = await machineOf({ id: randomUUID() as Vm['id'] });
    const others = await put(virtualMachines, {
      'ssvirt.io/installation-id': randomUUID(),
      'ssvirt.io/vm-id': (await deletedVm()).id,
    });
    const restored = await deletedVm();
    await sql`INSERT INTO vm_applied (vm_id, uid) VALUES (${restored.id}, ${randomUUID()})`.execute(harness.db);
    // Long ago: an object that appears right after the end of its row was sent before, and is not from a backup.
    await sql`UPDATE vms SET deleted_at = now() - interval '1 hour' WHERE id = ${restored.id}`.execute(harness.db);
    const again = await machineOf(restored);
    const instance = await instanceOf('values');
    const nobodys = await put(templateInstances, { 'vapp.ssvirt.io/vapp-id': randomUUID() });
    const replica = harness.replica();
    await until('what is unwanted is gone', async () => !(await isThere(virtualMachines, unwanted)));
    await until('its template instances too', async () => !(await isThere(templateInstances, instance)));
    const values = { metadata: { namespace: vdc.namespace, name: 'values' } };
    assert.equal(await isThere(secrets, values), false);
    for (const machine of [wanted, unknown, others, again]) assert.ok(await isThere(virtualMachines, machine));
    assert.ok(await isThere(templateInstances, nobodys));
    await until('what is kept is told of', async () => {
      const text = await replica.registry.getSingleMetricAsString('ssvirt_tenancy_orphaned_objects');
      return /kind="VirtualMachine"} 3$/m.test(text) && /kind="TemplateInstance"} 1$/m.test(text);
    });
    const told = harness.lines.filter(({ msg }) => /without a row/.test(String(msg))).map(({ name }) => name);
    const names = [unknown, others, again, nobodys].map(({ metadata }) => metadata.name);
    assert.deepEqual(new Set(told), new Set(names));
    await replica.stop();
  });

  test('goes on where the cluster does not let one go', async () => {
    const machines = [await machineOf(await deletedVm()), await machineOf(await deletedVm())];
    const [held, next] = machines.toSorted((a, b) => (String(a.metadata.name) < String(b.metadata.name) ? -1 : 1));
    assert.ok(held !== undefined && next !== undefined);
    const path = `/apis/kubevirt.io/v1/namespaces/${vdc.namespace}/virtualmachines/${held.metadata.name ?? ''}`;
    const { id } = harness.cluster.faults.add({ kind: '403', path, verbs: ['delete'] });
    const replica = harness.replica();
    await until('the next is gone', async () => !(await isThere(virtualMachines, next)));
    assert.ok(await isThere(virtualMachines, held));
    await replica.stop();
    harness.cluster.faults.remove(id);
    await harness.cluster.client.delete(virtualMachines, { namespace: vdc.namespace, name: held.metadata.name ?? '' });
  });

  test('looks again right before it deletes, and deletes nothing that has come in place of what it saw', async () => {
    const replica = harness.replica();
    await replica.stop();
    const both = [await machineOf(await deletedVm()), await machineOf(await deletedVm())];
    // In the order of a list.
    const [replaced, wanted] = both.toSorted((a, b) => (String(a.metadata.name) < String(b.metadata.name) ? -1 : 1));
    assert.ok(replaced !== undefined && wanted !== undefined);
    const { client } = harness.cluster;
    const { namespace = '', name = '', labels = {} } = replaced.metadata;
    let looks = 0;
    const sweep = sweepIn(replica.fleet.local, async () => {
      looks += 1;
      // The first check is before the list, the second right before the deletion.
      if (looks !== 2) return true;
      const vm = wanted.metadata.labels?.['ssvirt.io/vm-id'];
      await sql`UPDATE vms SET deleted_at = NULL WHERE id = ${vm}`.execute(harness.db);
      await client.delete(virtualMachines, { namespace, name });
      await until('it is gone', async () => !(await isThere(virtualMachines, replaced)));
      await client.create(virtualMachines, { metadata: { namespace, name, labels } });
      return true;
    });
    await sweep.look(AbortSignal.timeout(30_000));
    assert.ok(looks >= 2);
    for (const machine of both) assert.ok(await isThere(virtualMachines, machine));
  });

  test('deletes Secrets that came when what they were for was made or undone, and no others', async () => {
    const { db, cluster } = harness;
    const { namespace } = vdc;
    const secret = (name: string, id = ''): Promise<KubeObject> => {
      const own = { 'ssvirt.io/installation-id': installation, 'vapp.ssvirt.io/vapp-id': id };
      return cluster.client.create(secrets, { metadata: { namespace, name, labels: id === '' ? {} : own } });
    };
    const repeatedVapp = async (creation: 'running' | 'done'): Promise<Vapp> => {
      const one = await makeVapp(db, { vdc_id: vdc.id });
      const spec = JSON.stringify({ template: {}, instance: one.id });
      await sql`UPDATE vapps SET creation = ${creation}, spec = ${spec}::jsonb WHERE id = ${one.id}`.execute(db);
      await noteRepeated(db, 'vapp', one.id);
      return one;
    };
    const repeatedVm = async (): Promise<Vm> => {
      const vm = await makeVm(db, { vapp_id: vapp.id, cluster: vdc.cluster, namespace, vm_name: unique('vm') });
      await noteRepeated(db, 'vm', vm.id);
      await noteRepeated(db, 'vm', vm.id);
      return vm;
    };
    const [made, undone, underWay, others] = [
      await repeatedVapp('done'),
      await repeatedVapp('running'),
      await repeatedVapp('running'),
      await repeatedVapp('done'),
    ];
    const [gone, living] = [await repeatedVm(), await repeatedVm()];
    await remove('vapps', undone.id);
    await remove('vms', gone.id);
    const late = [
      await secret(`${made.id}-parameters`, made.id),
      await secret(`${undone.id}-parameters`, undone.id),
      await secret(`${gone.vm_name}-cloudinit`),
      await secret(`${gone.vm_name}-ssh`),
    ];
    const kept = [
      await secret(`${underWay.id}-parameters`, underWay.id),
      await secret(`${others.id}-parameters`, randomUUID()),
      await secret(`${living.vm_name}-cloudinit`),
    ];
    const noted = async (): Promise<number> =>
      (await db.selectFrom('repeated_creations').select('vm_id').execute()).length;
    const replica = harness.replica();
    for (const one of late) await until('what came late is gone', async () => !(await isThere(secrets, one)));
    for (const one of kept) assert.ok(await isThere(secrets, one));
    assert.equal(await noted(), 6);
    // Nothing arrives so late.
    await sql`UPDATE vms SET deleted_at = now() - interval '1 hour' WHERE id = ${gone.id}`.execute(db);
    await replica.stop();
    const again = harness.replica();
    await until('it is not looked for any more', async () => (await noted()) === 5);
    await again.stop();
  });

  test('leaves a template instance that is at work: what it makes afterwards would have no owner', async () => {
    const replica = harness.replica();
    await replica.stop();
    const sweep = sweepIn(replica.fleet.local, () => Promise.resolve(true));
    const instance = await instanceOf('words', {});
    const words = { metadata: { namespace: vdc.namespace, name: 'words' } };
    await sweep.look(AbortSignal.timeout(30_000));
    assert.ok(await isThere(templateInstances, instance));
    assert.ok(await isThere(secrets, words));
    const key = { namespace: vdc.namespace, name: instance.metadata.name ?? '' };
    await harness.cluster.client.patch(templateInstances, key, { type: 'merge', body: { status: done } });
    await sweep.look(AbortSignal.timeout(30_000));
    assert.equal(await isThere(templateInstances, instance), false);
    assert.equal(await isThere(secrets, words), false);
  });

  test('takes a template instance without what has the name of its machines by now', async () => {
    const another = await put(virtualMachines, {});
    const own = await put(virtualMachines, {});
    const refer = ({ metadata }: KubeObject, uid = metadata.uid): object => {
      const { namespace, name } = metadata;
      return { ref: { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', namespace, name, uid } };
    };
    const instance = await instanceOf();
    await harness.cluster.client.patch(
      templateInstances,
      { namespace: vdc.namespace, name: instance.metadata.name ?? '' },
      {
        type: 'merge',
        body: {
          metadata: { finalizers: [instanceFinalizer] },
          status: { objects: [refer(another, randomUUID()), refer(own)] },
        },
      },
    );
    const replica = harness.replica();
    // Only the code under test removes the finalizer here.
    await until('it is gone', async () => !(await isThere(templateInstances, instance)));
    assert.ok(await isThere(virtualMachines, another));
    assert.equal(await isThere(virtualMachines, own), false);
    await replica.stop();
  });
});
