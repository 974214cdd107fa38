/** The plan for a power operation reaches its state: a VM in the sandbox, driven only by the plans. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import { isConflict } from '../../packages/kube/src/errors.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import {
  namespaces,
  virtualMachineInstances,
  virtualMachines,
  type VirtualMachine,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { buildMachine } from '../../packages/ssvirt/src/kubevirt/tenant-vm/build.ts';
import { identity, plain } from '../../packages/ssvirt/src/kubevirt/tenant-vm/cases.fixture.ts';
import { isReached, powerPlan, type PowerStep } from '../../packages/ssvirt/src/kubevirt/power/plan.ts';
import type { PowerOperation } from '../../packages/ssvirt/src/kubevirt/power/table.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

const { namespace } = identity;
const key = { namespace, name: identity.vmName };
const api = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}`;

suite('a machine', () => {
  let cluster: MemberCluster;
  let simulators: Simulators;
  before(async () => {
    cluster = await startMemberCluster('power');
    simulators = await startSimulators({
      source: fixedSource(cluster),
      name: 'power',
      parts: ['kubevirt', 'nodes', 'storage'],
      dials: { speed: 20 },
      log: pino({ level: 'silent' }),
    });
    await cluster.client.create(namespaces, { metadata: { name: namespace } });
    const { machine } = buildMachine(identity, plain, { cpus: 1, memoryMb: 256, running: false });
    await cluster.client.create<KubeObject>(virtualMachines, machine);
  });
  after(async () => {
    await simulators?.stop({ leaveRegistered: true });
    await cluster?.stop();
  });

  const read = (): Promise<VirtualMachine> => cluster.client.get(virtualMachines, key);

  /** True if it was accepted, or nothing was left to do. */
  const send = async (step: PowerStep): Promise<boolean> => {
    try {
      if (step.kind === 'patch') await cluster.client.patch(virtualMachines, key, { type: 'merge', body: step.patch });
      else
        await cluster.client.request({
          method: 'PUT',
          path: `${api}/${step.of}/${key.name}/${step.subresource}`,
          ...defined({ body: step.body }),
        });
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
      return step.kind === 'subresource' && step.conflict === 'done';
    }
  };

  /** Reads the VM once. */
  const advance = async (operation: PowerOperation): Promise<'reached' | 'sent' | 'not yet'> => {
    const plan = powerPlan(operation, await read());
    if (plan.kind === 'reached') return 'reached';
    if (plan.kind === 'refused') throw new Error(plan.reason);
    let isSent = plan.steps.length > 0;
    for (const step of plan.steps) isSent = (await send(step)) && isSent;
    return isSent ? 'sent' : 'not yet';
  };
  const reach = (operation: PowerOperation): Promise<void> =>
    until(`${operation} is done`, async () => (await advance(operation)) === 'reached', {
      deadlineMs: 60_000,
      everyMs: 50,
    });
  const instance = async (): Promise<string | undefined> =>
    (await cluster.client.get(virtualMachineInstances, key)).metadata.uid;

  test('is started, suspended and resumed', async () => {
    await reach('powerOn');
    const uid = await instance();
    await reach('suspend');
    assert.equal(isReached('resume', await read()), false);
    await reach('resume');
    assert.equal(await instance(), uid);
  });

  test('that is suspended is resumed by powering it on', async () => {
    const uid = await instance();
    await reach('suspend');
    await reach('powerOn');
    assert.equal(await instance(), uid);
  });

  for (const operation of ['reset', 'reboot'] as const)
    test(`takes a ${operation}, and stays the same`, async () => {
      await reach('powerOn');
      const uid = await instance();
      // The guest may not have booted far enough to react.
      await until('it is taken', async () => (await advance(operation)) === 'sent', { deadlineMs: 30_000 });
      await reach('powerOn');
      assert.equal(await instance(), uid);
    });

  test('is shut down, and started again before it is off', async () => {
    await reach('powerOn');
    const uid = await instance();
    await until('the shutdown is sent', async () => (await advance('shutdown')) === 'sent');
    await until('it stops', async () => (await read()).status?.printableStatus !== 'Running', { everyMs: 2 });
    await reach('powerOn');
    assert.notEqual(await instance(), uid);
  });

  test('is shut down', async () => {
    await reach('shutdown');
    assert.equal((await read()).spec.runStrategy, 'Halted');
  });

  test('is powered off while it starts, and while it is being shut down', async () => {
    await until('the start is sent', async () => (await advance('powerOn')) === 'sent');
    await reach('powerOff');
    await reach('powerOn');
    await until('the stop is sent', async () => (await advance('shutdown')) === 'sent');
    await reach('powerOff');
    assert.equal((await read()).status?.printableStatus, 'Stopped');
  });

  test('whose guest has shut itself down is started again', async () => {
    await reach('powerOn');
    await cluster.client.delete(virtualMachineInstances, key);
    await until('it is off', async () => (await read()).status?.printableStatus === 'Stopped', { deadlineMs: 60_000 });
    assert.equal((await read()).spec.runStrategy, 'RerunOnFailure');
    await reach('powerOn');
  });
});
