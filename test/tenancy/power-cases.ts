/**
 * Power operations on VMs: sent to the cluster until it reports the state, and ended when the shown status matches,
 * too.
 */
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { virtualMachines } from '../../packages/ssvirt/src/controllers/tenancy/vms/kinds.ts';
import type { TaskId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import type { Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import { specOf } from '../../packages/ssvirt/src/kubevirt/tenant-vm/live.ts';
import { setCluster } from '../database/rows.ts';
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

    const shown = 'waiting for its status';
    const confirmed = async (operation: string, status: string, isShown: string): Promise<void> => {
      const task = await ground.ask(vm, operation);
      await ground.reaches(vm, status);
      await until('it waits to be seen', async () => (await ground.task(task)).step === shown);
      await ground.observe(vm, { status: isShown });
      await ground.ended(task, 'success');
    };
    /** Makes the task look as if it had reached that step an hour ago. */
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

    test('ends by the word of the cluster where that was reached since, and nobody shows it', async () => {
      await ground.observe(vm, { status: 'UNKNOWN' });
      const task = await ground.ask(vm, 'vmPowerOff');
      await backdate(task, shown);
      await ground.contact(vm);
      await ground.ended(task, 'success');
    });

    /** Checks that the task is retried some times and stays open. */
    const staysOpen = async (task: TaskId, message: RegExp): Promise<void> => {
      await until('it waits', async () => (await ground.task(task)).step === shown);
      const { attempt: before } = (await ground.work(vm.id as never)) ?? { attempt: 0 };
      await until('it was tried again', async () => {
        const work = await ground.work(vm.id as never);
        return work !== undefined && work.attempt - before > 2 && work.message !== '';
      });
      assert.match((await ground.work(vm.id as never))?.message ?? '', message);
      assert.equal((await ground.task(task)).status, 'running');
    };

    test('has not ended while its cluster was not reached since it was asked for, though its status was shown before', async () => {
      await ground.observe(vm, { status: 'POWERED_OFF' });
      await setCluster(
        ground.db,
        { name: vm.cluster, state: 'synced' },
        { contactedMsAgo: 60_000, currentForMs: 15_000 },
      );
      const task = await ground.ask(vm, 'vmPowerOff');
      await staysOpen(task, /^waits for its status, which is not known now: the vm-controller has never reported/);
      await ground.contact(vm);
      await ground.ended(task, 'success');
    });

    test('has not ended by a contact from before the clock of the database was set back', async () => {
      await setCluster(ground.db, { name: vm.cluster, state: 'synced' }, { contactedMsAgo: -3_600_000 });
      const task = await ground.ask(vm, 'vmPowerOff');
      await staysOpen(task, /^waits for its status/);
      // Dates the request by the old clock.
      await sql`UPDATE tasks SET created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour' WHERE id = ${task}`.execute(
        ground.db,
      );
      await until(
        'it counts from the new time',
        async () => (await ground.task(task)).updated_at.getTime() < Date.now() + 60_000,
      );
      await ground.contact(vm);
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

      test('is reset and rebooted when the cluster has taken it, and was reached since', async () => {
        const task = await ground.ask(vm, 'vmReset');
        await staysOpen(task, /^waits for its status/);
        await ground.contact(vm);
        await ground.ended(task, 'success');
        await ground.did(vm, 'vmReboot');
      });

      test('is not sent twice where it is not known whether the first has come', async () => {
        assert.match(await messageOf(await ground.ask(vm, 'vmReset', { sent: true })), /the outcome is unknown/);
        const rule = ground.cluster.faults.add({ kind: 'reset', path: `${instance()}/reset` });
        const task = await ground.ask(vm, 'vmReset');
        assert.match(await messageOf(task), /the outcome is unknown/);
        const struck = ground.cluster.faults.list().find(({ id }) => id === rule.id)?.struck;
        ground.cluster.faults.remove(rule.id);
        assert.equal(struck, 1);
      });

      for (const [operation, subresource] of [
        ['vmReset', 'reset'],
        ['vmReboot', 'softreboot'],
      ] as const)
        test(`ends ${operation} with the HTTP status and the text of a server that failed, and does not send it again`, async () => {
          const rule = ground.cluster.faults.add({ kind: '500', path: `${instance()}/${subresource}` });
          const said = await messageOf(await ground.ask(vm, operation));
          const struck = ground.cluster.faults.list().find(({ id }) => id === rule.id)?.struck;
          ground.cluster.faults.remove(rule.id);
          assert.match(
            said,
            /^the cluster answered HTTP 500: .*a fault of the sandbox.*: the outcome is unknown\. Look at the VM/,
          );
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

      for (const [operation, subresource] of [
        ['vmSuspend', 'pause'],
        ['vmReset', 'reset'],
        ['vmReboot', 'softreboot'],
      ] as const)
        test(`ends ${operation} with the HTTP status and the text of a refusal without a Status`, async () => {
          const { id } = ground.cluster.faults.add({ kind: '406', path: `${instance()}/${subresource}` });
          const said = await messageOf(await ground.ask(vm, operation));
          ground.cluster.faults.remove(id);
          assert.match(said, /^cluster ".*" refuses: HTTP 406: Not Acceptable Available representations:/);
          assert.equal(await ground.status(vm), 'Running');
        });

      test('is tried again after a 401 and a 429, which say nothing about the operation', async () => {
        for (const kind of ['401', '429']) {
          const { id } = ground.cluster.faults.add({
            kind,
            path: `${instance()}/softreboot`,
            times: 1,
            retryAfterSeconds: 0,
          });
          await ground.did(vm, 'vmReboot');
          ground.cluster.faults.remove(id);
        }
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

    test('is said to end slowly where a machine that is deleted could not be stopped at once', async () => {
      const { vm: doomed } = await ground.orderMade(vdc);
      const on = await ground.ask(doomed, 'vmPowerOn');
      await ground.reaches(doomed, 'Running');
      await ground.observe(doomed, { status: 'POWERED_ON' });
      await ground.ended(on, 'success');
      const key = { namespace: doomed.namespace, name: doomed.vm_name };
      const hold = (finalizers: readonly string[] | null): Promise<unknown> =>
        ground.cluster.client.patch(virtualMachines, key, { type: 'merge', body: { metadata: { finalizers } } });
      await hold(['test.ssvirt.io/held']);
      const path = `/apis/subresources.kubevirt.io/v1/namespaces/${key.namespace}/virtualmachines/${key.name}/stop`;
      const { id } = ground.cluster.faults.add({ kind: '406', path });
      const task = await ground.delete(doomed);
      const why = /could not be stopped at once: cluster ".*" refuses: HTTP 406: Not Acceptable/;
      await until('it says why it takes long', async () =>
        why.test((await ground.work(doomed.id as never))?.message ?? ''),
      );
      ground.cluster.faults.remove(id);
      await hold(null);
      const { details } = await ground.ended(task, 'success');
      assert.match(String(details['notStopped']), /HTTP 406/);
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
