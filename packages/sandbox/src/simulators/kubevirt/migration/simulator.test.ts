/** Live migrations on a sandbox with simulated nodes, whose virt-handlers act as source and target. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { isNotFound } from '@ssvirt/kube/errors';
import type { ObjectKey } from '@ssvirt/kube/object';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { startSimulators, type Simulators } from '../../start.ts';
import { FAULT_ANNOTATION } from '../../dials.ts';
import {
  kubeVirts,
  nodes,
  pods,
  virtualMachineInstanceMigrations,
  virtualMachineInstances,
  virtualMachines,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { isFinal, stateOf } from './state.ts';

let cluster: MemberCluster;
let simulators: Simulators;
before(async () => {
  cluster = await startMemberCluster('migration');
  simulators = await startSimulators({
    source: fixedSource(cluster),
    name: 'migration',
    parts: ['kubevirt', 'nodes'],
    dials: { speed: 40, migrationMs: 16_000, nodes: { count: 2, cpu: '16', memory: '64Gi' } },
    log: pino({ level: 'silent' }),
  });
});
after(async () => {
  await simulators.stop({ leaveRegistered: true });
  await cluster.stop();
});

const namespace = 'default';
const at = (name: string): ObjectKey => ({ namespace, name });
const deadline = { deadlineMs: 30_000 };
const vmiOf = (name: string): Promise<VirtualMachineInstance> => cluster.client.get(virtualMachineInstances, at(name));

async function start(
  name: string,
  options: { readonly fault?: string; readonly eviction?: string; readonly size?: object } = {},
): Promise<string> {
  const { fault, eviction, size = { memory: { guest: '256Mi' } } } = options;
  await cluster.client.create(virtualMachines, {
    metadata: { ...at(name), ...(fault === undefined ? {} : { annotations: { [FAULT_ANNOTATION]: fault } }) },
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          domain: {
            devices: {
              disks: [{ name: 'root', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            ...size,
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'root', containerDisk: { image: 'images.example/fedora:42' } }],
          ...(eviction === undefined ? {} : { evictionStrategy: eviction }),
        },
      },
    },
  });
  await shows(name, 'Running');
  return (await vmiOf(name)).status?.nodeName ?? '';
}

const shows = (name: string, status: string): Promise<void> =>
  until(
    `${name} is ${status}`,
    async () => (await cluster.client.get(virtualMachines, at(name))).status?.printableStatus === status,
    deadline,
  );

const migrate = (name: string): Promise<unknown> =>
  cluster.client.request({
    method: 'PUT',
    path: `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}/migrate`,
    body: {},
  });

async function migrationsOf(name: string): Promise<readonly VirtualMachineInstanceMigration[]> {
  const labelSelector = `kubevirt.io/vmi-name=${name}`;
  return (await cluster.client.list(virtualMachineInstanceMigrations, { namespace, labelSelector })).items;
}

async function launchersOf(name: string): Promise<readonly Pod[]> {
  const labelSelector = `vmi.kubevirt.io/id=${name}`;
  return (await cluster.client.list(pods, { namespace, labelSelector })).items;
}

async function over(name: string): Promise<VirtualMachineInstanceMigration> {
  let found: VirtualMachineInstanceMigration | undefined;
  await until(
    `the migration of ${name} is over`,
    async () => {
      found = (await migrationsOf(name)).find(isFinal);
      return found?.metadata.finalizers === undefined && found !== undefined;
    },
    deadline,
  );
  assert.ok(found);
  return found;
}

suite('live migrations', () => {
  test('bring a machine to another node while it runs, and again back', async () => {
    const from = await start('moving');
    await migrate('moving');
    await shows('moving', 'Migrating');
    const migration = await over('moving');
    assert.equal(migration.status?.phase, 'Succeeded');
    await shows('moving', 'Running');
    const { status } = await vmiOf('moving');
    assert.notEqual(status?.nodeName, from);
    assert.equal(stateOf({ status } as VirtualMachineInstance)?.sourceNode, from);
    assert.equal((migration.status['migrationState'] as { readonly completed?: boolean }).completed, true);
    await until(
      'the pod that was left has ended',
      async () => (await launchersOf('moving')).some((pod) => pod.status?.phase === 'Succeeded'),
      deadline,
    );
    await until(
      'it is ready there',
      async () => has((await vmiOf('moving')).status?.conditions, 'Ready', 'True'),
      deadline,
    );
    await migrate('moving');
    await until(
      'it has moved again',
      async () => (await migrationsOf('moving')).filter((one) => one.status?.phase === 'Succeeded').length === 2,
      deadline,
    );
    assert.notEqual((await vmiOf('moving')).status?.nodeName, status?.nodeName);
  });

  test('that fail leave the machine where it is, and nothing behind that keeps the next one from starting', async () => {
    const from = await start('failing', { fault: 'migration-fails' });
    await migrate('failing');
    const migration = await over('failing');
    assert.equal(migration.status?.phase, 'Failed');
    await shows('failing', 'Running');
    const vmi = await vmiOf('failing');
    assert.equal(vmi.status?.nodeName, from);
    assert.equal(stateOf(vmi)?.failed, true);
    const body = { metadata: { annotations: { [FAULT_ANNOTATION]: null } } };
    await cluster.client.patch(virtualMachines, at('failing'), { type: 'merge', body });
    await migrate('failing');
    await until(
      'it moves when it is told to be well',
      async () => (await migrationsOf('failing')).some(({ status }) => status?.phase === 'Succeeded'),
      deadline,
    );
  });

  test('can be cancelled while they run', async () => {
    const from = await start('cancelled');
    await migrate('cancelled');
    await shows('cancelled', 'Migrating');
    const [migration] = await migrationsOf('cancelled');
    assert.ok(migration);
    await cluster.client.delete(virtualMachineInstanceMigrations, at(migration.metadata.name ?? ''));
    await until('the migration is gone', async () => (await migrationsOf('cancelled')).length === 0, deadline);
    const vmi = await vmiOf('cancelled');
    assert.equal(vmi.status?.nodeName, from);
    assert.equal(stateOf(vmi)?.abortRequested, true);
    await shows('cancelled', 'Running');
  });

  test('are made by the eviction of a launcher, which waits for them', async () => {
    const from = await start('evicted', { eviction: 'LiveMigrate' });
    const [launcher] = await launchersOf('evicted');
    assert.ok(launcher);
    const { name = '' } = launcher.metadata;
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    await assert.rejects(cluster.client.createSubresource(pods, at(name), 'eviction', body), /triggered evacuation/);
    const { metadata, status } = await over('evicted');
    assert.match(metadata.name ?? '', /^kubevirt-evacuation-/);
    assert.equal(status?.phase, 'Succeeded');
    await until(
      'nobody asks it to leave any more',
      async () => {
        const vmi = await vmiOf('evicted');
        const asked = vmi.status?.['evacuationNodeName'] ?? '';
        return asked === '' && !has(vmi.status?.conditions, 'EvictionRequested');
      },
      deadline,
    );
    assert.notEqual((await vmiOf('evicted')).status?.nodeName, from);
  });

  test('are made for a machine that grows while it runs, where KubeVirt may move it, and it has grown then', async () => {
    const from = await start('growing', { size: { cpu: { sockets: 1 }, memory: { guest: '1Gi' } } });
    const sizeOf = async (): Promise<unknown> => {
      const { currentCPUTopology, memory } = (await vmiOf('growing')).status as {
        readonly currentCPUTopology?: { readonly sockets?: number };
        readonly memory?: { readonly guestCurrent?: string };
      };
      return [currentCPUTopology?.sockets, memory?.guestCurrent];
    };
    assert.deepEqual(await sizeOf(), [1, '1Gi']);
    const may = (workloadUpdateMethods: readonly string[]): Promise<unknown> => {
      const body = { spec: { workloadUpdateStrategy: { workloadUpdateMethods } } };
      return cluster.client.patch(kubeVirts, { namespace: 'kubevirt', name: 'kubevirt' }, { type: 'merge', body });
    };
    await may([]);
    const domain = { cpu: { sockets: 2 }, memory: { guest: '2Gi' } };
    const body = { spec: { template: { spec: { domain } } } };
    await cluster.client.patch(virtualMachines, at('growing'), { type: 'merge', body });
    await until(
      'it is to change',
      async () => {
        const { conditions } = (await vmiOf('growing')).status ?? {};
        return has(conditions, 'HotVCPUChange') && has(conditions, 'HotMemoryChange', 'True');
      },
      deadline,
    );
    // Within the time of a whole migration, none is created.
    await start('other');
    await migrate('other');
    await over('other');
    assert.deepEqual(await migrationsOf('growing'), []);
    await may(['LiveMigrate']);
    const { metadata, status } = await over('growing');
    assert.match(metadata.name ?? '', /^kubevirt-workload-update-/);
    assert.equal(status?.phase, 'Succeeded');
    await until('it has grown', async () => isDeepStrictEqual(await sizeOf(), [2, '2Gi']), deadline);
    const vmi = await vmiOf('growing');
    assert.notEqual(vmi.status?.nodeName, from);
    assert.ok(!has(vmi.status?.conditions, 'HotVCPUChange') && !has(vmi.status?.conditions, 'HotMemoryChange'));
    assert.equal((await migrationsOf('growing')).length, 1);
  });

  test('of a node that is drained are two at a time', async () => {
    const names = ['drained1', 'drained2', 'drained3', 'drained4', 'drained5'];
    const where = await Promise.all(names.map((name) => start(name, { eviction: 'LiveMigrate' })));
    const node = where.toSorted((a, b) => count(where, b) - count(where, a))[0] ?? '';
    const leaving = names.filter((_, index) => where[index] === node);
    assert.ok(leaving.length > 2, `${leaving.length} on ${node}`);
    const body = { spec: { taints: [{ key: 'kubevirt.io/drain', effect: 'NoSchedule' }] } };
    await cluster.client.patch(nodes, { name: node }, { type: 'merge', body });
    let most = 0;
    await until(
      'all have left',
      async () => {
        const { items } = await cluster.client.list(virtualMachineInstanceMigrations, { namespace });
        const active = items.filter((one) => !isFinal(one) && !['', 'Pending'].includes(one.status?.phase ?? ''));
        most = Math.max(most, active.length);
        const now = await Promise.all(leaving.map(async (name) => (await vmiOf(name)).status?.nodeName));
        return !now.includes(node);
      },
      deadline,
    );
    assert.ok(most <= 2, `${most} at once`);
  });

  test('go with their machine', async () => {
    await cluster.client.delete(virtualMachines, at('moving'));
    await until('the VMI is gone', async () => !(await exists('moving')), deadline);
    await until('so are its migrations', async () => (await migrationsOf('moving')).length === 0, deadline);
  });
});

const count = (list: readonly string[], value: string): number => list.filter((one) => one === value).length;

async function exists(name: string): Promise<boolean> {
  try {
    await vmiOf(name);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
