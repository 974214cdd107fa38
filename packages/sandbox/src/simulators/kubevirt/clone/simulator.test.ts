/** Clones of VMs on a sandbox. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pino } from 'pino';
import type { ObjectKey } from '@ssvirt/kube/object';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { startSimulators, type Simulators } from '../../start.ts';
import { virtualMachines } from '../objects.ts';
import { restores, snapshots } from '../snapshot/kinds.ts';
import { clones, type VirtualMachineClone } from './kinds.ts';

let cluster: MemberCluster;
let simulators: Simulators;
before(async () => {
  cluster = await startMemberCluster('clone');
  simulators = await startSimulators({
    source: fixedSource(cluster),
    name: 'clone',
    parts: ['kubevirt'],
    dials: { speed: 50 },
    log: pino({ level: 'silent' }),
  });
});
after(async () => {
  await simulators.stop({ leaveRegistered: true });
  await cluster.stop();
});

const namespace = 'default';
const at = (name: string): ObjectKey => ({ namespace, name });

async function copied(name: string, spec: Partial<VirtualMachineClone['spec']>): Promise<string> {
  const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm1' };
  await cluster.client.create(clones, { metadata: at(name), spec: { source, ...spec } });
  let target: string | undefined;
  await until(`${name} is done`, async () => {
    const { status } = await cluster.client.get(clones, at(name));
    target = status?.targetName;
    return status?.phase === 'Succeeded';
  });
  assert.ok(target);
  return target;
}

suite('a clone', () => {
  before(async () => {
    const interfaces = [{ name: 'default', masquerade: {}, macAddress: '02:00:00:00:00:01' }];
    const spec = {
      domain: { devices: { interfaces }, memory: { guest: '256Mi' } },
      networks: [{ name: 'default', pod: {} }],
    };
    await cluster.client.create(virtualMachines, {
      metadata: { ...at('vm1'), labels: { app: 'web' } },
      spec: { runStrategy: 'Always', template: { spec } },
    });
  });

  test('is a VM that is off, and unlike where two must not be the same', async () => {
    const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm2' };
    assert.equal(await copied('clone1', { target }), 'vm2');
    const original = await cluster.client.get(virtualMachines, at('vm1'));
    const copy = await cluster.client.get(virtualMachines, at('vm2'));
    assert.equal(copy.spec.runStrategy, 'Halted');
    assert.deepEqual(copy.metadata.labels, { app: 'web' });
    const [theirs, ours] = [original, copy].map(
      ({ spec }) => spec.template.spec.domain['firmware'] as { uuid: string },
    );
    assert.ok(ours?.uuid !== undefined && ours.uuid !== theirs?.uuid);
    assert.ok(!JSON.stringify(copy.spec).includes('02:00:00:00:00:01'));
  });

  test('may be given an address, and a name is made up for it', async () => {
    const name = await copied('clone2', { newMacAddresses: { default: '02:00:00:00:00:09' } });
    assert.match(name, /^clone-vm1-[0-9a-f]{5}$/);
    const copy = await cluster.client.get(virtualMachines, at(name));
    assert.match(JSON.stringify(copy.spec), /02:00:00:00:00:09/);
  });

  test('leaves neither a snapshot nor a restore behind', () =>
    until('both are gone', async () => {
      const taken = await cluster.client.list(snapshots, { namespace });
      const restored = await cluster.client.list(restores, { namespace });
      return taken.items.length + restored.items.length === 0;
    }));

  test('may be of a snapshot, which stays', async () => {
    // A VM with the same name is not a substitute for the snapshot.
    const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm1' };
    await cluster.client.create(snapshots, { metadata: at('vm2'), spec: { source } });
    const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm3' };
    const taken = { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 'vm2' };
    assert.equal(await copied('clone3', { source: taken, target }), 'vm3');
    const { items } = await cluster.client.list(snapshots, { namespace });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['vm2'],
    );
  });

  test('of a machine with a disk that cannot be snapshotted waits, and says why: no disk is shared', async () => {
    const spec = {
      domain: { devices: { disks: [{ name: 'root', disk: {} }] }, memory: { guest: '256Mi' } },
      volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }],
    };
    await cluster.client.create(virtualMachines, {
      metadata: at('with-disk'),
      spec: { runStrategy: 'Halted', template: { spec } },
    });
    const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'with-disk' };
    await cluster.client.create(clones, { metadata: at('waits'), spec: { source } });
    const ready = async (name: string): Promise<string | undefined> => {
      const { status } = await cluster.client.get(clones, at(name));
      return `${status?.phase ?? ''} ${status?.conditions?.find(({ type }) => type === 'Ready')?.reason ?? ''}`;
    };
    await until(
      'it says why',
      async () => (await ready('waits')) === ' Virtual Machine volume root does not support snapshots',
    );
  });
});
