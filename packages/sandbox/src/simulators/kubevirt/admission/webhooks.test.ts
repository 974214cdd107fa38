/**
 * Tests the webhooks on a sandbox with our own definitions: the messages that users get, and what components may write.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { startMemberCluster, fixedSource, type MemberCluster } from '../../../../../../test/fleet/sandboxes.ts';
import type { Client } from '@ssvirt/kube/client/client';
import { KubeError } from '@ssvirt/kube/errors';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { cloneJson, type JsonObject } from '../../../values/json.ts';
import { simulatedDefinitions } from '../../crds/definitions.ts';
import { createWorld, type CreatedWorld } from '../../create-world.ts';
import { installDefinitions } from '../../install-definitions.ts';
import { serve, type Served } from '../../serving/serve.ts';
import {
  clusterInstancetypes,
  clusterPreferences,
  instancetypes,
  namespaces,
  persistentVolumeClaims,
  pods,
  preferences,
  virtualMachineInstanceMigrations,
  virtualMachineInstances,
  virtualMachines,
} from '../objects.ts';
import { vmiSpec } from './rules/vmi-spec.fixture.ts';
import { kubevirtWebhooks } from './webhooks.ts';

const namespace = 'ns1';
const snapshot = (kind: string, plural: string): ResourceType => ({
  group: 'snapshot.kubevirt.io',
  version: 'v1beta1',
  kind,
  plural,
  namespaced: true,
});
const snapshots = snapshot('VirtualMachineSnapshot', 'virtualmachinesnapshots');
const restores = snapshot('VirtualMachineRestore', 'virtualmachinerestores');

let cluster: MemberCluster;
let world: CreatedWorld;
let user: Client;
let served: Served;

before(async () => {
  cluster = await startMemberCluster('admission');
  user = cluster.client;
  world = createWorld({ name: 'admission', source: fixedSource(cluster), log: pino({ level: 'silent' }) });
  await installDefinitions(world.administrator, simulatedDefinitions);
  for (const name of ['kubevirt', namespace]) await user.create(namespaces, { metadata: { name } });
  const webhooks = kubevirtWebhooks(world);
  served = await serve({ client: world.administrator, webhooks, apis: [], namespace: 'kubevirt', log: world.log });
});
after(async () => {
  await served?.close({ leaveRegistered: true });
  await world?.close();
  await cluster?.stop();
});

async function refusal(write: () => Promise<unknown>): Promise<string> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return `${error.code} ${error.status?.message?.replace(/^admission webhook "([^"]*)" denied the request/, '$1') ?? ''}`;
  }
  return 'written';
}

const create = <T extends KubeObject>(type: ResourceType<T>, object: object, dryRun = true): Promise<T> =>
  user.create(type, { metadata: { name: 'one', namespace }, ...object } as unknown as T, { dryRun });

const vm = (spec: JsonObject = {}, change: JsonObject = {}): object => {
  const template = { metadata: {}, spec: vmiSpec({ architecture: null, ...change }) };
  return { spec: { runStrategy: 'Halted', template, ...spec } };
};

describe('a VM', () => {
  test('is filled in: firmware, machine, architecture, PCI topology', async () => {
    const made = await create(virtualMachines, vm());
    const { spec, metadata } = made.spec.template;
    const { firmware, machine, resources } = spec.domain as { [key: string]: JsonObject };
    assert.equal(spec['architecture'], 'amd64');
    assert.deepEqual(machine, { type: 'q35' });
    assert.deepEqual(resources, {});
    assert.deepEqual(Object.keys(firmware ?? {}).toSorted(), ['serial', 'uuid']);
    assert.deepEqual(metadata?.annotations, { 'kubevirt.io/pci-topology-version': 'v3' });
  });

  const rows: readonly (readonly [string, () => object, string])[] = [
    [
      'without a template',
      () => ({ spec: { runStrategy: 'Halted' } }),
      '422 virtualmachines-mutator.kubevirt.io: spec.template in body is required',
    ],
    [
      'without a run strategy',
      () => vm({ runStrategy: null }),
      '422 virtualmachine-validator.kubevirt.io: RunStrategy must be specified',
    ],
    [
      'with a matcher that names nothing',
      () => vm({ instancetype: {} }),
      '422 virtualmachines-mutator.kubevirt.io: Either Name or InferFromVolume should be provided within the InstancetypeMatcher',
    ],
    [
      'with memory of its own and of an instance type',
      () => vm({ instancetype: { name: 'small' } }),
      '422 virtualmachine-validator.kubevirt.io: VM field(s) spec.template.spec.domain.memory.guest conflicts with selected instance type',
    ],
    [
      'that has too little for its preference',
      () => vm({ instancetype: { name: 'small' }, preference: { name: 'demanding' } }, { domain: { memory: null } }),
      '422 virtualmachine-validator.kubevirt.io: failure checking preference requirements: insufficient CPU resources of 1 vCPU provided by instance type, preference requires 2 vCPU',
    ],
    ['with an instance type that is not there', () => vm({ instancetype: { name: 'none' } }), 'written'],
    [
      'that infers from a volume that is not there',
      () => vm({ instancetype: { inferFromVolume: 'ghost' } }),
      '400 virtualmachines-mutator.kubevirt.io: unable to find volume ghost to infer defaults',
    ],
    [
      'that infers from a container disk',
      () => vm({ preference: { inferFromVolume: 'rootdisk' } }),
      '400 virtualmachines-mutator.kubevirt.io: unable to infer defaults from volume rootdisk as type is not supported',
    ],
  ];
  before(async () => {
    await user.create(clusterInstancetypes, {
      metadata: { name: 'small' },
      spec: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
    });
    await user.create(clusterPreferences, {
      metadata: { name: 'demanding' },
      spec: { requirements: { cpu: { guest: 2 } } },
    });
  });
  for (const [name, object, said] of rows) {
    test(name, async () => assert.equal(await refusal(() => create(virtualMachines, object())), said));
  }

  test('takes its instance type from the labels of a volume', async () => {
    const claim = {
      metadata: { name: 'labelled', namespace, labels: { 'instancetype.kubevirt.io/default-instancetype': 'small' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await create(persistentVolumeClaims, claim, false);
    const volumes = [{ name: 'rootdisk', persistentVolumeClaim: { claimName: 'labelled' } }];
    const made = await create(
      virtualMachines,
      vm({ instancetype: { inferFromVolume: 'rootdisk' } }, { volumes, domain: { memory: null } }),
    );
    assert.deepEqual(made.spec.instancetype, { name: 'small' });
  });
});

describe('a VMI', () => {
  let stored: Unstructured;
  before(async () => {
    stored = (await create(
      virtualMachineInstances,
      { spec: vmiSpec({ evictionStrategy: 'LiveMigrate' }) },
      false,
    )) as unknown as Unstructured;
  });

  test('is Pending and complete when it is made', () => {
    const { phase, runtimeUser, currentCPUTopology, memory, guestOSInfo } = stored['status'] as JsonObject;
    assert.deepEqual(
      { phase, runtimeUser, currentCPUTopology, guestOSInfo },
      {
        phase: 'Pending',
        runtimeUser: 107,
        currentCPUTopology: { cores: 1, sockets: 1, threads: 1 },
        guestOSInfo: {},
      },
    );
    assert.deepEqual(memory, { guestAtBoot: '256Mi', guestCurrent: '256Mi', guestRequested: '256Mi' });
    assert.deepEqual(stored.metadata.finalizers, ['kubevirt.io/foregroundDeleteVirtualMachine']);
  });

  test('without memory is refused', async () => {
    const said = await refusal(() => create(virtualMachineInstances, { spec: vmiSpec({ domain: { memory: null } }) }));
    assert.match(said, /^422 virtualmachineinstances-create-validator\.kubevirt\.io: no memory requested/);
  });

  const merge = (client: Client, body: object): Promise<KubeObject> =>
    client.patch(virtualMachineInstances, { name: 'one', namespace }, { type: 'merge', body });

  test('has a status that users write in vain', async () => {
    const written = await merge(user, { status: { phase: 'Running', nodeName: 'node01' } });
    assert.deepEqual((written as Unstructured)['status'], stored['status']);
  });

  test('has a spec and labels that users may not write', async () => {
    const validator = '422 virtualmachineinstances-update-validator.kubevirt.io';
    assert.equal(
      await refusal(() => merge(user, { spec: { hostname: 'h' } })),
      `${validator}: update of VMI object is restricted`,
    );
    const label = { metadata: { labels: { 'kubevirt.io/nodeName': 'x' } } };
    assert.equal(
      await refusal(() => merge(user, label)),
      `${validator}: modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited`,
    );
    assert.equal(await refusal(() => merge(user, { metadata: { labels: { x: 'y' } } })), 'written');
  });

  test('is the business of the virt-handler of its node', async () => {
    const status = { phase: 'Running', nodeName: 'node01', conditions: [{ type: 'LiveMigratable', status: 'True' }] };
    await merge(world.as('virt-controller').client, { status });
    const restricted =
      '422 virtualmachineinstances-update-validator.kubevirt.io: Node restriction, virt-handler is only allowed to modify VMIs it owns';
    const say = (node: string): Promise<string> =>
      refusal(() => merge(world.as('virt-handler', { node }).client, { status: { guestOSInfo: { name: 'x' } } }));
    assert.equal(await say('node02'), restricted);
    assert.equal(await say('node01'), 'written');
  });

  test('is evacuated where its pod is to be evicted', async () => {
    const metadata = {
      name: 'virt-launcher-one-abcde',
      namespace,
      labels: { 'kubevirt.io': 'virt-launcher' },
      annotations: { 'kubevirt.io/domain': 'one' },
    };
    const spec = { nodeName: 'node01', containers: [{ name: 'compute', image: 'x' }] };
    await user.create(pods, { metadata, spec });
    const evict = (): Promise<string> =>
      refusal(() =>
        user.createSubresource(pods, { name: metadata.name, namespace }, 'eviction', {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: metadata.name, namespace },
        }),
      );
    const interceptor = '429 virt-launcher-eviction-interceptor.kubevirt.io';
    const migratable = (status: string): Promise<KubeObject> =>
      merge(world.as('virt-controller').client, { status: { conditions: [{ type: 'LiveMigratable', status }] } });
    await migratable('False');
    const stays = 'VMI one is configured with an eviction strategy but is not live-migratable';
    assert.equal(await evict(), `${interceptor}: ${stays}`);
    await migratable('True');
    assert.equal(await evict(), `${interceptor}: Eviction triggered evacuation of VMI "ns1/one"`);
    const marked = await user.get(virtualMachineInstances, { name: 'one', namespace });
    assert.equal(marked.status?.['evacuationNodeName'], 'node01');
    assert.match(await evict(), /Evacuation in progress/);
  });

  test('is migrated once at a time', async () => {
    const migration = (name: string, vmiName: string): object => ({ metadata: { name, namespace }, spec: { vmiName } });
    const validator = '400 migration-create-validator.kubevirt.io';
    const start = (name: string, vmiName: string): Promise<string> =>
      refusal(() => create(virtualMachineInstanceMigrations, migration(name, vmiName), false));
    assert.equal(await start('m0', 'none'), `${validator}: the VMI "ns1/none" does not exist`);
    assert.equal(await start('m1', 'one'), 'written');
    const { metadata } = await user.get(virtualMachineInstanceMigrations, { name: 'm1', namespace });
    assert.deepEqual(metadata.labels, { 'kubevirt.io/vmi-name': 'one' });
    assert.deepEqual(metadata.finalizers, ['kubevirt.io/migrationJobFinalize']);
    const busy = `in-flight migration detected. Active migration job (${metadata.uid}) is currently already in progress for VMI one.`;
    assert.equal(await start('m2', 'one'), `${validator}: ${busy}`);
    const rename = { type: 'merge', body: { spec: { vmiName: 'other' } } } as const;
    assert.equal(
      await refusal(() => user.patch(virtualMachineInstanceMigrations, { name: 'm1', namespace }, rename)),
      "422 migration-update-validator.kubevirt.io: update of Migration object's spec is restricted",
    );
  });
});

describe('the other kinds', () => {
  const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'nope' };
  const restore = { virtualMachineSnapshotName: 's', target: source };
  const rows: readonly (readonly [string, ResourceType, JsonObject, string])[] = [
    ['a snapshot of a VM that is not there', snapshots, { source }, 'written'],
    [
      'a snapshot of a pod',
      snapshots,
      { source: { ...source, apiGroup: '', kind: 'Pod' } },
      '422 virtualmachinesnapshot-validator.snapshot.kubevirt.io: invalid apiGroup',
    ],
    [
      'a restore of another kind',
      restores,
      { ...restore, target: { ...source, kind: 'VirtualMachineInstance' } },
      '422 virtualmachinerestore-validator.snapshot.kubevirt.io: invalid kind',
    ],
    [
      'a restore that patches a name',
      restores,
      { ...restore, patches: ['{"op": "replace", "path": "/metadata/name", "value": "x"}'] },
      '422 virtualmachinerestore-validator.snapshot.kubevirt.io: patching is valid only for elements under /spec/ only:  "path": "/metadata/name"',
    ],
    [
      'a preference for pyramids',
      preferences,
      { cpu: { preferredCPUTopology: 'pyramids' } },
      '422 virtualmachinepreference-validator.instancetype.kubevirt.io: unknown preferredCPUTopology pyramids',
    ],
    [
      'an instance type with huge pages and overcommitment',
      instancetypes,
      { cpu: { guest: 1 }, memory: { guest: '1Gi', overcommitPercent: 50, hugepages: { pageSize: '2Mi' } } },
      '422 virtualmachineinstancetype-validator.instancetype.kubevirt.io: spec.memory.overcommitPercent and spec.memory.hugepages should not be requested together.',
    ],
  ];
  for (const [name, type, spec, said] of rows) {
    test(name, async () => assert.equal(await refusal(() => create(type, { spec: cloneJson(spec) })), said));
  }

  test('one restore of a VM at a time', async () => {
    await create(restores, { spec: restore }, false);
    const again = await refusal(() => create(restores, { metadata: { name: 'two', namespace }, spec: restore }));
    assert.equal(
      again,
      '422 virtualmachinerestore-validator.snapshot.kubevirt.io: VirtualMachineRestore "one" in progress',
    );
  });
});
