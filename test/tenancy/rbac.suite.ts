/** VDCs on a kube-apiserver, with the rights of deploy/rbac and no others */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: rbac/api-server.suite.ts grants each right when it is missed, on a real server
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { vdcTypes } from '../../packages/ssvirt/src/controllers/tenancy/vdcs/vdc-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { childKinds } from '../../packages/ssvirt/src/kubevirt/vdc/objects.ts';
import { virtualMachines } from '../fleet/harness.ts';
import { until } from '../runtime/until.ts';
import { specOf } from './harness.ts';
import { RightsHarness, type Audited } from './rights-harness.ts';

describe('virtual data centers on a kube-apiserver', () => {
  let rights: RightsHarness;
  let client: Client;
  let harness: RightsHarness['harness'];
  const audited = (): readonly Audited[] => rights.audited();

  /** Refused until the cluster has counted the new quota for the first time. */
  const createMachine = (namespace: string): Promise<void> =>
    until('the machine is made', async () => {
      await client.create(virtualMachines, { metadata: { namespace, name: 'web' } });
      return true;
    });

  before(async () => {
    rights = await RightsHarness.start();
    ({ client, harness } = rights);
  });
  after(() => rights?.stop());

  test('are made, repaired and removed with the rights that are handed out', async () => {
    const vdc = await harness.made({ vm_quota: 3, memory_limit_mb: 1024, storage_limit_mb: 1000 });
    for (const kind of childKinds) assert.ok(await harness.find(vdc, kind), kind);
    await client.patch(
      vdcTypes.ResourceQuota,
      { namespace: vdc.namespace, name: 'vdc-quota' },
      { type: 'merge', body: { spec: { hard: { 'count/virtualmachines.kubevirt.io': '99', pods: '1' } } } },
    );
    await harness.ended((await harness.update(vdc, { memory_limit_mb: 0 })).task, 'success');
    const wanted = { 'count/virtualmachines.kubevirt.io': '3', 'requests.storage': '3375Mi' };
    await until('the quota is as asked for', async () =>
      isDeepStrictEqual(specOf(await harness.find(vdc, 'ResourceQuota'))['hard'], wanted),
    );
    await createMachine(vdc.namespace);
    await harness.ended((await harness.remove(vdc, true)).task, 'success');
    assert.equal(await harness.find(vdc, 'Namespace'), undefined);
    const refused = audited().filter(({ responseStatus }) => responseStatus?.code === 403);
    assert.deepEqual(refused, [], 'nothing that it asks for is refused');
  });

  test('hold machines that are made, changed, powered and removed with the same rights', async () => {
    const vdc = await harness.made();
    const spec = { cloudInit: { userData: '#cloud-config' }, sshKeys: ['ssh-ed25519 AAAA'] };
    const { vm } = await harness.orderMade(vdc, { spec });
    await harness.did(vm, 'vmUpdate', { changed: ['cpus'] }, { cpu_count: 3 });
    const on = await harness.ask(vm, 'vmPowerOn', {}, harness.db, { desired_power: 'on' });
    await until('it is to run', async () => specOf(await harness.machine(vm))['runStrategy'] === 'RerunOnFailure');
    const key = { namespace: vm.namespace, name: vm.vm_name };
    const body = { status: { printableStatus: 'Running', created: true } };
    await client.patch(virtualMachines, key, { type: 'merge', body });
    await harness.observe(vm, { status: 'POWERED_ON' });
    await harness.ended(on, 'success');
    // There is no virt-api here: an allowed request gets 404, a forbidden one 403.
    const asked = [
      await harness.ask(vm, 'vmReset'),
      await harness.ask(vm, 'vmReboot'),
      await harness.ask(vm, 'vmDiskAdd', { disk: 'more' }, harness.db, {
        spec: { ...(await harness.vmRow(vm.id)).spec, disks: [{ name: 'more', sizeMb: 8, added: true }] },
      }),
    ];
    for (const task of asked.slice(0, 2)) assert.match(JSON.stringify(await harness.ended(task, 'error')), /404/);
    await until('the disk is made', async () => (await harness.left(vdc)).includes(`DataVolume ${vm.vm_name}-more`));
    await harness.ended(await harness.delete(vm), 'success');
    const refused = audited().filter(({ responseStatus }) => responseStatus?.code === 403);
    assert.deepEqual(refused, [], 'nothing that it asks for is refused');
    const secrets = audited().filter(({ verb, objectRef }) => objectRef?.resource === 'secrets' && verb === 'get');
    assert.deepEqual(
      secrets.filter(({ objectRef }) => objectRef?.namespace === vdc.namespace),
      [],
    );
  });

  test('are left alone while nothing differs, though their usage changes', async () => {
    const vdc = await harness.made({ vm_quota: 3 });
    const writes = (): number =>
      audited().filter(({ verb, objectRef }) => verb === 'patch' && objectRef?.namespace === vdc.namespace).length;
    await createMachine(vdc.namespace);
    await until(
      'the usage is counted',
      async () => {
        const { status } = ((await harness.find(vdc, 'ResourceQuota')) ?? {}) as { status?: { used?: object } };
        return isDeepStrictEqual(status?.used, { 'count/virtualmachines.kubevirt.io': '1' });
      },
      { deadlineMs: 60_000 },
    );
    const before = writes();
    await harness.ended((await harness.update(vdc, {})).task, 'success');
    assert.equal(writes(), before);
    assert.ok(before > 0);
  });
});
