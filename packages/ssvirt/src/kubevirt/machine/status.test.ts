import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { machineOf, type Reported } from '../status/machines.fixture.ts';
import { observeMachine, type ObservedVm } from '../status/observe.ts';
import { diskState, type DiskState } from './disk-state.ts';
import type { PlacedProblem } from './problem-part.ts';
import type { MachinePhase, MachineProblem } from './resource.ts';
import { machineStatus, type MachineReport, type MachineView } from './status.ts';

const bound: DiskState = { name: 'root', phase: 'Bound' };
const base: MachineView = { name: 'web', running: true, disks: [bound] };

function viewOf(machine: ObservedVm, more: Partial<MachineView>, ageMs: number): MachineView {
  const { vm, vmi } = machine;
  return {
    ...base,
    vm,
    ...defined({ vmi }),
    observation: observeMachine(machine, () => ageMs),
    ...more,
  };
}

const reportOf = (reported: Reported, more: Partial<MachineView> = {}, ageMs = 0): MachineReport =>
  machineStatus(viewOf(machineOf({ strategy: 'RerunOnFailure', ...reported }), more, ageMs));

/** `type=status:reason`, and the message of Ready. */
function shown({ findings }: MachineReport): readonly [readonly string[], string] {
  const ready = findings.find(({ type }) => type === 'Ready');
  return [findings.map(({ type, status, reason }) => `${type}=${status}:${reason}`), ready?.message ?? ''];
}

const ran = { more: { runStrategy: 'RerunOnFailure' } } as const;
const running: Reported = { ...ran, status: 'Running', instance: { phase: 'Running', nodeName: 'node-1' } };
const full = '0/3 nodes are available: 3 Insufficient memory.';
const hasNoRoom: Reported = {
  ...ran,
  status: 'ErrorUnschedulable',
  instance: { phase: 'Scheduling', conditions: [['PodScheduled', 'False', 'Unschedulable', full]] },
};
const noQuota =
  'exceeded quota: compute, requested: limits.memory=4Gi, used: limits.memory=6Gi, limited: limits.memory=8Gi';

suite('the status of a Machine', () => {
  const minutes = 60_000;
  const cases: readonly (readonly [
    why: string,
    told: Reported,
    phase: MachinePhase,
    ready: string,
    says: RegExp,
    more?: Partial<MachineView>,
    ageMs?: number,
  ])[] = [
    ['it runs', running, 'Running', 'True:Running', /runs/],
    ['it moves', { ...running, status: 'Migrating' }, 'Running', 'True:Running', /runs/],
    ['it starts', { ...ran, status: 'Starting' }, 'Creating', 'False:Starting', /being started/],
    ['it is new', {}, 'Creating', 'False:Starting', /being started/],
    [
      'its disks are being filled',
      { status: 'Provisioning' },
      'Creating',
      'False:Starting',
      /disk "root" is being filled \(ImportInProgress\)/,
      { disks: [{ name: 'root', phase: 'Pending', dataVolume: { name: 'x', phase: 'ImportInProgress' } }] },
    ],
    [
      'it has shut itself down',
      { ...ran, status: 'Stopped' },
      'Stopped',
      'False:GuestStopped',
      /stays off until the spec of the Machine changes/,
    ],
    [
      'its new strategy is not there yet',
      { strategy: 'Halted', status: 'Stopped' },
      'Stopped',
      'False:Starting',
      /being started/,
    ],
    ['it is paused', { ...running, status: 'Paused' }, 'Running', 'False:Paused', /resume it/],
    [
      'its storage fails',
      {
        ...ran,
        status: 'Paused',
        instance: { phase: 'Running', conditions: [['Paused', 'True', 'PausedIOError', '']] },
      },
      'Running',
      'False:Paused',
      /storage reports errors/,
    ],
    ['a user stops it', { ...running, status: 'Stopping' }, 'Running', 'False:Stopping', /declared as running/],
    ['a user deletes it', { ...running, status: 'Terminating' }, 'Creating', 'False:Replacing', /created again/],
    ['there is no room, so far', hasNoRoom, 'Creating', 'False:InsufficientResources', /Make it smaller, or ask/],
    [
      'there is no room',
      hasNoRoom,
      'Failed',
      'False:InsufficientResources',
      /3 with too little memory/,
      {},
      6 * minutes,
    ],
    [
      'a quota is used up',
      { ...ran, status: 'Stopped', more: {}, conditions: [['Failure', 'True', 'FailedCreate', noQuota]] },
      'Failed',
      'False:InsufficientResources',
      /quota "compute" of its namespace has no room/,
      {},
      2 * minutes,
    ],
    [
      'it crashes at every start',
      { ...ran, status: 'CrashLoopBackOff', more: { startFailure: { consecutiveFailCount: 3 } } },
      'Failed',
      'False:VMFailed',
      /failed to start 3 times in a row/,
    ],
    [
      'a disk cannot be filled',
      {
        ...ran,
        status: 'DataVolumeError',
        disk: { phase: 'ImportInProgress', conditions: [['Running', 'False', 'Error', 'no such host']] },
      },
      'Failed',
      'False:PVCPending',
      /"root" could not be filled: no such host/,
      { disks: [{ name: 'root', phase: 'Pending', dataVolume: { name: 'x', phase: 'ImportInProgress' } }] },
      minutes,
    ],
    [
      'its node does not answer',
      { ...ran, status: 'Unknown', instance: { phase: 'Unknown', nodeName: 'n1' } },
      'Running',
      'Unknown:NodeLost',
      /"n1" that it runs on does not answer/,
      { phase: 'Running' },
    ],
    [
      'KubeVirt says something new',
      { ...ran, status: 'Dreaming' },
      'Creating',
      'Unknown:StateUnknown',
      /reports no status/,
    ],
    [
      'a change of it is refused',
      { ...running, conditions: [['Failure', 'True', 'FailedUpdate', 'no']] },
      'Running',
      'False:VMFailed',
      /last change of it could not be applied/,
    ],
    [
      'it is stopped, as declared',
      { strategy: 'Halted', status: 'Stopped' },
      'Stopped',
      'True:Stopped',
      /as declared/,
      { running: false },
    ],
    [
      'it is being stopped',
      { ...running, strategy: 'Halted' },
      'Running',
      'False:Stopping',
      /being stopped/,
      { running: false },
    ],
    [
      'it runs, and was just declared stopped',
      running,
      'Running',
      'False:Stopping',
      /being stopped/,
      { running: false },
    ],
    [
      'it is stopped, and its disk waits for the first start',
      { strategy: 'Halted', status: 'Stopped' },
      'Stopped',
      'True:Stopped',
      /as declared/,
      { running: false, disks: [{ name: 'root', phase: 'Pending', waitsForConsumer: true }] },
    ],
    [
      'it is stopped, and its disk is not there',
      { strategy: 'Halted', status: 'Stopped' },
      'Stopped',
      'False:PVCPending',
      /waits for its storage/,
      { running: false, disks: [{ name: 'root', phase: 'Pending' }] },
    ],
    [
      'it is stopped, and its disk is being filled',
      { strategy: 'Halted', status: 'Provisioning' },
      'Creating',
      'False:PVCPending',
      /being filled/,
      { running: false },
    ],
  ];
  for (const [why, reported, phase, ready, says, more = {}, ageMs = 0] of cases)
    test(`is ${phase}, Ready ${ready}: ${why}`, () => {
      const report = reportOf(reported, more, ageMs);
      const [findings, message] = shown(report);
      assert.equal(report.facts.phase, phase);
      assert.equal(findings[0], `Ready=${ready}`);
      assert.match(message, says);
      assert.match(message, /[.]$/);
    });

  test('has all parts of a running machine', () => {
    const instance = { phase: 'Running', nodeName: 'node-1', interfaces: [{ name: 'default', ipAddress: '10.0.0.4' }] };
    const networks = [{ name: 'default', model: 'virtio', macAddress: '02:00:00:00:00:01' }] as const;
    const report = reportOf({ ...running, instance }, { networks, kubevirtConfigRef: 'east' });
    assert.deepEqual(report.facts, {
      phase: 'Running',
      vmName: 'vm-web',
      vmiName: 'vm-web',
      ipAddresses: ['10.0.0.4'],
      addresses: '10.0.0.4',
      nodeName: 'node-1',
      kubevirtConfigRef: 'east',
    });
    assert.deepEqual(shown(report)[0], [
      'Ready=True:Running',
      'VirtualMachineReady=True:VMCreated',
      'StorageReady=True:PVCBound',
      'NetworkReady=True:NetworkConfigured',
    ]);
  });

  test('forgets the instance with it', () => {
    assert.deepEqual(reportOf({ ...ran, status: 'Stopped' }).facts, { phase: 'Stopped', vmName: 'vm-web' });
  });

  test('does not take a foreign instance for its own', () => {
    const machine = machineOf({ ...running, strategy: 'RerunOnFailure', instanceMetadata: { ownerReferences: [] } });
    assert.equal(machineStatus(viewOf(machine, {}, 0)).facts.vmiName, undefined);
  });

  test('says that a restart is needed, and that it runs all the same', () => {
    const reported: Reported = { ...running, conditions: [['RestartRequired', 'True', 'RestartRequired', 'a field']] };
    assert.deepEqual(shown(reportOf(reported))[0], [
      'Ready=True:Running',
      'VirtualMachineReady=True:VMCreated',
      'StorageReady=True:PVCBound',
      'RestartRequired=True:RestartRequired',
    ]);
    assert.ok(!shown(reportOf(reported, { running: false }))[0].includes('RestartRequired=True:RestartRequired'));
  });
});

suite('a problem of a Machine', () => {
  const cases: readonly (readonly [
    reason: MachineProblem['reason'],
    phase: MachinePhase,
    parts: readonly string[],
    part?: string,
  ])[] = [
    ['TemplateNotFound', 'Failed', ['VirtualMachineReady=False:VMFailed', 'StorageReady=False:PVCPending']],
    ['InvalidSpec', 'Failed', ['VirtualMachineReady=False:VMFailed', 'StorageReady=False:PVCPending']],
    ['KubeVirtApiError', 'Pending', ['VirtualMachineReady=False:VMFailed', 'StorageReady=False:PVCPending']],
    ['StorageClassNotFound', 'Pending', ['VirtualMachineReady=False:VMPending', 'StorageReady=False:PVCPending']],
    [
      'NetworkConfigurationNotFound',
      'Pending',
      ['VirtualMachineReady=False:VMPending', 'StorageReady=False:PVCPending', 'NetworkReady=False:NetworkFailed'],
    ],
    ['NameConflict', 'Failed', ['VirtualMachineReady=False:VMPending', 'StorageReady=False:PVCPending'], 'storage'],
    [
      'NameConflict',
      'Failed',
      ['VirtualMachineReady=False:VMFailed', 'StorageReady=False:PVCPending'],
      'virtual machine',
    ],
  ];
  for (const [reason, phase, parts, part] of cases)
    test(`is reported by Ready and by the part that it befalls: ${reason} ${part ?? ''}`, () => {
      const problem = { reason, message: 'Mend it.', ...defined({ part }) };
      const report = machineStatus({ ...base, disks: [{ name: 'root' }], problem });
      const [findings, message] = shown(report);
      assert.deepEqual(findings, [`Ready=False:${reason}`, ...parts]);
      assert.equal(message, 'Mend it.');
      assert.deepEqual(report.facts, { phase });
    });

  test('leaves a machine that runs what it is', () => {
    const problem: MachineProblem = { reason: 'InvalidSpec', message: 'Mend it.' };
    const report = reportOf(running, { problem });
    assert.equal(report.facts.phase, 'Running');
    assert.deepEqual(shown(report)[0], [
      'Ready=False:InvalidSpec',
      'VirtualMachineReady=True:VMCreated',
      'StorageReady=True:PVCBound',
    ]);
  });

  test('shows where the cluster has refused a change of a machine that runs', () => {
    const refusals: readonly PlacedProblem[] = [
      { reason: 'KubeVirtApiError', message: 'Mend it.' },
      { reason: 'InvalidSpec', message: 'Mend it.', part: 'virtual machine' },
    ];
    for (const problem of refusals)
      assert.equal(shown(reportOf(running, { problem }))[0][1], 'VirtualMachineReady=False:VMFailed');
  });

  test('leaves open what disks there are where the spec cannot be understood', () => {
    const report = machineStatus({ ...base, disks: [], problem: { reason: 'InvalidSpec', message: 'Mend it.' } });
    assert.equal(shown(report)[0][2], 'StorageReady=Unknown:PVCPending');
  });
});

test('a Machine of which nothing is there yet is being made', () => {
  const report = machineStatus({ ...base, disks: [{ name: 'root' }] });
  assert.deepEqual(report.facts, { phase: 'Creating' });
  assert.deepEqual(shown(report)[0], [
    'Ready=False:Creating',
    'VirtualMachineReady=False:VMPending',
    'StorageReady=False:PVCPending',
  ]);
});

suite('a disk', () => {
  const classes = [{ name: 'lazy', waitsForConsumer: true }] as const;
  const claim = { spec: { storageClassName: 'lazy' }, status: { phase: 'Pending' } };
  const cases: readonly (readonly [disk: DiskState, storage: string, says: RegExp])[] = [
    [diskState('root', {}, classes), 'False:PVCPending', /"root" is not made yet/],
    [diskState('root', { claim }, classes), 'False:PVCPending', /bound when the machine first starts/],
    [
      diskState('root', { claim }, []),
      'False:PVCPending',
      /its claim is Pending\. If it stays so, verify that its StorageClass/,
    ],
    [diskState('root', { claim: {} }, []), 'False:PVCPending', /its claim is Pending/],
    [{ name: 'root', phase: 'Lost' }, 'False:PVCPending', /is gone: its data are lost/],
    [
      { name: 'root', phase: 'Bound', dataVolume: { name: 'a', phase: 'CloneInProgress' } },
      'False:PVCPending',
      /CloneInProgress/,
    ],
    [
      { name: 'root', phase: 'Pending', dataVolume: { name: 'a', phase: 'WaitForFirstConsumer' } },
      'False:PVCPending',
      /first starts/,
    ],
    [{ name: 'root', phase: 'Bound', dataVolume: { name: 'a', phase: 'Succeeded' } }, 'True:PVCBound', /disk is there/],
    [
      diskState('root', { claim: { metadata: { deletionTimestamp: 'now' }, status: { phase: 'Bound' } } }, []),
      'True:PVCBound',
      /^Its disk is there\. The claim of the disk "root" was deleted: back up its data/,
    ],
  ];
  for (const [disk, storage, says] of cases)
    test(`${JSON.stringify(disk)} is StorageReady ${storage}`, () => {
      const found = machineStatus({ ...base, disks: [disk] }).findings.find(({ type }) => type === 'StorageReady');
      assert.equal(`${found?.status}:${found?.reason}`, storage);
      assert.match(found?.message ?? '', says);
    });
});
