/** The row during the life of its VM. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualMachineInstances, virtualMachines } from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { create, power, remove } from '../machines.ts';
import type { Scene } from '../scene.ts';

export function lifeTests(scene: () => Scene): void {
  test('a machine runs, is paused, is stopped and goes; its vApp shows the same', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('life');
    assert.equal(await rows.vapp(vapp.id), 'RESOLVED', 'it has no machines yet');
    await create(client, { namespace, vappId: vapp.id });
    for (const [verb, status] of [
      [undefined, 'POWERED_ON'],
      ['pause', 'SUSPENDED'],
      ['stop', 'POWERED_OFF'],
    ] as const) {
      if (verb !== undefined) await power(client, namespace, verb);
      await rows.status(namespace, status);
      assert.equal(await rows.vapp(vapp.id), status);
    }
    await create(client, { namespace, name: 'second', vappId: vapp.id });
    await rows.until('the second runs', namespace, (all) => all[1]?.status === 'POWERED_ON');
    assert.equal(await rows.vapp(vapp.id), 'MIXED');
    await remove(client, namespace);
    await rows.until('the first is gone', namespace, (all) => all[0]?.status === 'DELETED');
    assert.equal(await rows.vapp(vapp.id), 'POWERED_ON', 'a deleted machine never counts');
  });

  test('the row has what the machine has: CPU, memory, guest, addresses, node, host name, disks', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('details');
    await create(client, { namespace, vappId: vapp.id, disk: true });
    const [row] = await rows.until(
      'the guest has spoken',
      namespace,
      ([one]) => one?.status === 'POWERED_ON' && one.guest_os !== null,
    );
    const key = { namespace, name: 'web' };
    const { status } = (await client.get(virtualMachineInstances, key)) as {
      status?: {
        nodeName?: string;
        guestOSInfo?: { prettyName?: string };
        interfaces?: readonly { ipAddresses?: readonly string[]; ipAddress?: string }[];
      };
    };
    assert.deepEqual(
      [row?.cpu_count, Number(row?.memory_mb), row?.node, row?.guest_os],
      [2, 128, status?.nodeName, status?.guestOSInfo?.prettyName],
    );
    assert.ok((row?.ip_addresses ?? []).length > 0);
    const addresses = (status?.interfaces ?? []).flatMap(
      ({ ipAddresses, ipAddress = '' }) => ipAddresses ?? [ipAddress],
    );
    for (const address of row?.ip_addresses ?? []) assert.ok(addresses.includes(address), address);
    assert.equal(row?.host_name, 'web');
    assert.ok(
      row?.disks?.some(({ claim, bytes }) => claim === 'web-disk' && Number(bytes) >= 2 ** 30),
      JSON.stringify(row?.disks),
    );
    await power(client, namespace, 'stop');
    // The VM may report Stopped before its VMI, with address and node, is gone.
    const [off] = await rows.until(
      'it is off, and nowhere',
      namespace,
      ([one]) => one?.status === 'POWERED_OFF' && one.ip_addresses?.length === 0 && one.node === null,
    );
    assert.deepEqual([off?.cpu_count, Number(off?.memory_mb), off?.guest_os], [2, 128, row.guest_os]);
  });

  test('a machine that is being deleted is DELETING until it is gone, and then DELETED', async () => {
    const { rows, client } = scene();
    const { namespace, vapp } = await scene().place('deleting');
    await create(client, { namespace, vappId: vapp.id, on: false, finalizers: ['test.ssvirt.io/hold'] });
    await rows.status(namespace, 'POWERED_OFF');
    await remove(client, namespace);
    await rows.status(namespace, 'DELETING');
    assert.equal(await rows.vapp(vapp.id), 'DELETING');
    const body = { metadata: { finalizers: null } };
    await client.patch(virtualMachines, { namespace, name: 'web' }, { type: 'merge', body });
    await rows.status(namespace, 'DELETED');
    assert.equal(await rows.vapp(vapp.id), 'RESOLVED');
  });
}
