import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateInstanceFacts } from '../facts/template-instance.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import { observeMachine, type MachineObservation } from './observe.ts';
import { observeTemplateInstance } from './template-instance.ts';

const vm: VmFacts = {
  uid: 'vm-uid',
  generation: 1,
  printableStatus: 'Running',
  runStrategy: 'Always',
  dataVolumes: [],
  cpuCount: 1,
  memoryMb: 512,
  os: 'fedora',
  hostName: 'web',
  disks: [{ name: 'root' }],
};
const vmi: VmiFacts = {
  uid: 'vmi-uid',
  vmUid: 'vm-uid',
  phase: 'Running',
  ran: true,
  node: 'node01',
  ipAddresses: ['10.0.0.1'],
  guestOs: 'Fedora Linux 40',
  hostName: 'www',
  cpuCount: 2,
  memoryMb: 1024,
  disks: [{ name: 'root', bytes: 5 }],
};
const fromSpecification: MachineObservation = {
  status: 'POWERED_ON',
  debouncing: false,
  busy: false,
  restartRequired: false,
  cpuCount: 1,
  memoryMb: 512,
  guestOs: 'fedora',
  ipAddresses: [],
  hostName: 'web',
  disks: [{ name: 'root' }],
};

test('a machine that runs has what its instance has', () => {
  assert.deepEqual(
    observeMachine({ vm: { ...vm, restartRequired: true }, vmi, dataVolumes: [] }, () => 0),
    {
      status: 'POWERED_ON',
      debouncing: false,
      busy: false,
      restartRequired: true,
      cpuCount: 2,
      memoryMb: 1024,
      guestOs: 'Fedora Linux 40',
      ipAddresses: ['10.0.0.1'],
      node: 'node01',
      hostName: 'www',
      disks: [{ name: 'root', bytes: 5 }],
    },
  );
});

test('an instance that belongs to another machine, to a predecessor, or to none says nothing', () => {
  const { vmUid: _, ...orphan } = vmi;
  for (const foreign of [{ ...vmi, vmUid: 'another' }, orphan])
    assert.deepEqual(
      observeMachine({ vm, vmi: foreign, dataVolumes: [] }, () => 0),
      fromSpecification,
    );
});

test('an instance that has ended has no address and no node any more', () => {
  for (const phase of ['Succeeded', 'Failed'])
    assert.deepEqual(
      observeMachine({ vm, vmi: { ...vmi, phase }, dataVolumes: [] }, () => 0),
      fromSpecification,
    );
});

test('a DataVolume that the machine does not refer to is none of its troubles', () => {
  const failing: VmFacts = { ...vm, printableStatus: 'DataVolumeError', dataVolumes: ['mine'] };
  const seen = observeMachine({ vm: failing, dataVolumes: [{ name: 'other', phase: 'Failed' }] }, () => 0);
  assert.deepEqual([seen.status, seen.fault], ['POWERING_ON', 'One of its disks could not be filled.']);
});

const instances: readonly (readonly [string, object[], object])[] = [
  ['that has just come', [], { creation: 'running' }],
  ['that waits', [{ type: 'Ready', status: 'False', reason: 'Waiting' }], { creation: 'running' }],
  ['that is done', [{ type: 'Ready', status: 'True', reason: 'Created' }], { creation: 'done' }],
  [
    'that failed',
    [
      { type: 'Ready', status: 'False', reason: 'Failed' },
      {
        type: 'InstantiateFailure',
        status: 'True',
        reason: 'Failed',
        message: 'unable to create VirtualMachine, Name=x: already exists',
      },
    ],
    {
      creation: 'failed',
      fault: 'It could not be created from its template: unable to create VirtualMachine, Name=x: already exists.',
    },
  ],
  [
    'that a quota refused',
    [
      {
        type: 'InstantiateFailure',
        status: 'True',
        message:
          'virtualmachines.kubevirt.io "x" is forbidden: exceeded quota: q, requested: count/virtualmachines.kubevirt.io=1, used: count/virtualmachines.kubevirt.io=2, limited: count/virtualmachines.kubevirt.io=2',
      },
    ],
    {
      creation: 'failed',
      fault:
        'The quota "q" of its virtual data center has no room for it (machines: needs 1, 2 of 2 in use): free some of it, or ask for more.',
    },
  ],
];
for (const [why, conditions, expected] of instances)
  test(`the creation of a TemplateInstance ${why}`, () => {
    assert.deepEqual(observeTemplateInstance(templateInstanceFacts({ status: { conditions } })), expected);
  });
