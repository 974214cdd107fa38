/** VMs are created in their cluster, changed there, and deleted. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { makeVdc } from '../../../../../../test/database/rows.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import {
  image,
  MachineHarness,
  machineSettings,
  type AskedMachine,
} from '../../../../../../test/tenancy/vm-harness.ts';
import { powerCases } from '../../../../../../test/tenancy/power-cases.ts';
import { requestReconciliation } from '../../../db/work-queue/reconciliations.ts';
import { createVapp, getVapp } from '../../../db/vapps/vapps.ts';
import type { VmId } from '../../../db/schema/schema.ts';
import type { Vdc } from '../../../db/vdcs/vdcs.ts';
import type { Vm } from '../../../db/vms/vms.ts';
import { dataVolumes, secrets, storageClasses, virtualMachines } from '../../../fleet/kinds.ts';
import { fields, list } from '../../../kubevirt/facts/reading.ts';
import { buildMachine } from '../../../kubevirt/tenant-vm/build.ts';
import { annotations, labels } from '../../../kubevirt/tenant-vm/labels.ts';
import { domainOf, instanceSpecOf, specOf } from '../../../kubevirt/tenant-vm/live.ts';
import { machineName } from '../../../kubevirt/tenant-vm/names.ts';

const told = {
  cloudInit: { userData: '#cloud-config\nhostname: web\n' },
  sshKeys: ['ssh-ed25519 AAAA tenant'],
} as const;

suite('a machine', () => {
  let harness: MachineHarness;
  let vdc: Vdc;
  before(async () => {
    harness = await MachineHarness.begin(['kubevirt', 'nodes', 'storage', 'cdi', 'templates']);
    await harness.replicate(machineSettings);
    vdc = await harness.made();
  });
  after(() => harness?.stop());

  const idle = (id: VmId): Promise<void> => until('nothing is left to do', async () => (await harness.works(id)) === 0);
  const volumes = (vm: unknown): unknown[] => list(instanceSpecOf(vm)['volumes']).map((one) => fields(one)['name']);
  const withDisk = { disks: [{ name: 'data', sizeMb: 64 }], storageMb: 64 };

  suite('that is asked for', () => {
    test('is made with its guest data, which is kept nowhere but in its cluster', async () => {
      const { vm, vapp, task } = await harness.order(vdc, { powerOn: true, spec: told });
      const ended = await harness.ended(task, 'success');
      assert.equal(ended.progress, 100);
      const made = await harness.machine(vm);
      assert.equal(specOf(made)['runStrategy'], 'RerunOnFailure');
      assert.deepEqual(
        [made?.metadata.labels?.[labels.vmId], made?.metadata.labels?.[labels.vappId]],
        [vm.id, vapp.id],
      );
      for (const name of [`${vm.vm_name}-cloudinit`, `${vm.vm_name}-ssh`])
        assert.equal(
          (await harness.look(secrets, vm.namespace, name))?.metadata.ownerReferences?.[0]?.uid,
          made?.metadata.uid,
        );
      const { spec } = await harness.vmRow(vm.id);
      assert.deepEqual(Object.keys(spec).toSorted(), ['disks', 'networks', 'source', 'storageMb']);
      await idle(vm.id);
      await harness.reaches(vm, 'Running');
    });

    test('waits until the namespace of its virtual data center is there', async () => {
      const early = await makeVdc(harness.db, {});
      const { vm, task } = await harness.order(early);
      await until('it says so', async () => /not ready yet/.test((await harness.work(vm.id))?.message ?? ''));
      await requestReconciliation(harness.db, 'vdc', early.id, early.cluster);
      await harness.ended(task, 'success');
    });

    test('is taken over where it was made by an attempt that came no further', async () => {
      const id = randomUUID();
      const name = 'halfway';
      const vmName = machineName(name, id);
      const { rows } = await sql<{ id: string }>`SELECT id FROM installation`.execute(harness.db);
      const vapp = await createVapp(harness.db, { vdc_id: vdc.id, name: 'halfway' });
      const identity = {
        installationId: rows[0]?.id ?? '',
        organizationId: vdc.organization_id,
        vdcId: vdc.id,
        namespace: vdc.namespace,
        vappId: vapp.id,
        vappName: vapp.name,
        vmId: id,
        vmName,
        name,
        description: '',
      };
      const size = { cpus: 1, memoryMb: 512, running: false };
      const built = buildMachine(identity, { ...image, ...told }, size);
      const { client } = harness.cluster;
      for (const secret of built.secrets) await client.create(secrets, secret);
      const first = await client.create(virtualMachines, built.machine);
      const { vm, task } = await harness.order(vdc, { id, name, vapp, spec: told });
      await harness.ended(task, 'success');
      const made = await harness.machine(vm);
      assert.equal(made?.metadata.uid, first.metadata.uid);
      const secret = await harness.look(secrets, vm.namespace, `${vmName}-ssh`);
      assert.equal(secret?.metadata.ownerReferences?.[0]?.uid, first.metadata.uid);
      assert.equal((await harness.vmRow(vm.id)).spec['sshKeys'], undefined);
    });

    test('is undone where the cluster refuses it: nothing of it is left, and the task says why', async () => {
      const own = await harness.made();
      const path = `/apis/kubevirt.io/v1/namespaces/${own.namespace}/virtualmachines`;
      const { id } = harness.cluster.faults.add({ kind: '403', path, verbs: ['create'] });
      const { vm, vapp, task } = await harness.order(own, { spec: told });
      const { error } = await harness.ended(task, 'error');
      harness.cluster.faults.remove(id);
      assert.match(String(error?.['message']), /refuses: .*a fault of the sandbox/);
      assert.deepEqual(await harness.left(own), []);
      const row = await harness.vmRow(vm.id);
      assert.notEqual(row.deleted_at, null);
      assert.equal(row.spec['cloudInit'], undefined);
      assert.equal(await getVapp(harness.db, 'all', vapp.id), undefined);
      assert.equal(await harness.works(vm.id), 0);
      // Its Secrets are looked for once more, because requests for them may still arrive.
      const noted = await sql`SELECT FROM repeated_creations WHERE vm_id = ${vm.id}`.execute(harness.db);
      assert.equal(noted.rows.length, 1);
    });

    test('is refused where its name belongs to a foreign VM in the cluster, which stays', async () => {
      const id = randomUUID();
      const metadata = { namespace: vdc.namespace, name: machineName('taken', id) };
      const template = { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } };
      const first = await harness.cluster.client.create(virtualMachines, {
        metadata,
        spec: { runStrategy: 'Halted', template },
      });
      const { vm, task } = await harness.order(vdc, { id, name: 'taken' });
      const { error } = await harness.ended(task, 'error');
      assert.match(String(error?.['message']), /does not belong to this machine/);
      assert.equal((await harness.machine(vm))?.metadata.uid, first.metadata.uid);
      assert.notEqual((await harness.vmRow(vm.id)).deleted_at, null);
    });

    test('is not made again where it was seen and is gone before anybody has put down that it was made', async () => {
      const early = await makeVdc(harness.db, {});
      const { vm, task } = await harness.order(early);
      await sql`
        INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, generation, status, epoch, sequence)
        VALUES (${vm.id}, ${vm.cluster}, ${vm.namespace}, ${vm.vm_name}, ${randomUUID()}, 1, 'DELETED', 1, 1)
      `.execute(harness.db);
      await requestReconciliation(harness.db, 'vdc', early.id, early.cluster);
      const { error } = await harness.ended(task, 'error');
      assert.match(String(error?.['message']), /the machine was deleted/);
      assert.equal(await harness.machine(vm), undefined);
    });

    test('waits for a cluster that does not answer, says so, and is made when it is back', async () => {
      const path = `/apis/kubevirt.io/v1/namespaces/${vdc.namespace}/virtualmachines*`;
      const { id } = harness.cluster.faults.add({ kind: 'reset', path });
      const { vm, task } = await harness.order(vdc);
      const waits = async (): Promise<boolean> =>
        ((await harness.work(vm.id))?.message ?? '').startsWith('waits for cluster "local": ');
      await until('it says what it waits for', waits);
      assert.equal((await harness.task(task)).step, 'waiting for the cluster');
      harness.cluster.faults.remove(id);
      await harness.ended(task, 'success');
    });

    test('comes from a template of KubeVirt, filled in by its cluster', async () => {
      await harness.offerTemplate('small');
      const source = {
        kind: 'machineTemplate',
        namespace: 'default',
        name: 'small',
        parameters: { NAME: 'any', MEMORY: '640Mi' },
      } as const;
      const { vm } = await harness.orderMade(vdc, { spec: { source } });
      const made = await harness.machine(vm);
      assert.deepEqual(fields(domainOf(made)['memory'])['guest'], '640Mi');
      assert.equal(specOf(made)['runStrategy'], 'Halted');
      assert.equal(fields((await harness.vmRow(vm.id)).spec['source'])['parameters'], undefined);
      const { task, vm: other } = await harness.order(vdc, { spec: { source: { ...source, name: 'none' } } });
      const { error } = await harness.ended(task, 'error');
      assert.match(String(error?.['message']), /the template "none" no longer exists/);
      assert.notEqual((await harness.vmRow(other.id)).deleted_at, null);
    });

    test('is not made where the cluster makes something of a template that no machine may have', async () => {
      const sourceRef = { kind: 'DataSource', name: 'golden', namespace: '${SOURCE}' };
      await harness.offerTemplate('thief', {
        dataVolumeTemplates: [{ metadata: { name: '${NAME}' }, spec: { sourceRef, storage: {} } }],
      });
      const parameters = { NAME: 'any', SOURCE: 'tenant-b' };
      const source = { kind: 'machineTemplate', namespace: 'default', name: 'thief', parameters } as const;
      const { task, vm } = await harness.order(vdc, { spec: { source } });
      const { error } = await harness.ended(task, 'error');
      assert.match(
        String(error?.['message']),
        /"thief" cannot be used here: .*sourceRef\.namespace is "tenant-b"; disks are/,
      );
      assert.equal(await harness.machine(vm), undefined);
    });

    test('is left to its vApp where a template makes it', async () => {
      const { vm, task } = await harness.order(vdc, { spec: { source: { kind: 'template' } } });
      await until('it says so', async () =>
        /whose template creates the machine/.test((await harness.work(vm.id))?.message ?? ''),
      );
      assert.equal(await harness.machine(vm), undefined);
      await harness.ended(await harness.delete(vm), 'success');
      assert.equal((await harness.task(task)).status, 'error');
    });
  });

  suite('that is there', () => {
    let made: AskedMachine;
    before(async () => {
      made = await harness.orderMade(vdc, { spec: withDisk });
    });

    test('gets another size and other words, and keeps all other changes of users in its cluster', async () => {
      const { vm } = made;
      await harness.cluster.client.patch(
        virtualMachines,
        { namespace: vm.namespace, name: vm.vm_name },
        { type: 'merge', body: { spec: { template: { spec: { domain: { memory: { guest: '700Mi' } } } } } } },
      );
      const details = { changed: ['cpus', 'name', 'description'] };
      await harness.did(vm, 'vmUpdate', details, { cpu_count: 2, name: `${vm.name} 2`, description: 'shop' });
      const now = await harness.machine(vm);
      assert.deepEqual(
        [fields(domainOf(now)['cpu'])['sockets'], fields(domainOf(now)['memory'])['guest']],
        [2, '700Mi'],
      );
      assert.deepEqual(
        [now?.metadata.annotations?.[annotations.vmName], now?.metadata.annotations?.[annotations.vmDescription]],
        [`${vm.name} 2`, 'shop'],
      );
      await idle(vm.id);
    });

    test('keeps its size where another is refused, and the row says so again', async () => {
      const { vm } = made;
      const path = `/apis/kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}`;
      const { id } = harness.cluster.faults.add({ kind: '403', path, verbs: ['patch'] });
      const task = await harness.ask(vm, 'vmUpdate', { changed: ['cpus'] }, harness.db, { cpu_count: 64 });
      const { error } = await harness.ended(task, 'error');
      harness.cluster.faults.remove(id);
      assert.match(String(error?.['message']), /refuses/);
      assert.equal((await harness.vmRow(vm.id)).cpu_count, 2);
      await idle(vm.id);
    });

    test('gets disks and loses them, with their data', async () => {
      const { vm } = made;
      const more = { name: 'more', sizeMb: 32, added: true };
      const all = { ...(await harness.vmRow(vm.id)).spec, disks: [...withDisk.disks, more], storageMb: 96 };
      await harness.did(vm, 'vmDiskAdd', { disk: 'more', sizeMb: 32 }, { spec: all });
      assert.deepEqual(volumes(await harness.machine(vm)), ['rootdisk', 'data', 'more']);
      const disk = await harness.look(dataVolumes, vm.namespace, `${vm.vm_name}-more`);
      assert.equal(disk?.metadata.labels?.[labels.vmId], vm.id);
      for (const name of ['more', 'data']) await harness.did(vm, 'vmDiskRemove', { disk: name });
      assert.deepEqual(volumes(await harness.machine(vm)), ['rootdisk']);
      for (const name of ['more', 'data'])
        await until('its data is gone', async () => {
          const found = await harness.look(dataVolumes, vm.namespace, `${vm.vm_name}-${name}`);
          return found === undefined;
        });
    });

    test('waits for a disk of a storage class that is not there, says why, and gets it when that class is', async () => {
      const { vm } = await harness.orderMade(vdc);
      const disks = [{ name: 'gold', sizeMb: 8, storageClass: 'gold', added: true }];
      const spec = { ...(await harness.vmRow(vm.id)).spec, disks, storageMb: 8 };
      const task = await harness.ask(vm, 'vmDiskAdd', { disk: 'gold', sizeMb: 8 }, harness.db, { spec });
      const says = 'waits: its disk "gold" cannot be made: the storage class "gold" does not exist';
      await until('it says why', async () => (await harness.work(vm.id))?.message === says);
      assert.equal((await harness.task(task)).ended_at, null);
      assert.deepEqual(volumes(await harness.machine(vm)), ['rootdisk'], 'it would keep the machine from starting');
      const { client } = harness.cluster;
      const { metadata: _, ...standard } = await client.get(storageClasses, { name: 'standard' });
      await client.create(storageClasses, { ...standard, metadata: { name: 'gold' } });
      await harness.ended(task, 'success');
      assert.deepEqual(volumes(await harness.machine(vm)), ['rootdisk', 'gold']);
    });

    test('gets no foreign disk, and the row forgets it', async () => {
      const { vm } = made;
      const { namespace } = vm;
      await harness.cluster.client.create(dataVolumes, {
        metadata: { namespace, name: `${vm.vm_name}-foreign` },
        spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Mi' } } } },
      });
      const spec = { ...image, disks: [{ name: 'foreign', sizeMb: 8, added: true }], storageMb: 8 };
      const task = await harness.ask(vm, 'vmDiskAdd', { disk: 'foreign' }, harness.db, { spec: { ...spec } });
      const { error } = await harness.ended(task, 'error');
      assert.match(String(error?.['message']), /does not belong to this machine/);
      const row = await harness.vmRow(vm.id);
      assert.deepEqual([row.spec['disks'], row.spec['storageMb']], [[], 0]);
      const left = await harness.look(dataVolumes, namespace, `${vm.vm_name}-foreign`);
      assert.deepEqual([left?.metadata.name, left?.metadata.deletionTimestamp], [`${vm.vm_name}-foreign`, undefined]);
    });

    test('keeps the disk that it boots from', async () => {
      const task = await harness.ask(made.vm, 'vmDiskRemove', { disk: 'rootdisk' });
      const { error } = await harness.ended(task, 'error');
      assert.match(String(error?.['message']), /boots from the disk "rootdisk"/);
    });

    test('applies what was asked for while another request waits', async () => {
      const { vm } = made;
      const tasks = await Promise.all([
        harness.ask(vm, 'vmPowerOn', {}, harness.db, { desired_power: 'on' }),
        harness.ask(vm, 'vmUpdate', { changed: ['description'] }, harness.db, { description: 'both' }),
      ]);
      const [power, update] = tasks;
      await harness.ended(update, 'success');
      assert.equal((await harness.machine(vm))?.metadata.annotations?.[annotations.vmDescription], 'both');
      await harness.reaches(vm, 'Running');
      await harness.observe(vm, { status: 'POWERED_ON' });
      await harness.ended(power, 'success');
    });

    test('stays where its cluster does not even let it be read', async () => {
      const { vm } = await harness.orderMade(vdc);
      const path = `/apis/kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}`;
      const { id } = harness.cluster.faults.add({ kind: '403', path, verbs: ['get'] });
      const { error } = await harness.ended(await harness.ask(vm, 'vmPowerOn'), 'error');
      harness.cluster.faults.remove(id);
      assert.match(String(error?.['message']), /refuses/);
      await idle(vm.id);
      const { desired_state, deleted_at } = await harness.vmRow(vm.id);
      assert.deepEqual([desired_state, deleted_at], ['present', null]);
      assert.equal((await harness.machine(vm))?.metadata.deletionTimestamp, undefined);
    });

    test('is not made again where a user has deleted it in its cluster', async () => {
      const { vm } = await harness.orderMade(vdc);
      await harness.cluster.client.delete(virtualMachines, { namespace: vm.namespace, name: vm.vm_name });
      await until('it is gone', async () => (await harness.machine(vm)) === undefined);
      const { error } = await harness.ended(await harness.ask(vm, 'vmPowerOn'), 'error');
      assert.match(String(error?.['message']), /was deleted in its cluster/);
      await idle(vm.id);
      assert.equal(await harness.machine(vm), undefined);
    });
  });

  suite('that is to go', () => {
    test('is ended at once though it runs, with its disks and all that was made for it', async () => {
      const own = await harness.made();
      const { vm, vapp } = await harness.orderMade(own, { powerOn: true, spec: { ...told, ...withDisk } });
      await harness.reaches(vm, 'Running');
      const open = await harness.ask(vm, 'vmSuspend');
      await harness.ended(await harness.delete(vm), 'success');
      assert.notEqual((await harness.vmRow(vm.id)).deleted_at, null);
      assert.equal(await getVapp(harness.db, 'all', vapp.id), undefined);
      assert.notEqual((await harness.task(open)).ended_at, null);
      await until('nothing is left', async () => (await harness.left(own)).length === 0);
    });

    test('leaves a machine that has come in its place', async () => {
      const { vm } = await harness.orderMade(vdc);
      const { client } = harness.cluster;
      const key = { namespace: vm.namespace, name: vm.vm_name };
      await client.delete(virtualMachines, key);
      await until('it is gone', async () => (await harness.machine(vm)) === undefined);
      const template = { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } };
      await client.create(virtualMachines, { metadata: key, spec: { runStrategy: 'Halted', template } });
      await harness.ended(await harness.delete(vm), 'success');
      assert.notEqual(await harness.machine(vm), undefined);
    });

    test('leaves a foreign machine under its name, though the vm-controller takes that for it', async () => {
      const template = { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } };
      const foreign = async ({ namespace, vm_name: name }: Vm): Promise<string | undefined> => {
        const spec = { runStrategy: 'Halted', template };
        const made = await harness.cluster.client.create(virtualMachines, { metadata: { namespace, name }, spec });
        return made.metadata.uid;
      };
      const byTemplate = { spec: { source: { kind: 'template' } } } as const;
      const [refused, removed] = await Promise.all([harness.order(vdc, byTemplate), harness.order(vdc, byTemplate)]);
      const takes = async ({ vm }: AskedMachine): Promise<string | undefined> => {
        const uid = await foreign(vm);
        await harness.observe(vm, { status: 'POWERED_OFF' });
        return uid;
      };
      // Held: otherwise the creation may be refused, and the VM gone, before the next request is there.
      const [kept, [stays, removal]] = await Promise.all([
        harness.held(refused.vm, async () => {
          const uid = await takes(refused);
          await harness.ask(refused.vm, 'vmPowerOn');
          return uid;
        }),
        harness.held(removed.vm, async () => [await takes(removed), await harness.delete(removed.vm)] as const),
      ]);
      await harness.ended(removal, 'success');
      const { error } = await harness.ended(refused.task, 'error');
      assert.match(String(error?.['message']), /does not belong to this machine/);
      const found = await Promise.all([harness.machine(refused.vm), harness.machine(removed.vm)]);
      assert.deepEqual(
        found.map((one) => one?.metadata.uid),
        [kept, stays],
      );
      assert.equal(specOf(found[0])['runStrategy'], 'Halted');
    });

    test('keeps its vApp where others are in it', async () => {
      const vapp = await createVapp(harness.db, { vdc_id: vdc.id, name: 'shop' });
      const [one, other] = await Promise.all([harness.orderMade(vdc, { vapp }), harness.orderMade(vdc, { vapp })]);
      await harness.ended(await harness.delete(one.vm), 'success');
      assert.notEqual(await getVapp(harness.db, 'all', vapp.id), undefined);
      assert.notEqual(await harness.machine(other.vm), undefined);
    });

    test('leaves a vApp of its own behind, be it refused or deleted', async () => {
      const vapp = await createVapp(harness.db, { vdc_id: vdc.id, name: 'stays' });
      const path = `/apis/kubevirt.io/v1/namespaces/${vdc.namespace}/virtualmachines`;
      const { id } = harness.cluster.faults.add({ kind: '403', path, verbs: ['create'] });
      await harness.ended((await harness.order(vdc, { vapp })).task, 'error');
      harness.cluster.faults.remove(id);
      assert.equal((await getVapp(harness.db, 'all', vapp.id))?.desired_state, 'present');
      const { vm } = await harness.orderMade(vdc, { vapp });
      await harness.ended(await harness.delete(vm), 'success');
      assert.equal((await getVapp(harness.db, 'all', vapp.id))?.desired_state, 'present');
    });

    test('goes with its virtual data center, and the tasks that waited for it end', async () => {
      const own = await harness.made();
      const path = `/apis/kubevirt.io/v1/namespaces/${own.namespace}/virtualmachines`;
      const { id } = harness.cluster.faults.add({ kind: '503', path, verbs: ['create'] });
      const { vm, task } = await harness.order(own);
      await until('it waits', async () => (await harness.task(task)).status === 'running');
      const removal = await harness.remove(own, true);
      harness.cluster.faults.remove(id);
      await harness.ended(removal.task, 'success');
      await until('it has ended', async () => (await harness.task(task)).ended_at !== null);
      assert.equal((await harness.task(task)).status, 'error');
      assert.equal(await harness.works(vm.id), 0);
    });
  });

  test('that another client has made is changed, powered and removed like any other', async () => {
    const vm = await harness.discovered(vdc);
    await harness.did(vm, 'vmUpdate', { changed: ['cpus', 'memoryMb'] }, { cpu_count: 4, memory_mb: 2048 });
    const changed = await harness.machine(vm);
    assert.deepEqual(
      [domainOf(changed)['cpu'], fields(domainOf(changed)['memory'])['guest']],
      [{ cores: 2, sockets: 2 }, '2Gi'],
    );
    const task = await harness.ask(vm, 'vmPowerOn', {}, harness.db, { desired_power: 'on' });
    await harness.reaches(vm, 'Running');
    await harness.observe(vm, { status: 'POWERED_ON' });
    await harness.ended(task, 'success');
    const { runStrategy, running } = specOf(await harness.machine(vm));
    assert.deepEqual([runStrategy, running], ['RerunOnFailure', undefined]);
    await harness.ended(await harness.delete(vm), 'success');
    assert.equal(await harness.machine(vm), undefined);
  });

  powerCases(() => ({ harness, vdc }));
});
