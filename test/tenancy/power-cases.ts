/** Power of machines: sent to the cluster until it says that the state is reached, and ended when what is shown says so too. */
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { virtualMachines } from '../../src/controllers/tenancy/machines/kinds.ts';
import type { TaskId } from '../../src/db/schema.ts';
import type { Vdc } from '../../src/db/vdcs.ts';
import type { Vm } from '../../src/db/vms.ts';
import { specOf } from '../../src/virt/machine/live.ts';
import { until } from '../runtime/until.ts';
import type { MachineGround } from './machine-ground.ts';

export function powerCases(started: () => { readonly ground: MachineGround; readonly vdc: Vdc }): void {
  suite('the power of a machine', () => {
    let ground: MachineGround;
    let vdc: Vdc;
    let vm: Vm;
    before(async () => {
      ({ ground, vdc } = started());
      ({ vm } = await ground.orderMade(vdc));
    });

    const confirmed = async (operation: string, status: string, shown: string): Promise<void> => {
      const task = await ground.ask(vm, operation);
      await ground.reaches(vm, status);
      await until(
        'it waits to be seen',
        async () => (await ground.task(task)).step === 'waiting until its status is shown',
      );
      await ground.observe(vm, { status: shown });
      await ground.ended(task, 'success');
    };
    /** As if it had come to that step an hour ago. */
    const backdate = async (task: TaskId, step: string): Promise<void> => {
      await until(`it is at "${step}"`, async () => (await ground.task(task)).step === step);
      await sql`UPDATE tasks SET updated_at = now() - interval '1 hour' WHERE id = ${task}`.execute(ground.db);
    };
    const messageOf = async (task: TaskId): Promise<string> =>
      String((await ground.ended(task, 'error')).error?.['message']);

    test('is turned on, suspended, resumed and turned off, and each ends when it is shown', async () => {
      await confirmed('vmPowerOn', 'Running', 'POWERED_ON');
      await confirmed('vmSuspend', 'Paused', 'SUSPENDED');
      await confirmed('vmResume', 'Running', 'POWERED_ON');
      await confirmed('vmShutdown', 'Stopped', 'POWERED_OFF');
      assert.equal(specOf(await ground.machine(vm))['runStrategy'], 'Halted');
      await confirmed('vmPowerOn', 'Running', 'POWERED_ON');
      await confirmed('vmPowerOff', 'Stopped', 'POWERED_OFF');
      await until('nothing is left to do', async () => (await ground.works(vm.id)) === 0);
    });

    test('is refused in a state that does not let it, with the reason', async () => {
      const [suspend, reset] = await Promise.all([ground.ask(vm, 'vmSuspend'), ground.ask(vm, 'vmReset')]);
      assert.equal(await messageOf(suspend), 'The machine cannot be suspended: it is powered off: power it on first.');
      assert.equal(await messageOf(reset), 'The machine cannot be reset: it is powered off: power it on first.');
    });

    test('ends at once where the machine is so already and that is shown', async () => {
      await ground.did(vm, 'vmPowerOff');
    });

    test('ends by the word of the cluster where nobody shows it', async () => {
      await ground.observe(vm, { status: 'UNKNOWN' });
      const task = await ground.ask(vm, 'vmPowerOff');
      await backdate(task, 'waiting until its status is shown');
      await ground.ended(task, 'success');
    });

    test('is not given up for the time that its cluster was away: that is nobody’s', async () => {
      const path = `/apis/kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}`;
      const { id } = ground.cluster.faults.add({ kind: '503', path, verbs: ['patch'] });
      await ground.observe(vm, { status: 'POWERED_OFF' });
      const task = await ground.ask(vm, 'vmPowerOn');
      await until(
        'it has been tried for a while',
        async () => ((await ground.work(vm.id as never))?.failures ?? 0) > 5,
      );
      await backdate(task, 'waiting for the machine to run');
      ground.cluster.faults.remove(id);
      await ground.reaches(vm, 'Running');
      await ground.observe(vm, { status: 'POWERED_ON' });
      await ground.ended(task, 'success');
      await confirmed('vmPowerOff', 'Stopped', 'POWERED_OFF');
    });

    suite('of one that runs', () => {
      before(() => confirmed('vmPowerOn', 'Running', 'POWERED_ON'));
      const instance = (): string =>
        `/apis/subresources.kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachineinstances/${vm.vm_name}`;

      test('is reset and rebooted when the cluster has taken it', async () => {
        await ground.did(vm, 'vmReset');
        await ground.did(vm, 'vmReboot');
      });

      test('is not sent twice where it is not known whether the first has come', async () => {
        assert.match(await messageOf(await ground.ask(vm, 'vmReset', { sent: true })), /not known whether it was done/);
        const rule = ground.cluster.faults.add({ kind: 'reset', path: `${instance()}/reset` });
        const task = await ground.ask(vm, 'vmReset');
        assert.match(await messageOf(task), /not known whether it was done/);
        const struck = ground.cluster.faults.list().find(({ id }) => id === rule.id)?.struck;
        ground.cluster.faults.remove(rule.id);
        assert.equal(struck, 1);
      });

      test('is sent again where the cluster says that it was not done', async () => {
        const { id } = ground.cluster.faults.add({ kind: '503', path: `${instance()}/softreboot`, times: 1 });
        await ground.did(vm, 'vmReboot');
        ground.cluster.faults.remove(id);
      });

      test('ends with the words of the cluster where that refuses it', async () => {
        const { id } = ground.cluster.faults.add({ kind: '403', path: `${instance()}/pause` });
        assert.match(await messageOf(await ground.ask(vm, 'vmSuspend')), /refuses: .*a fault of the sandbox/);
        ground.cluster.faults.remove(id);
        assert.equal(await ground.status(vm), 'Running');
      });

      test('goes on where a guest has shut itself down: it is started again', async () => {
        const instances = { ...virtualMachines, kind: 'VirtualMachineInstance', plural: 'virtualmachineinstances' };
        const { client } = ground.cluster;
        await client.request({
          method: 'PUT',
          path: `/apis/subresources.kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}/stop`,
          body: {},
        });
        await until('it is off', async () => {
          const found = await ground.look(instances, vm.namespace, vm.vm_name);
          return found === undefined && (await ground.status(vm)) === 'Stopped';
        });
        await ground.observe(vm, { status: 'POWERED_OFF' });
        await confirmed('vmPowerOn', 'Running', 'POWERED_ON');
      });
    });

    suite('of one that does not come up', () => {
      let stuck: Vm;
      before(async () => {
        ({ vm: stuck } = await ground.orderMade(vdc));
        await ground.afflict(stuck, 'unschedulable');
      });

      test('ends with the fault that is shown', async () => {
        const task = await ground.ask(stuck, 'vmPowerOn');
        await ground.reaches(stuck, 'ErrorUnschedulable');
        await ground.observe(stuck, { status: 'FAILED', fault: 'No node has room for it.' });
        assert.equal(await messageOf(task), 'No node has room for it.');
      });

      test('ends after a while with what it waited for', async () => {
        await ground.observe(stuck, { status: 'POWERING_ON' });
        const task = await ground.ask(stuck, 'vmPowerOn');
        await backdate(task, 'waiting for the machine to run');
        const message = await messageOf(task);
        assert.match(message, /longer than 15 minutes: waited for the machine to run; its status is POWERING_ON/);
      });
    });
  });
}
