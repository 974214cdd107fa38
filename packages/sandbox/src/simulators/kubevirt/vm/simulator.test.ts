/** The VM controller on a sandbox, with KubeVirt's other controllers and webhooks, but without nodes and storage. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { startSimulators, type Simulators } from '../../start.ts';
import * as kinds from '../objects.ts';
import type { VirtualMachine } from '../objects.ts';
import { vm as vmOf, template } from './builders.fixture.ts';
import { domainOf } from './domain.ts';
import { conditionOf } from './vmi-state.ts';

let cluster: MemberCluster;
let simulators: Simulators;
before(async () => {
  cluster = await startMemberCluster('vm');
  simulators = await startSimulators({
    source: fixedSource(cluster),
    name: 'vm',
    parts: ['kubevirt'],
    dials: { speed: 50 },
    log: pino({ level: 'silent' }),
  });
});
after(async () => {
  await simulators.stop({ leaveRegistered: true });
  await cluster.stop();
});

interface Reference {
  readonly name: string;
  readonly controllerRevisionRef: { readonly name: string };
}

const at = (name: string): ObjectKey => ({ namespace: 'default', name });

async function find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> {
  try {
    return await cluster.client.get(type, at(name));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Creates a VM from what users write: names and a spec. */
function create(name: string, spec: Partial<VirtualMachine['spec']>, from = template()): Promise<VirtualMachine> {
  const { apiVersion, kind, spec: whole } = vmOf({ spec, template: from });
  const object: VirtualMachine = {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: at(name),
    spec: whole,
  };
  return cluster.client.create(kinds.virtualMachines, object);
}

const shows = (name: string, holds: (vm: VirtualMachine) => boolean): Promise<void> =>
  until(`the VM ${name} is as it should`, async () => {
    const vm = await find(kinds.virtualMachines, name);
    return vm !== undefined && holds(vm);
  });

const gone = (type: ResourceType<KubeObject>, name: string): Promise<void> =>
  until(`${type.kind} ${name} is gone`, async () => (await find(type, name)) === undefined);

suite('the VM controller on a server', () => {
  test('starts a VM that was halted, writes down what it was started from, and takes all of it away again', async () => {
    const { metadata } = await create('power', { runStrategy: 'Halted' });
    await shows('power', ({ status }) => conditionOf({ status: status ?? {} }, 'Ready')?.reason === 'VMINotExists');
    const halted = await find(kinds.virtualMachines, 'power');
    assert.equal(halted?.status?.printableStatus, 'Stopped');
    assert.deepEqual(halted.metadata.finalizers, ['kubevirt.io/virtualMachineControllerFinalize']);
    assert.equal(halted.metadata.annotations?.['kubevirt.io/latest-observed-api-version'], 'v1');

    const body = { spec: { runStrategy: 'Always' } };
    await cluster.client.patch(kinds.virtualMachines, at('power'), { type: 'merge', body });
    await shows('power', ({ status }) => status?.printableStatus === 'Starting' && status.created === true);
    const vmi = await find(kinds.virtualMachineInstances, 'power');
    assert.equal(vmi?.metadata.annotations?.['kubevirt.io/vm-generation'], '2');
    const revision = `revision-start-vm-${metadata.uid}-2`;
    assert.equal(vmi.status?.['virtualMachineRevisionName'], revision);
    assert.ok(await find(kinds.controllerRevisions, revision));

    await cluster.client.delete(kinds.virtualMachines, at('power'));
    await gone(kinds.virtualMachines, 'power');
    await gone(kinds.virtualMachineInstances, 'power');
    await gone(kinds.controllerRevisions, revision);
  });

  test('forgets what a VM was started from before when it is started again', async () => {
    const { metadata } = await create('twice', { runStrategy: 'Always' });
    await shows('twice', ({ status }) => status?.created === true);
    const patch = (spec: object): Promise<VirtualMachine> =>
      cluster.client.patch(kinds.virtualMachines, at('twice'), { type: 'merge', body: { spec } });
    await patch({ runStrategy: 'Halted' });
    await gone(kinds.virtualMachineInstances, 'twice');
    const { metadata: edited } = await patch({ runStrategy: 'Always' });
    await shows('twice', ({ status }) => status?.created === true);
    const revision = (generation = 0): string => `revision-start-vm-${metadata.uid}-${generation}`;
    assert.ok(await find(kinds.controllerRevisions, revision(edited.generation)));
    assert.equal(await find(kinds.controllerRevisions, revision(metadata.generation)), undefined);
    await cluster.client.delete(kinds.virtualMachines, at('twice'));
    await gone(kinds.virtualMachines, 'twice');
  });

  test('makes the disks of its templates, and makes them again', async () => {
    const disk = { metadata: { name: 'disk1' }, spec: { source: { blank: {} }, storage: {} } };
    await create(
      'disks',
      { runStrategy: 'Always', dataVolumeTemplates: [disk] },
      template({ volumes: [{ name: 'rootdisk', dataVolume: { name: 'disk1' } }] }),
    );
    await shows('disks', ({ status }) => status?.printableStatus === 'Provisioning');
    const first = await find(kinds.dataVolumes, 'disk1');
    assert.equal(first?.metadata.ownerReferences?.[0]?.name, 'disks');
    await cluster.client.delete(kinds.dataVolumes, at('disk1'));
    await until('the disk is there again', async () => {
      const again = await find(kinds.dataVolumes, 'disk1');
      return again !== undefined && again.metadata.uid !== first.metadata.uid;
    });
    await cluster.client.delete(kinds.virtualMachines, at('disks'));
    await gone(kinds.dataVolumes, 'disk1');
  });

  test('adopts a VMI of its name that has no owner', async () => {
    await create('first', { runStrategy: 'Always' });
    await shows('first', ({ status }) => status?.created === true);
    await cluster.client.delete(kinds.virtualMachines, at('first'), { propagationPolicy: 'Orphan' });
    await gone(kinds.virtualMachines, 'first');
    await until('the VMI has no owner', async () => {
      const left = await find(kinds.virtualMachineInstances, 'first');
      return left !== undefined && (left.metadata.ownerReferences ?? []).length === 0;
    });
    const orphan = await find(kinds.virtualMachineInstances, 'first');
    const { metadata } = await create('first', { runStrategy: 'Always' });
    await shows('first', ({ status }) => status?.created === true);
    const taken = await find(kinds.virtualMachineInstances, 'first');
    assert.equal(taken?.metadata.uid, orphan?.metadata.uid);
    assert.equal(taken?.metadata.ownerReferences?.[0]?.uid, metadata.uid);
    await cluster.client.delete(kinds.virtualMachines, at('first'));
    await gone(kinds.virtualMachines, 'first');
  });

  test('leaves a VMI of its name alone that never had a VM, whatever is asked of it', async () => {
    const alone = await cluster.client.create(kinds.virtualMachineInstances, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: at('alone'),
      spec: template(),
    });
    await until('the VMI is looked after', async () => {
      const vmi = await find(kinds.virtualMachineInstances, 'alone');
      return (vmi?.status?.phase ?? 'Pending') !== 'Pending';
    });
    const same = async (): Promise<void> => {
      const { metadata, status } = await cluster.client.get(kinds.virtualMachineInstances, at('alone'));
      assert.equal(metadata.uid, alone.metadata.uid);
      assert.equal(metadata.deletionTimestamp, undefined);
      assert.equal(metadata.ownerReferences, undefined);
      assert.notEqual(status?.phase, 'Failed');
    };
    await create('alone', { runStrategy: 'Always' });
    await shows('alone', ({ status }) => status?.printableStatus === 'Stopped');
    for (const runStrategy of ['Halted', 'Always'] as const) {
      await cluster.client.patch(kinds.virtualMachines, at('alone'), {
        type: 'merge',
        body: { spec: { runStrategy } },
      });
      // When a VM that was created later has a status, this one has been reconciled too.
      await create(`behind-${runStrategy.toLowerCase()}`, { runStrategy: 'Halted' });
      await shows(`behind-${runStrategy.toLowerCase()}`, ({ status }) => status?.printableStatus === 'Stopped');
      const vm = await find(kinds.virtualMachines, 'alone');
      assert.equal(vm?.status?.printableStatus, 'Stopped');
      assert.equal(vm.status.conditions, undefined);
      await same();
    }
    await cluster.client.delete(kinds.virtualMachines, at('alone'));
    await gone(kinds.virtualMachines, 'alone');
    await same();
    const later = await create('alone', { runStrategy: 'Always' });
    await cluster.client.delete(kinds.virtualMachineInstances, at('alone'));
    await shows('alone', ({ status }) => status?.created === true);
    const own = await find(kinds.virtualMachineInstances, 'alone');
    assert.equal(own?.metadata.ownerReferences?.[0]?.uid, later.metadata.uid);
    await cluster.client.delete(kinds.virtualMachines, at('alone'));
    await gone(kinds.virtualMachines, 'alone');
  });

  test('says that an instance type is missing, and goes on when it comes', async () => {
    const sized = template({ domain: { devices: {} }, volumes: [] });
    await create('typed', { instancetype: { name: 'small', kind: 'VirtualMachineInstancetype' } }, sized);
    await shows(
      'typed',
      ({ status }) => conditionOf({ status: status ?? {} }, 'Failure')?.reason === 'FailedFindInstancetype',
    );
    await cluster.client.create(kinds.instancetypes, {
      metadata: at('small'),
      spec: { cpu: { guest: 1 }, memory: { guest: '512Mi' } },
    });
    await shows('typed', ({ status }) => status?.created === true);
    const vm = await cluster.client.get(kinds.virtualMachines, at('typed'));
    const reference = vm.status?.['instancetypeRef'] as Reference | undefined;
    assert.equal(reference?.name, 'small');
    assert.ok(await find(kinds.controllerRevisions, reference.controllerRevisionRef.name));
    const { spec } = await cluster.client.get(kinds.virtualMachineInstances, at('typed'));
    assert.equal(domainOf(spec).memory?.guest, '512Mi');
  });

  test('does not start a VM whose revision of an instance type is missing, or of something else', async () => {
    const name = 'tiny';
    await cluster.client.create(kinds.instancetypes, {
      metadata: at(name),
      spec: { cpu: { guest: 1 }, memory: { guest: '512Mi' } },
    });
    await cluster.client.create(kinds.controllerRevisions, {
      metadata: at('other'),
      revision: 1,
      data: { kind: 'VirtualMachinePreference', spec: {} },
    });
    const sized = template({ domain: { devices: {} }, volumes: [] });
    const failures = await Promise.all(
      ['none', 'other'].map(async (revisionName) => {
        const vm = `pinned-${revisionName}`;
        await create(vm, { instancetype: { name, kind: 'VirtualMachineInstancetype', revisionName } }, sized);
        const failure = (of: VirtualMachine) => conditionOf({ status: of.status ?? {} }, 'Failure');
        await shows(vm, (of) => of.status?.created === true || failure(of) !== undefined);
        const { reason, message } = failure(await cluster.client.get(kinds.virtualMachines, at(vm))) ?? {};
        return `${reason}: ${message}`;
      }),
    );
    assert.deepEqual(failures, [
      'FailedFindInstancetype: controllerrevisions.apps "none" not found',
      'FailedFindInstancetype: unexpected type in ControllerRevision: *v1beta1.VirtualMachinePreference',
    ]);
  });
});
