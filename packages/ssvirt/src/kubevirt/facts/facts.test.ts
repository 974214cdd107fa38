import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimEventFacts } from './claim-event.ts';
import { dataVolumeFacts, withClaimEvent, type DataVolumeFacts } from './data-volume.ts';
import { templateInstanceFacts } from './template-instance.ts';
import { vmFacts, type VmFacts } from './vm.ts';
import { vmiFacts, type VmiFacts } from './vmi.ts';

const vappId = '0d4cbd4e-3e7b-4a5b-9d3c-52c1e5e9b6a1';
const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'web', uid: 'vm-uid', controller: true };

const vm = {
  metadata: {
    name: 'web.shop',
    uid: 'vm-uid',
    generation: 7,
    deletionTimestamp: '2026-11-15T00:00:00Z',
    labels: {
      'vapp.ssvirt.io/vapp-id': vappId.toUpperCase(),
      'template.openshift.io/template-instance-owner': 'template-uid',
    },
    annotations: { 'vm.kubevirt.io/os': 'linux' },
    managedFields: [{ manager: 'x' }],
  },
  spec: {
    runStrategy: 'RerunOnFailure',
    dataVolumeTemplates: [
      { metadata: { name: 'root' }, spec: { storage: { resources: { requests: { storage: '30Gi' } } } } },
    ],
    template: {
      metadata: { annotations: { 'vm.kubevirt.io/os': 'fedora40' } },
      spec: {
        domain: { cpu: { cores: 2, sockets: 3, threads: 2 }, memory: { guest: '1536Mi' } },
        volumes: [
          { name: 'rootdisk', dataVolume: { name: 'root' } },
          { name: 'data', persistentVolumeClaim: { claimName: 'data-1' } },
          { name: 'golden', dataVolume: { name: 'other' } },
          { name: 'tools', containerDisk: { image: 'tools:1' } },
          { name: 'scratch', emptyDisk: { capacity: '2Gi' } },
          { name: 'init', cloudInitNoCloud: { userData: 'secret' } },
        ],
      },
    },
  },
  status: {
    printableStatus: 'CrashLoopBackOff',
    runStrategy: 'RerunOnFailure',
    created: true,
    stateChangeRequests: [{ action: 'Stop', uid: 'x' }, { action: 'Start' }, { action: 'Dance' }],
    startFailure: { consecutiveFailCount: 2, retryAfterTimestamp: '2026-11-15T09:08:07Z', lastFailedVMIUID: 'y' },
    conditions: [
      { type: 'Ready', status: 'False' },
      { type: 'Failure', status: 'True', reason: 'FailedCreate', message: 'm'.repeat(2000) },
      { type: 'RestartRequired', status: 'True' },
    ],
  },
};

test('of a VirtualMachine is kept what the row and the mapping need', () => {
  const facts: VmFacts = {
    uid: 'vm-uid',
    generation: 7,
    deleting: true,
    printableStatus: 'CrashLoopBackOff',
    runStrategy: 'RerunOnFailure',
    lastRunStrategy: 'RerunOnFailure',
    created: true,
    requests: ['Stop', 'Start'],
    startFailure: { count: 2, retryAt: '2026-11-15T09:08:07Z' },
    failure: { reason: 'FailedCreate', message: `${'m'.repeat(511)}…` },
    restartRequired: true,
    vappId,
    templateInstanceUid: 'template-uid',
    dataVolumes: ['root', 'other'],
    cpuCount: 12,
    memoryMb: 1536,
    os: 'fedora40',
    hostName: 'web',
    disks: [
      { name: 'rootdisk', claim: 'root', bytes: 30 * 2 ** 30 },
      { name: 'data', claim: 'data-1' },
      { name: 'golden', claim: 'other' },
      { name: 'tools' },
      { name: 'scratch', bytes: 2 * 2 ** 30 },
    ],
  };
  assert.deepEqual(vmFacts(vm), facts);
});

test('of a VirtualMachine that says nothing next to nothing is kept', () => {
  const nothing = { uid: '', generation: 0, dataVolumes: [], cpuCount: 1 };
  for (const object of [undefined, null, 'x', [], {}, { metadata: 1, spec: [], status: 'x' }])
    assert.deepEqual(vmFacts(object), nothing);
});

const hardware: readonly (readonly [string, object, Partial<VmFacts>])[] = [
  ['only cores', { domain: { cpu: { cores: 4 } } }, { cpuCount: 4 }],
  ['a model alone is no size', { domain: { cpu: { model: 'host-model' } } }, { cpuCount: 1 }],
  ['no whole number', { domain: { cpu: { cores: 1.5 } } }, {}],
  ['more than a column holds', { domain: { cpu: { cores: 2 ** 31 } } }, {}],
  [
    'requests instead',
    { domain: { resources: { requests: { cpu: '1500m', memory: '2G' } } } },
    { cpuCount: 2, memoryMb: 1907 },
  ],
  [
    'limits before requests',
    { domain: { resources: { limits: { cpu: '4' }, requests: { cpu: '1' } } } },
    { cpuCount: 4 },
  ],
  ['memory of 1Ki is none', { domain: { memory: { guest: '1Ki' } } }, { cpuCount: 1 }],
];
for (const [why, spec, expected] of hardware)
  test(`the size of a machine in its specification: ${why}`, () => {
    const { cpuCount, memoryMb } = vmFacts({ spec: { template: { spec } } });
    assert.deepEqual([cpuCount, memoryMb], [expected.cpuCount, expected.memoryMb]);
  });

test('a machine that says running: true has the run strategy Always, unless it names one', () => {
  assert.equal(vmFacts({ spec: { running: true } }).runStrategy, 'Always');
  assert.equal(vmFacts({ spec: { running: false } }).runStrategy, undefined);
  assert.equal(vmFacts({ spec: { running: true, runStrategy: 'Manual' } }).runStrategy, 'Manual');
});

test('an instance type decides on the CPUs that the specification leaves open', () => {
  assert.equal(vmFacts({ spec: { instancetype: { name: 'small' } } }).cpuCount, undefined);
});

test('a vApp label that is no uuid is none', () => {
  const labels = { 'vapp.ssvirt.io/vapp-id': 'urn-vcloud-vapp-1' };
  assert.equal(vmFacts({ metadata: { labels } }).vappId, undefined);
});

const vmi = {
  metadata: { name: 'web', uid: 'vmi-uid', ownerReferences: [owner], deletionTimestamp: 'now' },
  spec: {
    hostname: 'www',
    domain: { cpu: { cores: 1 }, memory: { guest: '1Gi' } },
    volumes: [
      { name: 'rootdisk', dataVolume: { name: 'root' } },
      { name: 'tools', containerDisk: { image: 'tools:1' } },
      { name: 'init', cloudInitNoCloud: {} },
    ],
  },
  status: {
    phase: 'Failed',
    reason: 'NodeUnresponsive',
    phaseTransitionTimestamps: [{ phase: 'Scheduled' }, { phase: 'Running' }],
    nodeName: 'node01',
    currentCPUTopology: { cores: 2, sockets: 2, threads: 1 },
    memory: { guestAtBoot: '1Gi', guestCurrent: '2Gi' },
    guestOSInfo: { name: 'Fedora Linux', version: '40', prettyName: 'Fedora Linux 40\u0000(Cloud)' },
    interfaces: [
      { name: 'default', ipAddress: '10.0.0.1', ipAddresses: ['10.0.0.1', 'fe80::1', '2001:db8::1/64'] },
      { name: 'second', ipAddress: '192.168.0.1' },
      { interfaceName: 'docker0', ipAddress: '172.17.0.1' },
    ],
    volumeStatus: [
      {
        name: 'rootdisk',
        persistentVolumeClaimInfo: { claimName: 'root', capacity: { storage: '31Gi' }, requests: { storage: '30Gi' } },
      },
      { name: 'tools', size: 12 },
    ],
    conditions: [
      { type: 'Ready', status: 'False', reason: 'PodTerminating', message: 'x' },
      { type: 'Paused', status: 'True', reason: 'PausedIOError' },
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'full' },
      { type: 'Synchronized', status: 'False', reason: 'FailedCreate', message: 'no' },
      { type: 'AgentConnected', status: 'True' },
    ],
  },
};

test('of an instance is kept what the machine has while it runs', () => {
  const facts: VmiFacts = {
    uid: 'vmi-uid',
    vmUid: 'vm-uid',
    deleting: true,
    phase: 'Failed',
    ran: true,
    reason: 'NodeUnresponsive',
    paused: { reason: 'PausedIOError' },
    unschedulable: { reason: 'Unschedulable', message: 'full' },
    notSynchronized: { reason: 'FailedCreate', message: 'no' },
    notReady: { reason: 'PodTerminating' },
    node: 'node01',
    ipAddresses: ['10.0.0.1', '2001:db8::1', '192.168.0.1'],
    guestOs: 'Fedora Linux 40 (Cloud)',
    hostName: 'www',
    cpuCount: 4,
    memoryMb: 2048,
    disks: [
      { name: 'rootdisk', claim: 'root', bytes: 31 * 2 ** 30 },
      { name: 'tools', bytes: 12 },
    ],
  };
  assert.deepEqual(vmiFacts(vmi), facts);
});

const systems: readonly (readonly [object, string | undefined])[] = [
  [{ prettyName: 'A', name: 'B', version: '1', id: 'c' }, 'A'],
  [{ name: 'B', version: '1', id: 'c' }, 'B 1'],
  [{ name: 'B', id: 'c' }, 'B'],
  [{ version: '1', id: 'c' }, 'c'],
  [{}, undefined],
];
for (const [guestOSInfo, expected] of systems)
  test(`the guest's system is ${expected ?? 'not known'} from ${JSON.stringify(guestOSInfo)}`, () => {
    assert.equal(vmiFacts({ status: { guestOSInfo } }).guestOs, expected);
  });

const addresses: readonly (readonly [string, unknown, readonly string[] | undefined])[] = [
  [
    'interfaces that only the guest knows count where no other has an address',
    [{ name: 'nic' }, { ipAddress: '10.0.0.9' }],
    ['10.0.0.9'],
  ],
  [
    'loopback and link-local are no use',
    [{ name: 'nic', ipAddresses: ['127.0.0.1', '::1', '169.254.1.1', 'FE80::2', '0.0.0.0'] }],
    undefined,
  ],
  ['what is no address is left out', [{ name: 'nic', ipAddresses: ['', 7, null, 'x', 'drop table'] }], undefined],
  [
    'each once',
    [
      { name: 'a', ipAddress: '10.0.0.1' },
      { name: 'b', ipAddress: '10.0.0.1' },
    ],
    ['10.0.0.1'],
  ],
  ['nothing at all', 'nothing', undefined],
];
for (const [why, interfaces, expected] of addresses)
  test(`addresses of a guest: ${why}`, () => {
    assert.deepEqual(vmiFacts({ status: { interfaces } }).ipAddresses, expected);
  });

test('a guest cannot tell any number of addresses', () => {
  const ipAddresses = Array.from({ length: 5000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
  assert.equal(vmiFacts({ status: { interfaces: [{ name: 'nic', ipAddresses }] } }).ipAddresses?.length, 32);
});

const conditions = [
  { type: 'Bound', status: 'Unknown', reason: 'ErrExceededQuota', message: 'full' },
  { type: 'Running', status: 'False', reason: 'Error', message: '404' },
];
const volumes: readonly (readonly [string, object, DataVolumeFacts])[] = [
  [
    'one that does not get on',
    { phase: 'ImportInProgress', restartCount: 3, progress: '1.0%', conditions },
    {
      name: 'root',
      vm: 'web',
      phase: 'ImportInProgress',
      restarts: 3,
      stuck: { reason: 'Error', message: '404' },
      refused: { reason: 'ErrExceededQuota', message: 'full' },
    },
  ],
  [
    'one that is filled',
    { phase: 'Succeeded', restartCount: 3, conditions },
    { name: 'root', vm: 'web', phase: 'Succeeded' },
  ],
  [
    'one whose pod is being made',
    {
      phase: 'ImportScheduled',
      conditions: [
        { type: 'Running', status: 'False', reason: 'ContainerCreating' },
        { type: 'Bound', status: 'False', reason: 'Pending' },
      ],
    },
    { name: 'root', vm: 'web', phase: 'ImportScheduled' },
  ],
];
for (const [why, status, expected] of volumes)
  test(`of a DataVolume is kept what is wrong with it: ${why}`, () => {
    assert.deepEqual(dataVolumeFacts({ metadata: { name: 'root', ownerReferences: [owner] }, status }), expected);
  });

const claimEvent = (message: string, at = '2026-02-01T12:00:00Z', reason = 'ProvisioningFailed'): unknown => ({
  involvedObject: { kind: 'PersistentVolumeClaim', name: 'root' },
  reason,
  message,
  lastTimestamp: at,
});

test('of an Event about a claim is kept why it gets no volume, without the claim that CDI fills', () => {
  const facts = claimEventFacts(claimEvent('[prime-7] : failed to provision volume: full'));
  assert.deepEqual(facts, { claim: 'root', message: 'failed to provision volume: full', at: '2026-02-01T12:00:00Z' });
  assert.equal(claimEventFacts(claimEvent('waiting for first consumer', undefined, 'WaitForFirstConsumer')), undefined);
});

test('an Event explains the DataVolume of its claim as long as that has no volume, and none that came later', () => {
  const event = claimEventFacts(claimEvent('failed to provision volume: full'));
  const metadata = { name: 'root', creationTimestamp: '2026-02-01T11:00:00Z' };
  const reported = (object: object): unknown => withClaimEvent(dataVolumeFacts(object), event).unprovided;
  assert.equal(reported({ metadata, status: { phase: 'Pending' } }), 'failed to provision volume: full');
  assert.equal(reported({ metadata, status: { phase: 'Succeeded' } }), undefined);
  const bound = [{ type: 'Bound', status: 'True', reason: 'Bound' }];
  assert.equal(reported({ metadata, status: { phase: 'ImportInProgress', conditions: bound } }), undefined);
  assert.equal(reported({ metadata: { ...metadata, creationTimestamp: '2026-02-01T13:00:00Z' } }), undefined);
});

test('of a TemplateInstance is kept whether it is done', () => {
  const metadata = { uid: 'u', name: 'shop', labels: { 'vapp.ssvirt.io/vapp-id': vappId } };
  const status = { conditions: [{ type: 'Ready', status: 'True', reason: 'Created' }] };
  assert.deepEqual(templateInstanceFacts({ metadata, status }), { uid: 'u', name: 'shop', vappId, ready: true });
});
