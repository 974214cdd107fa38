import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { aClaim, aDataVolume } from './builders.fixture.ts';
import * as name from './names.ts';
import type { Origin } from './origin.ts';
import { phaseOf, type PhaseFacts } from './phase.ts';
import { newsOfChange, statusOf, type StatusFacts } from './status.ts';

const imported: Origin = { kind: 'import', source: 'http', endpoint: 'http://a/b' };
const cloned: Origin = { kind: 'clone', of: 'pvc', namespace: 'golden', name: 'fedora' };
const populator = { [name.USE_POPULATOR]: 'true' };
const legacy = { [name.USE_POPULATOR]: 'false' };
const pod = (phase: string): Record<string, string> => ({ [name.POD_PHASE]: phase });
const node = { 'volume.kubernetes.io/selected-node': 'node01' };

test('the phase follows from the claim and from the pod that fills it', () => {
  const cases: readonly [claim: PersistentVolumeClaim | undefined, phase: string, more?: Partial<PhaseFacts>][] = [
    [undefined, 'Pending'],
    [undefined, 'Succeeded', { before: 'Succeeded' }],
    [aClaim(populator), 'ImportScheduled'],
    [aClaim({ ...populator, ...pod('Pending') }), 'ImportScheduled'],
    [aClaim({ ...populator, ...pod('Running') }), 'ImportInProgress'],
    [aClaim({ ...populator, ...pod('Succeeded') }), 'ImportInProgress'],
    [aClaim({ ...populator, ...pod('Succeeded') }, 'Bound'), 'Succeeded'],
    [aClaim(populator), 'PendingPopulation', { waits: true }],
    [aClaim({ ...populator, ...node }), 'ImportScheduled', { waits: true }],
    [aClaim({ ...populator, [name.BIND_IMMEDIATELY]: '' }), 'ImportScheduled', { waits: true }],
    [aClaim(legacy), 'Pending'],
    [aClaim(legacy), 'WaitForFirstConsumer', { waits: true }],
    [aClaim(legacy, 'Bound'), 'PVCBound', { before: 'Pending' }],
    [aClaim({ ...legacy, ...pod('Pending') }, 'Bound'), 'ImportScheduled'],
    [aClaim({ ...legacy, ...pod('Running') }, 'Bound'), 'ImportInProgress'],
    [aClaim({ ...legacy, ...pod('Succeeded') }, 'Bound'), 'Succeeded'],
    [aClaim({ [name.POPULATED_FOR]: 'disk1' }, 'Bound'), 'Succeeded'],
    [aClaim(populator, 'Lost'), 'Failed'],
    [aClaim(populator), 'CloneScheduled', { origin: cloned }],
    [
      aClaim({ ...populator, ...pod('Running'), [name.CLONE_PHASE]: 'HostClone' }),
      'CloneInProgress',
      { origin: cloned },
    ],
    [
      aClaim({ ...populator, ...pod('Running'), [name.CLONE_PHASE]: 'CSIClone' }),
      'CSICloneInProgress',
      { origin: cloned },
    ],
    [aClaim({ ...legacy, ...pod('Running') }, 'Bound'), 'CloneInProgress', { origin: cloned }],
    [aClaim({ ...populator, ...pod('Pending') }), 'UploadScheduled', { origin: { kind: 'upload' } }],
    [aClaim({ ...populator, ...pod('Running') }), 'UploadReady', { origin: { kind: 'upload' } }],
    [aClaim({}), 'Pending', { origin: { kind: 'external' } }],
    [aClaim({}, 'Bound'), 'Succeeded', { origin: { kind: 'external' } }],
  ];
  for (const [claim, phase, more] of cases) {
    const given: PhaseFacts = { before: '', dataVolume: 'disk1', claim, origin: imported, waits: false, ...more };
    assert.equal(phaseOf(given), phase, JSON.stringify([claim?.metadata.annotations, claim?.status, more]));
  }
});

const now = new Date('2026-11-16T00:00:00.123Z');
const stamps = { lastHeartbeatTime: '2026-11-16T00:00:00Z', lastTransitionTime: '2026-11-16T00:00:00Z' };
const facts = (claim: PersistentVolumeClaim | undefined, more: Partial<StatusFacts> = {}): StatusFacts => ({
  dataVolume: aDataVolume(),
  claim,
  origin: imported,
  waits: false,
  now,
  ...more,
});
const running = {
  ...populator,
  ...pod('Running'),
  [name.RUNNING]: 'true',
  [name.RUNNING_REASON]: 'Pod is running',
  [name.RUNNING_MESSAGE]: '',
  [name.POD_RESTARTS]: '2',
  [name.PROGRESS]: '40.05%',
};

test('the status says what the claim says, in the form that CDI writes', () => {
  assert.deepEqual(statusOf(facts(aClaim(running))), {
    phase: 'ImportInProgress',
    claimName: 'disk1',
    progress: '40.05%',
    restartCount: 2,
    conditions: [
      { ...stamps, message: 'PVC disk1 Pending', reason: 'Pending', status: 'False', type: 'Bound' },
      { ...stamps, reason: 'TransferRunning', status: 'False', type: 'Ready' },
      { ...stamps, reason: 'Pod is running', status: 'True', type: 'Running' },
    ],
  });
});

test('a status that says the same stays the same, and a heartbeat is no transition', () => {
  const first = statusOf(facts(aClaim(running)));
  const dataVolume = aDataVolume({}, { status: first });
  const later = new Date('2026-11-16T00:01:00Z');
  assert.deepEqual(statusOf(facts(aClaim(running), { dataVolume, now: later })), first);
  const failing = { ...running, [name.RUNNING]: 'false', [name.RUNNING_REASON]: 'Error', [name.RUNNING_MESSAGE]: 'no' };
  const failed = statusOf(facts(aClaim(failing), { dataVolume, now: later }));
  const [bound, ready, ran] = failed.conditions ?? [];
  assert.deepEqual(bound, first.conditions?.[0]);
  assert.deepEqual(
    [ready?.lastHeartbeatTime, ready?.lastTransitionTime],
    ['2026-11-16T00:01:00Z', stamps.lastTransitionTime],
  );
  assert.equal(ran?.lastTransitionTime, '2026-11-16T00:01:00Z');
});

test('without a claim it says why, and loses no phase that it should keep', () => {
  const problem = { phase: '', reason: 'ErrClaimNotValid', message: 'no class' };
  const { phase, conditions } = statusOf(facts(undefined, { problem }));
  assert.equal(phase, undefined);
  assert.deepEqual(
    conditions?.map(({ type, status, reason, message }) => [type, status, reason, message]),
    [
      ['Bound', 'False', 'ErrClaimNotValid', 'no class'],
      ['Ready', 'False', 'ErrClaimNotValid', 'no class'],
      ['Running', 'False', undefined, undefined],
    ],
  );
  const quota = { phase: 'Pending', reason: 'ErrExceededQuota', message: 'exceeded quota' };
  assert.equal(statusOf(facts(undefined, { problem: quota })).phase, 'Pending');
});

test('Events report phases, the claim and failures, each once', () => {
  const told = (given: StatusFacts): unknown => newsOfChange(statusOf(given), given);
  assert.deepEqual(told(facts(aClaim(running))), [
    ['Normal', 'ImportInProgress', 'Import into disk1 in progress'],
    ['Normal', 'Pending', 'PVC disk1 Pending'],
  ]);
  const dataVolume = aDataVolume({}, { status: statusOf(facts(aClaim(running))) });
  assert.deepEqual(told(facts(aClaim(running), { dataVolume })), []);
  const failing = { ...running, [name.RUNNING]: 'false', [name.RUNNING_REASON]: 'Error', [name.RUNNING_MESSAGE]: 'no' };
  assert.deepEqual(told(facts(aClaim(failing), { dataVolume })), [['Warning', 'Error', 'no']]);
  const done = {
    ...populator,
    ...pod('Succeeded'),
    [name.RUNNING_MESSAGE]: 'Clone Complete',
    [name.RUNNING_REASON]: 'Completed',
  };
  assert.deepEqual(told(facts(aClaim(done, 'Bound'), { dataVolume, origin: cloned })), [
    ['Normal', 'CloneSucceeded', 'Successfully cloned from golden/fedora into ns1/disk1'],
    ['Normal', 'Bound', 'PVC disk1 Bound'],
  ]);
  assert.deepEqual(told(facts(aClaim(populator, 'Lost'), { dataVolume })), [
    ['Warning', 'ErrClaimLost', 'PVC disk1 lost'],
    ['Normal', 'ClaimLost', 'Claim Lost'],
  ]);
});
