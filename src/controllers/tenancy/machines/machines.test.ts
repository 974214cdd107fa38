/** Machines come to their cluster, are changed there, and go. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MachineGround, machineSettings } from '../../../../test/tenancy/machine-ground.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { Vdc } from '../../../db/vdcs.ts';
import { fields, list } from '../../../virt/facts/reading.ts';
import { labels } from '../../../virt/machine/labels.ts';
import { domainOf, instanceSpecOf, specOf } from '../../../virt/machine/live.ts';
import { dataVolumes, secrets, virtualMachines } from './kinds.ts';

suite('a machine', () => {
  let ground: MachineGround;
  let vdc: Vdc;
  before(async () => {
    ground = await MachineGround.begin();
    for (const _ of ['one', 'two']) ground.replica(machineSettings);
    vdc = await ground.made();
  });
  after(() => ground?.stop());

  test('is made with what its guest is told, which is kept nowhere but in its cluster', async () => {
    const sshKeys = ['ssh-ed25519 AAAA somebody'];
    const spec = { cloudInit: { userData: '#cloud-config\nhostname: web\n' }, sshKeys };
    const { vm, task } = await ground.order(vdc, { powerOn: true, spec });
    const ended = await ground.ended(task, 'success');
    assert.equal(ended.progress, 100);
    const made = await ground.machine(vm);
    assert.equal(specOf(made)['runStrategy'], 'RerunOnFailure');
    assert.equal(made?.metadata.labels?.[labels.vmId], vm.id);
    const secret = await ground.look(secrets, vm.namespace, `${vm.vm_name}-cloudinit`);
    assert.deepEqual(secret?.metadata.ownerReferences?.[0]?.uid, made?.metadata.uid);
    const row = await ground.vmRow(vm.id);
    assert.deepEqual([row.spec['cloudInit'], row.spec['sshKeys']], [undefined, undefined]);
    await ground.reaches(vm, 'Running');
    await until('nothing is left to do', async () => (await ground.works(vm.id)) === 0);
  });
});
void [fields, list, domainOf, instanceSpecOf, dataVolumes, virtualMachines];
