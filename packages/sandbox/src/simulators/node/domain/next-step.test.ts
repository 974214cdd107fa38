/** The order of virt-handler's writes, compared with recordings: steps are taken until none is left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import { defaultDials, type DialFault } from '../../dials.ts';
import type { Pod, VirtualMachineInstance } from '../../kubevirt/objects.ts';
import { GUEST_ANNOTATION } from './ending.ts';
import { nextStep } from './next-step.ts';
import type { Scene, StatusWrite } from './step.ts';

const NOW = '2026-11-15T12:00:00Z';

const launcher = (node: string, ip: string): Pod => ({
  metadata: { name: `virt-launcher-${node}`, namespace: 'ns', uid: node },
  spec: { nodeName: node },
  status: { phase: 'Running', podIP: ip, conditions: [{ type: 'Ready', status: 'True' }] },
});

function vmi(status: JsonObject, rest: { spec?: JsonObject; metadata?: JsonObject } = {}): VirtualMachineInstance {
  return {
    metadata: { name: 'vm1', namespace: 'ns', uid: 'u', ...rest.metadata },
    spec: {
      domain: {
        devices: {
          disks: [
            { name: 'root', disk: { bus: 'virtio' } },
            { name: 'data', disk: { bus: 'scsi' } },
          ],
          interfaces: [{ name: 'default', masquerade: {}, macAddress: '02:00:00:00:00:01' }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'root', containerDisk: { image: 'fedora:40' } }],
      terminationGracePeriodSeconds: 30,
      ...rest.spec,
    },
    status: { nodeName: 'node01', volumeStatus: [{ name: 'root', target: '' }], ...status },
  };
}

interface Setting {
  readonly faults?: readonly DialFault[];
  readonly pod?: Pod;
  readonly targetPod?: Pod;
  readonly modes?: readonly string[];
  /** If true, time passes and every stage is over at once. */
  readonly patient?: boolean;
}

function scene(of: VirtualMachineInstance, setting: Setting = {}): Scene {
  return {
    vmi: of,
    node: of.status?.nodeName ?? '',
    pod: setting.pod ?? launcher('node01', '10.0.0.1'),
    targetPod: setting.targetPod,
    dials: defaultDials,
    now: NOW,
    hasFault: (kind) => setting.faults?.includes(kind) === true,
    left: (_, ms) => (setting.patient === false ? ms : 0),
    accessModes: () => setting.modes,
    isRunning: () => true,
    addressOf: (node) => `addr-${node}`,
  };
}

/** Takes steps until there is none, and returns what each wrote. */
function play(
  start: VirtualMachineInstance,
  setting: Setting = {},
): { writes: readonly StatusWrite[]; end: VirtualMachineInstance } {
  const writes: StatusWrite[] = [];
  let now = start;
  for (let turn = 0; turn < 20; turn++) {
    const node = now.status?.nodeName;
    const pod = node === setting.targetPod?.spec.nodeName ? setting.targetPod : setting.pod;
    const step = nextStep(scene(now, { ...setting, ...(pod === undefined ? {} : { pod }) }));
    if (step?.kind !== 'write') return { writes, end: now };
    writes.push(step);
    now = { ...now, status: { ...now.status, ...step.status } };
  }
  throw new Error('it never ends');
}

const told = ({ writes }: ReturnType<typeof play>): readonly string[] =>
  writes.flatMap(({ after = [] }) => after.map(({ type, reason, message }) => `${type} ${reason}: ${message}`));
const conditions = ({ end }: ReturnType<typeof play>): readonly string[] =>
  (end.status?.conditions ?? []).map(({ type, status, reason = '' }) => `${type}=${status}/${reason}`);

test('a guest is defined, starts, and its agent speaks', () => {
  const life = play(vmi({ phase: 'Scheduled' }));
  assert.deepEqual(
    life.writes.map(({ status }) => Object.keys(status).sort()),
    [
      ['conditions', 'migrationMethod', 'selinuxContext'],
      ['interfaces', 'machine', 'phase', 'phaseTransitionTimestamps', 'volumeStatus'],
      ['conditions', 'guestOSInfo', 'interfaces'],
    ],
  );
  assert.deepEqual(told(life), [
    'Normal Created: VirtualMachineInstance defined.',
    'Normal Started: VirtualMachineInstance started.',
  ]);
  assert.deepEqual(conditions(life), ['LiveMigratable=True/', 'StorageLiveMigratable=True/', 'AgentConnected=True/']);
  assert.deepEqual(life.end.status?.interfaces, [
    {
      infoSource: 'domain, guest-agent',
      interfaceName: 'enp1s0',
      ipAddress: '10.0.0.1',
      ipAddresses: ['10.0.0.1'],
      linkState: 'up',
      mac: '02:00:00:00:00:01',
      name: 'default',
      podInterfaceName: 'eth0',
      queueCount: 1,
    },
  ]);
  assert.deepEqual(life.end.status?.volumeStatus, [{ name: 'root', target: 'vda' }]);
  assert.equal((life.end.status?.['guestOSInfo'] as JsonObject | undefined)?.['id'], 'fedora');
});

test('what keeps a guest on its node is said in KubeVirt’s words', () => {
  const claim = { volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'x' } }] };
  const bridge = { domain: { devices: { interfaces: [{ name: 'default', bridge: {} }] } } };
  const cases: readonly (readonly [
    reason: string,
    of: VirtualMachineInstance,
    modes: readonly string[],
    expected: string,
  ])[] = [
    [
      'a claim for one node',
      vmi({ phase: 'Scheduled' }, { spec: claim }),
      ['ReadWriteOnce'],
      'LiveMigratable=False/DisksNotLiveMigratable',
    ],
    ['a shared claim', vmi({ phase: 'Scheduled' }, { spec: claim }), ['ReadWriteMany'], 'LiveMigratable=True/'],
    [
      'a bridge to the pod network',
      vmi({ phase: 'Scheduled' }, { spec: bridge }),
      [],
      'LiveMigratable=False/InterfaceNotLiveMigratable',
    ],
  ];
  for (const [reason, of, modes, expected] of cases) {
    const found = conditions(play(of, { modes })).find((one) => one.startsWith('LiveMigratable'));
    assert.equal(found, expected, reason);
  }
});

test('a guest ends on request, or by itself', () => {
  const deleted = { metadata: { deletionTimestamp: NOW } };
  const running = { phase: 'Running', conditions: [{ type: 'LiveMigratable', status: 'True' }] };
  const crash = ['Warning Stopped: The VirtualMachineInstance crashed.'];
  const off = ['Normal Stopped: The VirtualMachineInstance was shut down.'];
  const annotated = (what: string): { metadata: JsonObject } => ({
    metadata: { annotations: { [GUEST_ANNOTATION]: what } },
  });
  const going = { ...launcher('node01', '10.0.0.1') };
  const cases: readonly (readonly [
    reason: string,
    of: VirtualMachineInstance,
    setting: Setting,
    phase: string,
    events: readonly string[],
  ])[] = [
    ['it obeys', vmi(running, deleted), {}, 'Succeeded', off],
    ['it does not', vmi(running, deleted), { faults: ['ignores-acpi'] }, 'Failed', crash],
    ['it has no time', vmi(running, { ...deleted, spec: { terminationGracePeriodSeconds: 0 } }), {}, 'Failed', crash],
    ['it was never there', vmi({ phase: 'Scheduled' }, deleted), {}, 'Failed', crash],
    [
      'its pod goes',
      vmi(running),
      { pod: { ...going, metadata: { ...going.metadata, deletionTimestamp: NOW } } },
      'Succeeded',
      off,
    ],
    ['it powers itself off', vmi(running, annotated('poweroff')), {}, 'Succeeded', off],
    ['it is made to crash', vmi(running, annotated('crash')), {}, 'Failed', crash],
    ['it crashes', vmi(running), { faults: ['guest-crash'] }, 'Failed', crash],
    ['it dies before it runs', vmi({ phase: 'Scheduled' }), { faults: ['crash-loop'] }, 'Failed', crash],
  ];
  for (const [reason, of, setting, phase, events] of cases) {
    const life = play(of, setting);
    assert.equal(life.end.status?.phase, phase, reason);
    assert.deepEqual(told(life), events, reason);
    assert.equal(life.writes.length, 1, reason);
  }
});

test('a guest without an agent says nothing, and one that loses it is forgotten', () => {
  const running = { phase: 'Running', conditions: [{ type: 'LiveMigratable', status: 'True' }] };
  assert.equal(play(vmi(running), { faults: ['no-agent'] }).writes.length, 0);
  const lost = play(play(vmi(running)).end, { faults: ['no-agent'] });
  assert.deepEqual(conditions(lost), ['LiveMigratable=True/']);
  assert.deepEqual(lost.end.status?.['guestOSInfo'], {});
});

test('a guest that is to start paused is paused once', () => {
  const running = { phase: 'Running', conditions: [{ type: 'LiveMigratable', status: 'True' }] };
  const paused = play(vmi(running, { spec: { startStrategy: 'Paused' } }));
  assert.deepEqual(conditions(paused), ['LiveMigratable=True/', 'Paused=True/PausedByUser']);
  const resumed = vmi(running, {
    spec: { startStrategy: 'Paused' },
    metadata: { annotations: { 'sandbox.ssvirt.io/resumed': 'true' } },
  });
  assert.deepEqual(conditions(play(resumed)), ['LiveMigratable=True/', 'AgentConnected=True/']);
});

const migrating = (): VirtualMachineInstance =>
  vmi({
    phase: 'Running',
    conditions: [
      { type: 'LiveMigratable', status: 'True' },
      { type: 'AgentConnected', status: 'True' },
    ],
    interfaces: [{ name: 'default', ipAddress: '10.0.0.1' }],
    migrationState: { migrationUid: 'm', sourceNode: 'node01', targetNode: 'node02', sourcePod: 's', targetPod: 't' },
  });

test('a migration is written by both nodes, field by field as recorded', () => {
  const life = play(migrating(), { targetPod: launcher('node02', '10.0.0.2') });
  const before = migrating().status?.migrationState ?? {};
  const fields = life.writes.map(({ node, status }, place) => {
    const earlier = (place === 0 ? before : life.writes[place - 1]?.status['migrationState']) ?? {};
    const added = Object.keys((status['migrationState'] as JsonObject | undefined) ?? {}).filter(
      (key) => !Object.hasOwn(earlier, key),
    );
    return [node, ...added, ...Object.keys(status).filter((key) => key !== 'migrationState')].join(' ');
  });
  assert.deepEqual(fields, [
    'node02 targetDirectMigrationNodePorts targetNodeAddress targetState',
    'node01 mode startTimestamp',
    'node02 targetNodeDomainDetected targetNodeDomainReadyTimestamp',
    'node02 endTimestamp evacuationNodeName launcherContainerImageVersion nodeName',
    'node02 completed',
    'node02 interfaces',
  ]);
  assert.deepEqual(told(life), ['Normal Migrated: The VirtualMachineInstance migrated to node node02.']);
  assert.equal(life.writes[3]?.after?.[0]?.host, 'node01');
  assert.deepEqual(life.writes[3]?.labels, { 'kubevirt.io/nodeName': 'node02' });
  assert.equal(life.end.status?.interfaces?.[0]?.['ipAddress'], '10.0.0.2');
});

test('a migration that fails, or that was canceled, leaves the guest where it is', () => {
  const target = launcher('node02', '10.0.0.2');
  const failed = play(migrating(), { targetPod: target, faults: ['migration-fails'] });
  const state = failed.end.status?.migrationState ?? {};
  assert.equal(state['failed'], true);
  assert.equal(state['completed'], true);
  assert.equal(state['failureReason'], 'Live migration failed error: operation failed: job unexpectedly failed');
  assert.equal(failed.end.status?.nodeName, 'node01');
  const unwanted = migrating();
  const asked = {
    ...unwanted.status?.migrationState,
    targetNodeAddress: 'a',
    startTimestamp: NOW,
    abortRequested: true,
  };
  const aborted = play({ ...unwanted, status: { ...unwanted.status, migrationState: asked } }, { targetPod: target });
  assert.equal(aborted.end.status?.migrationState?.['abortStatus'], 'Succeeded');
  assert.equal(aborted.end.status?.nodeName, 'node01');
});

test('volumes are plugged in and out, and memory is dumped', () => {
  const running = { phase: 'Running', conditions: [{ type: 'AgentConnected', status: 'True' }] };
  const attached = (rest: JsonObject = {}): JsonObject => ({
    name: 'data',
    target: '',
    phase: 'AttachedToNode',
    hotplugVolume: { attachPodName: 'hp' },
    ...rest,
  });
  const named = {
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'p', hotpluggable: true } }] },
  };
  const plugged = play(vmi({ ...running, volumeStatus: [attached()] }, named));
  assert.deepEqual(told(plugged), [
    'Normal VolumeMountedToPod: Volume data has been mounted in virt-launcher pod',
    'Normal VolumeReady: Successfully attach hotplugged volume data to VM',
  ]);
  assert.equal(plugged.end.status?.volumeStatus?.[0]?.['target'], 'sda');
  const unplugged = play({ ...plugged.end, spec: { ...plugged.end.spec, volumes: [] } });
  assert.deepEqual(told(unplugged), [
    'Normal VolumeUnMountedFromPod: Volume data has been unmounted from virt-launcher pod',
  ]);
  assert.equal(unplugged.end.status?.volumeStatus?.[0]?.['target'], '');
  const dumped = play(vmi({ ...running, volumeStatus: [attached({ memoryDumpVolume: { claimName: 'p' } })] }, named));
  const last = dumped.end.status?.volumeStatus?.[0] ?? {};
  assert.equal(last['phase'], 'MemoryDumpVolumeCompleted');
  assert.equal(last['message'], 'Memory dump to Volume data has completed successfully');
  assert.deepEqual(last['memoryDumpVolume'], {
    claimName: 'p',
    startTimestamp: NOW,
    endTimestamp: NOW,
    targetFileName: 'vm1-data-20261115-120000.memory.dump',
  });
});

test('what takes time is waited for', () => {
  assert.deepEqual(
    nextStep(
      scene(vmi({ phase: 'Scheduled', conditions: [{ type: 'LiveMigratable', status: 'True' }] }), { patient: false }),
    ),
    { kind: 'wait', ms: defaultDials.bootMs },
  );
  assert.equal(nextStep(scene(vmi({ phase: 'Succeeded' }))), undefined);
});
