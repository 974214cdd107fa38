/**
 * Tests that need a node, on a sandbox: scarce capacity, a lost node, and restarted simulators. Other faults are in
 * faults.test.ts.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLogger } from '../../packages/base/src/config/log.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { DIALS } from '../../packages/sandbox/src/simulators/dial-keeper.ts';
import { FAULT_ANNOTATION } from '../../packages/sandbox/src/simulators/dials.ts';
import {
  namespaces,
  nodes,
  persistentVolumeClaims,
  pods,
  virtualMachineInstanceMigrations,
  virtualMachineInstances,
  virtualMachines,
  type PersistentVolumeClaim,
  type Pod,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { configMaps } from '../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

const namespace = 'ns';
const events: ResourceType = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
const services: ResourceType = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

let cluster: MemberCluster;
let simulators: Simulators;

const start = (): Promise<Simulators> =>
  startSimulators({
    source: fixedSource(cluster),
    name: 'nodes',
    parts: ['kubevirt', 'nodes', 'storage', 'load-balancers'],
    dials: { speed: 100, nodes: { count: 2, cpu: '8', memory: '8Gi' } },
    log: createLogger({ level: 'error', format: 'text' }),
  });

before(async () => {
  cluster = await startMemberCluster('nodes');
  simulators = await start();
  await cluster.client.create(namespaces, { metadata: { name: namespace } });
});
after(async () => {
  await simulators?.stop({ leaveRegistered: true });
  await cluster?.stop();
});

interface Wish {
  readonly faults?: string;
  readonly memory?: string;
  readonly runStrategy?: 'Always' | 'RerunOnFailure';
  readonly claim?: string;
}

function machine(name: string, { faults, memory = '512Mi', runStrategy = 'Always', claim }: Wish = {}): VirtualMachine {
  const disk = claim === undefined ? [] : [{ name: 'data', disk: { bus: 'virtio' } }];
  const volume = claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }];
  return {
    metadata: {
      namespace,
      name,
      ...(faults === undefined ? {} : { annotations: { [FAULT_ANNOTATION]: faults } }),
    },
    spec: {
      runStrategy,
      template: {
        spec: {
          domain: {
            devices: {
              disks: [{ name: 'root', disk: { bus: 'virtio' } }, ...disk],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            memory: { guest: memory },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'root', containerDisk: { image: 'fedora:demo' } }, ...volume],
        },
      },
    },
  };
}

const create = (name: string, wish: Wish = {}): Promise<KubeObject> =>
  cluster.client.create(virtualMachines, machine(name, wish));
const statusOf = async (name: string): Promise<string | undefined> =>
  (await cluster.client.get(virtualMachines, { namespace, name })).status?.printableStatus;
const shows = (name: string, ...wanted: readonly string[]): Promise<void> =>
  until(`${name} shows ${wanted.join(' or ')}`, async () => wanted.includes((await statusOf(name)) ?? ''));
const gone = (name: string): Promise<void> =>
  until(`${name} is gone`, async () => {
    const { items } = await cluster.client.list(virtualMachines, { namespace });
    return items.every(({ metadata }) => metadata.name !== name);
  });
const remove = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await cluster.client.delete(virtualMachines, { namespace, name });
  for (const name of names) await gone(name);
};
const launcherOf = async (name: string): Promise<Pod | undefined> => {
  const { items } = await cluster.client.list(pods, { namespace, labelSelector: `vm.kubevirt.io/name=${name}` });
  return items[0];
};
const turn = (faults: string): Promise<unknown> =>
  cluster.client.patch(configMaps, DIALS, { type: 'merge', body: { data: { faults } } });

test('guests that run have addresses of their own, and an agent unless they have none', async () => {
  await Promise.all([create('one'), create('two', { faults: 'no-agent' })]);
  const vmi = (name: string): Promise<Unstructured & { status?: { interfaces?: readonly { ipAddress?: string }[] } }> =>
    cluster.client.get(virtualMachineInstances as never, { namespace, name });
  const conditionsOf = async (name: string): Promise<readonly string[]> =>
    (await cluster.client.get(virtualMachineInstances, { namespace, name })).status?.conditions?.map(
      ({ type }) => type,
    ) ?? [];
  await until('the agent speaks', async () => (await conditionsOf('one')).includes('AgentConnected'));
  await shows('two', 'Running');
  assert.ok(!(await conditionsOf('two')).includes('AgentConnected'));
  const addresses = (await Promise.all(['one', 'two'].map(vmi))).map((one) => one.status?.interfaces?.[0]?.ipAddress);
  assert.equal(new Set(addresses).size, 2);
  assert.equal(addresses[0], (await launcherOf('one'))?.status?.podIP);
  const placed = new Set((await Promise.all(['one', 'two'].map(launcherOf))).map((pod) => pod?.spec.nodeName));
  assert.equal(placed.size, 2, 'they are spread');
  await remove('one', 'two');
});

test('a guest moves to another node, or stays where it is when that fails', async () => {
  await create('mover');
  await shows('mover', 'Running');
  const first = await launcherOf('mover');
  const move = async (name: string, phase: string): Promise<void> => {
    const migration = { metadata: { namespace, name }, spec: { vmiName: 'mover' } };
    await cluster.client.create(virtualMachineInstanceMigrations, migration);
    await until(`${name} is ${phase}`, async () => {
      const { status } = await cluster.client.get(virtualMachineInstanceMigrations, { namespace, name });
      return status?.phase === phase;
    });
  };
  const vmi = async (): Promise<VirtualMachineInstance> =>
    cluster.client.get(virtualMachineInstances, { namespace, name: 'mover' });
  await turn('- migration-fails');
  await until('the dial is turned', () => simulators.world.dials.faults.length === 1);
  await move('in-vain', 'Failed');
  assert.equal((await vmi()).status?.nodeName, first?.spec.nodeName);
  await turn('');
  await until('the dial is turned back', () => simulators.world.dials.faults.length === 0);
  await move('well', 'Succeeded');
  const { status } = await vmi();
  assert.notEqual(status?.nodeName, first?.spec.nodeName);
  await until('it has its new address', async () => {
    const address = (await vmi()).status?.interfaces?.[0]?.['ipAddress'];
    const { items } = await cluster.client.list(pods, { namespace, labelSelector: 'vm.kubevirt.io/name=mover' });
    return items.some((pod) => pod.spec.nodeName === status?.nodeName && pod.status?.podIP === address);
  });
  await shows('mover', 'Running');
  await remove('mover');
});

test('a guest that powers itself off stays off', async () => {
  await create('off', { runStrategy: 'RerunOnFailure' });
  await shows('off', 'Running');
  const body = { metadata: { annotations: { 'sandbox.ssvirt.io/guest': 'poweroff' } } };
  await cluster.client.patch(virtualMachineInstances, { namespace, name: 'off' }, { type: 'merge', body });
  await shows('off', 'Stopped');
  await remove('off');
});

test('who finds no room runs when there is some', async () => {
  await Promise.all([create('large-1', { memory: '5Gi' }), create('large-2', { memory: '5Gi' })]);
  await shows('large-1', 'Running');
  await shows('large-2', 'Running');
  await create('large-3', { memory: '5Gi' });
  await shows('large-3', 'ErrorUnschedulable');
  await remove('large-1');
  await shows('large-3', 'Running');
  await remove('large-2', 'large-3');
});

test('a claim waits for its consumer, and a volume that is pending for better times', async () => {
  await turn('- volume-pending');
  await until('the dial is turned', () => simulators.world.dials.faults.length === 1);
  const claim = {
    metadata: { namespace, name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      resources: { requests: { storage: '1Gi' } },
    },
  };
  await cluster.client.create(persistentVolumeClaims, claim);
  await create('disk', { claim: 'data' });
  await shows('disk', 'WaitingForVolumeBinding');
  const selected = async (): Promise<string | undefined> => {
    const { metadata } = await cluster.client.get(persistentVolumeClaims, { namespace, name: 'data' });
    return metadata.annotations?.['volume.kubernetes.io/selected-node'];
  };
  await until('a node is chosen', async () => (await selected()) !== undefined);
  assert.equal((await launcherOf('disk'))?.spec.nodeName, undefined);
  await turn('');
  await shows('disk', 'Running');
  assert.equal((await launcherOf('disk'))?.spec.nodeName, await selected());
  const vmi = await cluster.client.get(virtualMachineInstances, { namespace, name: 'disk' });
  assert.equal(vmi.status?.conditions?.find(({ type }) => type === 'LiveMigratable')?.reason, 'DisksNotLiveMigratable');
  await remove('disk');
});

test('pods that share a claim go to the one node that it was promised to', async () => {
  await turn('- volume-pending');
  await until('the dial is turned', () => simulators.world.dials.faults.length === 1);
  const storage = { storageClassName: 'local', resources: { requests: { storage: '1Gi' } } };
  const claim = { metadata: { namespace, name: 'shared' }, spec: { accessModes: ['ReadWriteMany'], ...storage } };
  await cluster.client.create(persistentVolumeClaims, claim);
  const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
  const pod = (name: string): Pod => ({
    metadata: { namespace, name },
    spec: {
      containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '256Mi' } } }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'shared' } }],
    },
  });
  await Promise.all(names.map((name) => cluster.client.create(pods, pod(name))));
  const shared = (): Promise<PersistentVolumeClaim> =>
    cluster.client.get(persistentVolumeClaims, { namespace, name: 'shared' });
  const selected = async (): Promise<string | undefined> =>
    (await shared()).metadata.annotations?.['volume.kubernetes.io/selected-node'];
  await until('a node is chosen', async () => (await selected()) !== undefined);
  await turn('');
  const all = (): Promise<readonly Pod[]> =>
    Promise.all(names.map((name) => cluster.client.get(pods, { namespace, name })));
  await until('all run', async () => (await all()).every(({ status }) => status?.phase === 'Running'));
  const node = await selected();
  assert.deepEqual(
    (await all()).map(({ spec }) => spec.nodeName),
    names.map(() => node),
  );
  for (const name of names) await cluster.client.delete(pods, { namespace, name });
});

test('a node that is lost is not ready, takes no pod, and comes back', async () => {
  await create('stranded');
  await shows('stranded', 'Running');
  const node = (await launcherOf('stranded'))?.spec.nodeName ?? '';
  await turn(`- node-lost,${node}`);
  const ready = async (): Promise<string> => {
    const { status } = (await cluster.client.get(nodes, { name: node })) as {
      status?: { conditions?: readonly { type: string; status: string }[] };
    };
    return status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? '';
  };
  await until('it is not heard', async () => (await ready()) === 'Unknown');
  await until('its pod is not ready', async () => {
    const pod = await launcherOf('stranded');
    return pod?.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'False';
  });
  // Whether the guest still runs is unknown: the VM stays Running and is not ready (kubevirt.md, 2.2: a copy of the
  // pod's Ready).
  await until('the machine is not ready', async () => {
    const { status } = await cluster.client.get(virtualMachines, { namespace, name: 'stranded' });
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    return status?.printableStatus === 'Running' && status.ready === undefined && ready?.status === 'False';
  });
  await create('elsewhere');
  await shows('elsewhere', 'Running');
  assert.notEqual((await launcherOf('elsewhere'))?.spec.nodeName, node);
  await turn('');
  await until('it is heard', async () => (await ready()) === 'True');
  await until('its pod is ready or gone', async () => {
    const pod = await launcherOf('stranded');
    return pod?.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  });
  await shows('stranded', 'Running');
  await remove('stranded', 'elsewhere');
});

test('a dial gives more nodes, and larger ones, while it runs', async () => {
  const setNodes = (count: string, memory: string): Promise<unknown> =>
    cluster.client.patch(configMaps, DIALS, { type: 'merge', body: { data: { nodes: count, 'node-memory': memory } } });
  const sizes = async (): Promise<readonly string[]> => {
    const { items } = await cluster.client.list<Unstructured>(nodes);
    return items.map((node) => {
      const { allocatable } = (node['status'] ?? {}) as { allocatable?: { memory?: string } };
      return `${node.metadata.name ?? ''} ${allocatable?.memory ?? ''}`;
    });
  };
  await setNodes('3', '16Gi');
  await until('there are three', async () => (await sizes()).join() === 'node01 16Gi,node02 16Gi,node03 16Gi');
});

test('simulators that start again go on where they were', async () => {
  await create('before');
  await shows('before', 'Running');
  await create('between', { faults: 'image-pull-error' });
  await shows('between', 'ErrImagePull', 'ImagePullBackOff');
  const address = (await launcherOf('before'))?.status?.podIP;
  await simulators.stop({ leaveRegistered: true });
  simulators = await start();
  const body = { metadata: { annotations: { [FAULT_ANNOTATION]: null } } };
  await cluster.client.patch(virtualMachines, { namespace, name: 'between' }, { type: 'merge', body });
  await shows('between', 'Running');
  await create('behind');
  await shows('behind', 'Running');
  const all = await Promise.all(['before', 'between', 'behind'].map(launcherOf));
  assert.equal(all[0]?.status?.podIP, address);
  assert.equal(new Set(all.map((pod) => pod?.status?.podIP)).size, 3);
  await remove('before', 'between', 'behind');
});

test('a service of type LoadBalancer has an address while it is one', async () => {
  const service = (name: string, spec: object = {}): Unstructured => ({
    metadata: { namespace, name },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
  });
  const address = async (name: string): Promise<string | undefined> => {
    const { status } = (await cluster.client.get(services, { namespace, name })) as {
      status?: { loadBalancer?: { ingress?: readonly { ip: string }[] } };
    };
    return status?.loadBalancer?.ingress?.[0]?.ip;
  };
  await cluster.client.create(services, service('a'));
  await cluster.client.create(services, service('b', { loadBalancerIP: '192.0.2.77' }));
  await cluster.client.create(services, service('c', { loadBalancerClass: 'example.com/other' }));
  await until('both have one', async () => (await address('a')) !== undefined && (await address('b')) !== undefined);
  assert.deepEqual(
    [await address('a'), await address('b'), await address('c')],
    ['192.0.2.1', '192.0.2.77', undefined],
  );
  await cluster.client.patch(
    services,
    { namespace, name: 'a' },
    { type: 'merge', body: { spec: { type: 'ClusterIP' } } },
  );
  await until('it is given back', async () => (await address('a')) === undefined);
  await cluster.client.create(services, service('d'));
  await until('it is given again', async () => (await address('d')) === '192.0.2.1');
  await cluster.client.create(services, service('f'));
  await until('the next one is given', async () => (await address('f')) === '192.0.2.2');
  await cluster.client.create(services, service('e', { loadBalancerIP: 'nowhere' }));
  await until('an address that is none is told', async () => {
    const { items } = await cluster.client.list(events, { namespace });
    return items.some((event) => event['reason'] === 'SyncLoadBalancerFailed');
  });
  assert.equal(await address('e'), undefined);
});
