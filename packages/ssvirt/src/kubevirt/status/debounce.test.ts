import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineOf, type Reported } from './machines.fixture.ts';
import { observeMachine } from './observe.ts';

interface Row extends Reported {
  readonly why: string;
  readonly before: string;
  readonly patienceMs: number;
}

const refused = ['Failure', 'True', 'FailedCreate', 'Failure while starting VMI: no'] as const;
const refusedDisk = ['Failure', 'True', 'FailedCreate', 'Error encountered while creating DataVolumes: no'] as const;

const rows: readonly Row[] = [
  {
    why: 'an import that fails',
    status: 'DataVolumeError',
    disk: { phase: 'ImportInProgress' },
    before: 'POWERING_ON',
    patienceMs: 30_000,
  },
  {
    why: 'the import of a machine that is off',
    strategy: 'Halted',
    status: 'DataVolumeError',
    before: 'POWERED_OFF',
    patienceMs: 30_000,
  },
  { why: 'a missing claim', status: 'ErrorPvcNotFound', before: 'POWERING_ON', patienceMs: 60_000 },
  { why: 'an image that cannot be pulled', status: 'ErrImagePull', before: 'POWERING_ON', patienceMs: 60_000 },
  { why: 'no room', status: 'ErrorUnschedulable', before: 'POWERING_ON', patienceMs: 300_000 },
  {
    why: 'no room, before the disk is filled',
    status: 'ErrorUnschedulable',
    disk: { phase: 'PendingPopulation' },
    before: 'POWERING_ON',
    patienceMs: 300_000,
  },
  {
    why: 'a refusal while Stopped',
    status: 'Stopped',
    conditions: [refused],
    before: 'POWERING_ON',
    patienceMs: 60_000,
  },
  {
    why: 'a refusal while Provisioning',
    status: 'Provisioning',
    conditions: [refused],
    before: 'POWERING_ON',
    patienceMs: 60_000,
  },
  {
    why: 'a refusal while Starting',
    status: 'Starting',
    conditions: [refused],
    before: 'POWERING_ON',
    patienceMs: 60_000,
  },
  {
    why: 'a refused disk of a machine that is off',
    strategy: 'Halted',
    status: 'Stopped',
    conditions: [refusedDisk],
    before: 'POWERED_OFF',
    patienceMs: 60_000,
  },
  {
    why: 'a refused pod',
    status: 'Starting',
    instance: { phase: 'Pending', conditions: [['Synchronized', 'False', 'FailedCreate', 'no']] },
    before: 'POWERING_ON',
    patienceMs: 60_000,
  },
  {
    why: 'storage that cannot be asked for',
    status: 'Provisioning',
    disk: { conditions: [['Bound', 'Unknown', 'ErrClaimNotValid', 'no']] },
    before: 'POWERING_ON',
    patienceMs: 60_000,
  },
  {
    why: 'a name that is taken',
    status: 'Stopped',
    instance: { phase: 'Running' },
    instanceMetadata: { ownerReferences: [] },
    before: 'POWERING_ON',
    patienceMs: 60_000,
  },
];

for (const { why, before, patienceMs, ...told } of rows)
  test(`${why} becomes a failure after ${patienceMs / 1000} s, and not before`, () => {
    const machine = machineOf(told);
    const asked: string[] = [];
    const young = observeMachine(machine, (trouble) => {
      asked.push(trouble);
      return patienceMs - 1;
    });
    assert.deepEqual([young.status, young.debouncing, young.recheckAfterMs, asked], [before, true, 1, [young.trouble]]);
    const fresh = observeMachine(machine, () => 0);
    assert.deepEqual([fresh.status, fresh.recheckAfterMs], [before, patienceMs]);
    const old = observeMachine(machine, () => patienceMs);
    assert.deepEqual([old.status, old.debouncing, old.recheckAfterMs], ['FAILED', false, undefined]);
    assert.deepEqual([old.trouble, old.fault, old.faultReason], [young.trouble, young.fault, young.faultReason]);
    assert.ok(young.fault !== undefined, 'the tenant is told at once');
  });

interface Calm extends Reported {
  readonly why: string;
  readonly now: string;
}

const atOnce: readonly Calm[] = [
  { why: 'a DataVolume that has failed for good', status: 'DataVolumeError', disk: { phase: 'Failed' }, now: 'FAILED' },
  { why: 'an image that is backed off from', status: 'ImagePullBackOff', now: 'FAILED' },
  {
    why: 'a crash loop',
    status: 'CrashLoopBackOff',
    more: { startFailure: { consecutiveFailCount: 1 } },
    now: 'FAILED',
  },
];
for (const { why, now, ...told } of atOnce)
  test(`${why} is a failure at once`, () => {
    const { status, debouncing } = observeMachine(machineOf(told), () => 0);
    assert.deepEqual([status, debouncing], [now, false]);
  });

const never: readonly Calm[] = [
  {
    why: 'a machine that is off and could not be started',
    strategy: 'Halted',
    status: 'Stopped',
    conditions: [refused],
    now: 'POWERED_OFF',
  },
  {
    why: 'a pod that waits for its disk to be filled',
    status: 'ErrorUnschedulable',
    disk: { phase: 'ImportInProgress' },
    now: 'POWERING_ON',
  },
  {
    why: 'an import that is tried again',
    status: 'Provisioning',
    disk: { phase: 'ImportInProgress', restartCount: 3 },
    now: 'POWERING_ON',
  },
  {
    why: 'a start that is tried again',
    status: 'Starting',
    more: { startFailure: { consecutiveFailCount: 3 } },
    now: 'POWERING_ON',
  },
  {
    why: 'a change of a running machine that failed',
    status: 'Running',
    conditions: [['Failure', 'True', 'HotPlugVolumeError', 'no']],
    now: 'POWERED_ON',
  },
  {
    why: 'a predecessor that is being deleted',
    status: 'Stopped',
    instance: { phase: 'Running' },
    instanceMetadata: { ownerReferences: [], deletionTimestamp: 'now' },
    now: 'POWERING_ON',
  },
  {
    why: 'a refused pod of an instance that has ended',
    status: 'Starting',
    instance: { phase: 'Failed', conditions: [['Synchronized', 'False', 'FailedCreate', 'no']] },
    now: 'POWERING_ON',
  },
];
for (const { why, now, ...told } of never)
  test(`${why} is no failure, however long it lasts`, () => {
    const { status, debouncing, recheckAfterMs } = observeMachine(machineOf(told), () => Number.MAX_SAFE_INTEGER);
    assert.deepEqual([status, debouncing, recheckAfterMs], [now, false, undefined]);
  });

test('an import that flaps is one trouble, so that its errors count from the first', () => {
  const [fails, again] = [
    machineOf({
      status: 'DataVolumeError',
      disk: { phase: 'ImportInProgress', restartCount: 1, conditions: [['Running', 'False', 'Error', 'no']] },
    }),
    machineOf({ status: 'Provisioning', disk: { phase: 'ImportInProgress', restartCount: 1 } }),
  ].map((machine) => observeMachine(machine, () => 0));
  assert.equal(fails?.trouble, 'DataVolumeError');
  assert.equal(again?.trouble, fails?.trouble);
});

test('the time for which a pod waits for its disk does not count against it afterwards', () => {
  const waits = machineOf({ status: 'ErrorUnschedulable', disk: { phase: 'ImportInProgress' } });
  assert.equal(observeMachine(waits, () => 0).trouble, undefined);
});

test('a pull that flaps is one trouble', () => {
  const words = ['ErrImagePull', 'ImagePullBackOff'].map(
    (status) => observeMachine(machineOf({ status }), () => 0).trouble,
  );
  assert.deepEqual(words, ['ImagePull', 'ImagePull']);
});

test('a clock that went back makes no trouble younger than new', () => {
  assert.equal(observeMachine(machineOf({ status: 'ErrImagePull' }), () => -5000).recheckAfterMs, 60_000);
});
