/**
 * Power operations on VMs: sent to the cluster until it reports the state, and ended when the shown status matches,
 * too.
 */
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { TaskId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import type { Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import { specOf } from '../../packages/ssvirt/src/kubevirt/tenant-vm/live.ts';
import { setCluster } from '../database/rows.ts';
import { until } from '../runtime/until.ts';
import type { MachineHarness } from './vm-harness.ts';

export function powerCases(started: () => { readonly harness: MachineHarness; readonly vdc: Vdc }): void {
  suite('the power of a machine', () => {
    let harness: MachineHarness;
    let vdc: Vdc;
    let vm: Vm;
    before(async () => {
      ({ harness, vdc } = started());
      ({ vm } = await harness.orderMade(vdc));
    });

    const shown = 'waiting for its status';
    const confirmed = async (operation: string, status: string, isShown: string): Promise<void> => {
      const task = await harness.ask(vm, operation);
      await harness.reaches(vm, status);
      await until('it waits to be seen', async () => (await harness.task(task)).step === shown);
      await harness.observe(vm, { status: isShown });
      await harness.ended(task, 'success');
    };
    /** Makes the task look as if it had reached that step an hour ago. */
    const backdate = async (task: TaskId, step: string): Promise<void> => {
      await until(`it is at "${step}"`, async () => (await harness.task(task)).step === step);
      await sql`UPDATE tasks SET updated_at = now() - interval '1 hour' WHERE id = ${task}`.execute(harness.db);
    };
    const messageOf = async (task: TaskId): Promise<string> =>
      String((await harness.ended(task, 'error')).error?.['message']);

    test('is turned on, suspended, resumed and turned off, and each ends when it is shown', async () => {
      await confirmed('vmPowerOn', 'Running', 'POWERED_ON');
      await confirmed('vmSuspend', 'Paused', 'SUSPENDED');
      await confirmed('vmResume', 'Running', 'POWERED_ON');
      await confirmed('vmShutdown', 'Stopped', 'POWERED_OFF');
      assert.equal(specOf(await harness.machine(vm))['runStrategy'], 'Halted');
      await confirmed('vmPowerOn', 'Running', 'POWERED_ON');
      await confirmed('vmPowerOff', 'Stopped', 'POWERED_OFF');
      await until('nothing is left to do', async () => (await harness.works(vm.id)) === 0);
    });

    test('is refused in a state that does not let it, with the reason', async () => {
      const [suspend, reset] = await Promise.all([harness.ask(vm, 'vmSuspend'), harness.ask(vm, 'vmReset')]);
      assert.equal(await messageOf(suspend), 'The machine cannot be suspended: it is powered off: power it on first.');
      assert.equal(await messageOf(reset), 'The machine cannot be reset: it is powered off: power it on first.');
    });

    test('ends at once where the machine is so already and that is shown', async () => {
      await harness.did(vm, 'vmPowerOff');
    });

    test('ends by the state in the cluster where that was reached since, without an observation', async () => {
      await harness.observe(vm, { status: 'UNKNOWN' });
      const task = await harness.ask(vm, 'vmPowerOff');
      await backdate(task, shown);
      await harness.contact(vm);
      await harness.ended(task, 'success');
    });

    /** Checks that the task is retried some times and stays open. */
    const staysOpen = async (task: TaskId, message: RegExp): Promise<void> => {
      await until('it waits', async () => (await harness.task(task)).step === shown);
      const { attempt: before } = (await harness.work(vm.id)) ?? { attempt: 0 };
      await until('it was tried again', async () => {
        const work = await harness.work(vm.id);
        return work !== undefined && work.attempt - before > 2 && work.message !== '';
      });
      assert.match((await harness.work(vm.id))?.message ?? '', message);
      assert.equal((await harness.task(task)).status, 'running');
    };

    test('has not ended while its cluster was not reached since it was asked for, though its status was shown before', async () => {
      await harness.observe(vm, { status: 'POWERED_OFF' });
      await setCluster(
        harness.db,
        { name: vm.cluster, state: 'synced' },
        { contactedMsAgo: 60_000, currentForMs: 15_000 },
      );
      const task = await harness.ask(vm, 'vmPowerOff');
      await staysOpen(task, /^waits for its status, which is not known now: the vm-controller has never reported/);
      await harness.contact(vm);
      await harness.ended(task, 'success');
    });

    test('has not ended by a contact from before the clock of the database was set back', async () => {
      await setCluster(harness.db, { name: vm.cluster, state: 'synced' }, { contactedMsAgo: -3_600_000 });
      const task = await harness.ask(vm, 'vmPowerOff');
      await staysOpen(task, /^waits for its status/);
      // Dates the request by the old clock.
      await sql`UPDATE tasks SET created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour' WHERE id = ${task}`.execute(
        harness.db,
      );
      await until(
        'it counts from the new time',
        async () => (await harness.task(task)).updated_at.getTime() < Date.now() + 60_000,
      );
      await harness.contact(vm);
      await harness.ended(task, 'success');
    });

    test('is not given up for the time that its cluster was unavailable', async () => {
      const path = `/apis/kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}`;
      const { id } = harness.cluster.faults.add({ kind: '503', path, verbs: ['patch'] });
      await harness.observe(vm, { status: 'POWERED_OFF' });
      const task = await harness.ask(vm, 'vmPowerOn');
      await until('it has been tried for a while', async () => ((await harness.work(vm.id))?.failures ?? 0) > 5);
      await backdate(task, 'waiting for the machine to run');
      harness.cluster.faults.remove(id);
      await harness.reaches(vm, 'Running');
      await harness.observe(vm, { status: 'POWERED_ON' });
      await harness.ended(task, 'success');
      await confirmed('vmPowerOff', 'Stopped', 'POWERED_OFF');
    });

    suite('of one that runs', () => {
      before(() => confirmed('vmPowerOn', 'Running', 'POWERED_ON'));
      const instance = (): string =>
        `/apis/subresources.kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachineinstances/${vm.vm_name}`;

      test('is reset and rebooted when the cluster has taken it, and was reached since', async () => {
        const task = await harness.ask(vm, 'vmReset');
        await staysOpen(task, /^waits for its status/);
        await harness.contact(vm);
        await harness.ended(task, 'success');
        await harness.did(vm, 'vmReboot');
      });

      test('is not sent twice where it is not known whether the first has come', async () => {
        assert.match(await messageOf(await harness.ask(vm, 'vmReset', { sent: true })), /the outcome is unknown/);
        const rule = harness.cluster.faults.add({ kind: 'reset', path: `${instance()}/reset` });
        const task = await harness.ask(vm, 'vmReset');
        assert.match(await messageOf(task), /the outcome is unknown/);
        const struck = harness.cluster.faults.list().find(({ id }) => id === rule.id)?.struck;
        harness.cluster.faults.remove(rule.id);
        assert.equal(struck, 1);
      });

      for (const [operation, subresource] of [
        ['vmReset', 'reset'],
        ['vmReboot', 'softreboot'],
      ] as const)
        test(`ends ${operation} with the HTTP status and the text of a server that failed, and does not send it again`, async () => {
          const rule = harness.cluster.faults.add({ kind: '500', path: `${instance()}/${subresource}` });
          const said = await messageOf(await harness.ask(vm, operation));
          const struck = harness.cluster.faults.list().find(({ id }) => id === rule.id)?.struck;
          harness.cluster.faults.remove(rule.id);
          assert.match(
            said,
            /^the cluster answered HTTP 500: .*a fault of the sandbox.*: the outcome is unknown\. Look at the VM/,
          );
          assert.equal(struck, 1);
        });

      test('is sent again where the cluster says that it was not done', async () => {
        const { id } = harness.cluster.faults.add({ kind: '503', path: `${instance()}/softreboot`, times: 1 });
        await harness.did(vm, 'vmReboot');
        harness.cluster.faults.remove(id);
      });

      test('ends with the words of the cluster where that refuses it', async () => {
        const { id } = harness.cluster.faults.add({ kind: '403', path: `${instance()}/pause` });
        assert.match(await messageOf(await harness.ask(vm, 'vmSuspend')), /refuses: .*a fault of the sandbox/);
        harness.cluster.faults.remove(id);
        assert.equal(await harness.status(vm), 'Running');
      });

      for (const [operation, subresource] of [
        ['vmSuspend', 'pause'],
        ['vmReset', 'reset'],
        ['vmReboot', 'softreboot'],
      ] as const)
        test(`ends ${operation} with the HTTP status and the text of a refusal without a Status`, async () => {
          const { id } = harness.cluster.faults.add({ kind: '406', path: `${instance()}/${subresource}` });
          const said = await messageOf(await harness.ask(vm, operation));
          harness.cluster.faults.remove(id);
          assert.match(said, /^cluster ".*" refuses: HTTP 406: Not Acceptable Available representations:/);
          assert.equal(await harness.status(vm), 'Running');
        });

      test('is tried again after a 401 and a 429, which say nothing about the operation', async () => {
        for (const kind of ['401', '429']) {
          const { id } = harness.cluster.faults.add({
            kind,
            path: `${instance()}/softreboot`,
            times: 1,
            retryAfterSeconds: 0,
          });
          await harness.did(vm, 'vmReboot');
          harness.cluster.faults.remove(id);
        }
      });

      test('goes on where a guest has shut itself down: it is started again', async () => {
        const instances = { ...virtualMachines, kind: 'VirtualMachineInstance', plural: 'virtualmachineinstances' };
        const { client } = harness.cluster;
        await client.request({
          method: 'PUT',
          path: `/apis/subresources.kubevirt.io/v1/namespaces/${vm.namespace}/virtualmachines/${vm.vm_name}/stop`,
          body: {},
        });
        await until('it is off', async () => {
          const found = await harness.look(instances, vm.namespace, vm.vm_name);
          return found === undefined && (await harness.status(vm)) === 'Stopped';
        });
        await harness.observe(vm, { status: 'POWERED_OFF' });
        await confirmed('vmPowerOn', 'Running', 'POWERED_ON');
      });
    });

    test('is said to end slowly where a machine that is deleted could not be stopped at once', async () => {
      const { vm: doomed } = await harness.orderMade(vdc);
      const on = await harness.ask(doomed, 'vmPowerOn');
      await harness.reaches(doomed, 'Running');
      await harness.observe(doomed, { status: 'POWERED_ON' });
      await harness.ended(on, 'success');
      const key = { namespace: doomed.namespace, name: doomed.vm_name };
      const hold = (finalizers: readonly string[] | null): Promise<unknown> =>
        harness.cluster.client.patch(virtualMachines, key, { type: 'merge', body: { metadata: { finalizers } } });
      await hold(['test.ssvirt.io/held']);
      const path = `/apis/subresources.kubevirt.io/v1/namespaces/${key.namespace}/virtualmachines/${key.name}/stop`;
      const { id } = harness.cluster.faults.add({ kind: '406', path });
      const task = await harness.delete(doomed);
      const why = /could not be stopped at once: cluster ".*" refuses: HTTP 406: Not Acceptable/;
      await until('it says why it takes long', async () => why.test((await harness.work(doomed.id))?.message ?? ''));
      harness.cluster.faults.remove(id);
      await hold(null);
      const { details } = await harness.ended(task, 'success');
      assert.match(String(details['notStopped']), /HTTP 406/);
    });

    suite('of one that does not come up', () => {
      let stuck: Vm;
      before(async () => {
        ({ vm: stuck } = await harness.orderMade(vdc));
        await harness.afflict(stuck, 'unschedulable');
      });

      test('ends with the fault that is shown', async () => {
        const task = await harness.ask(stuck, 'vmPowerOn');
        await harness.reaches(stuck, 'ErrorUnschedulable');
        await harness.observe(stuck, { status: 'FAILED', fault: 'No node has room for it.' });
        assert.equal(await messageOf(task), 'No node has room for it.');
      });

      test('ends after a while with what it waited for', async () => {
        await harness.observe(stuck, { status: 'POWERING_ON' });
        const task = await harness.ask(stuck, 'vmPowerOn');
        await backdate(task, 'waiting for the machine to run');
        const message = await messageOf(task);
        assert.match(message, /longer than 15 minutes: waited for the machine to run; its status is POWERING_ON/);
      });
    });
  });
}
