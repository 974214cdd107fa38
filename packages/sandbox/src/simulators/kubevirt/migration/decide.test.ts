/** The transitions between phases, and the reasons for failure. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NOW, vmiOf } from '../vmi/builders.fixture.ts';
import { launcherOf, migrationOf, runningOn, sceneOf, stateWith, up } from './builders.fixture.ts';
import { decide, type MigrationScene } from './decide.ts';
import { ABORT_REQUESTED, REJECTED_BY_QUOTA } from './names.ts';

const doomed = { deletionTimestamp: NOW };
const waiting = launcherOf({ phase: 'Pending' });
const running = launcherOf(up);
const started = stateWith({ targetNodeAddress: '192.0.2.12', startTimestamp: NOW });

interface Case {
  readonly name: string;
  readonly scene: Partial<MigrationScene>;
  readonly phase: string;
  readonly says?: string;
  readonly conditions?: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'a new one waits for its turn', scene: {}, phase: 'Pending' },
  {
    name: 'a new one fails while another is under way',
    scene: { isTaken: true },
    phase: 'Failed',
    says: 'VMI is not eligible for migration because another migration job is in progress.',
  },
  {
    name: 'it waits as long as it has no target',
    scene: { migration: migrationOf({ phase: 'Pending' }) },
    phase: 'Pending',
  },
  {
    name: 'it says that a quota is in its way',
    scene: { migration: migrationOf({ phase: 'Pending' }), error: 'pods "x" is forbidden: exceeded quota: q' },
    phase: 'Pending',
    conditions: [REJECTED_BY_QUOTA],
  },
  {
    name: 'a target is there',
    scene: { migration: migrationOf({ phase: 'Pending' }), target: waiting },
    phase: 'Scheduling',
  },
  {
    name: 'volumes that were plugged have to come too',
    scene: { migration: migrationOf({ phase: 'Pending' }), target: running, needsAttachment: true },
    phase: 'Pending',
  },
  {
    name: 'a target is up',
    scene: { migration: migrationOf({ phase: 'Scheduling' }), target: running },
    phase: 'Scheduled',
  },
  {
    name: 'the VMI knows its target',
    scene: { migration: migrationOf({ phase: 'Scheduled' }), target: running, vmi: runningOn('node01', stateWith()) },
    phase: 'PreparingTarget',
  },
  {
    name: 'the target waits for the guest',
    scene: {
      migration: migrationOf({ phase: 'PreparingTarget' }),
      target: running,
      vmi: runningOn('node01', stateWith({ targetNodeAddress: '192.0.2.12' })),
    },
    phase: 'TargetReady',
  },
  {
    name: 'the guest is on the way',
    scene: { migration: migrationOf({ phase: 'TargetReady' }), target: running, vmi: runningOn('node01', started) },
    phase: 'Running',
  },
  {
    name: 'the guest has arrived',
    scene: {
      migration: migrationOf({ phase: 'Running' }),
      target: running,
      vmi: runningOn('node02', { ...started, endTimestamp: NOW, completed: true }),
    },
    phase: 'Succeeded',
    says: 'Source node reported migration succeeded',
  },
  {
    name: 'it failed on the way',
    scene: {
      migration: migrationOf({ phase: 'Running' }),
      target: running,
      vmi: runningOn('node01', { ...started, endTimestamp: NOW, completed: true, failed: true }),
    },
    phase: 'Failed',
    says: 'source node reported migration failed',
  },
  {
    name: 'it failed on the way, and the target pod with it',
    scene: {
      migration: migrationOf({ phase: 'Running' }),
      target: launcherOf({ phase: 'Failed' }),
      vmi: runningOn('node01', { ...started, endTimestamp: NOW, completed: true, failed: true }),
    },
    phase: 'Failed',
    says: 'source node reported migration failed',
  },
  {
    name: 'the target pod failed',
    scene: { migration: migrationOf({ phase: 'Scheduling' }), target: launcherOf({ phase: 'Failed' }) },
    phase: 'Failed',
    says: 'Migration failed because target pod shutdown during migration',
  },
  {
    name: 'the target pod is gone',
    scene: { migration: migrationOf({ phase: 'Scheduling' }) },
    phase: 'Failed',
    says: 'Migration target pod was removed during active migration.',
  },
  {
    name: 'the guest ended',
    scene: { migration: migrationOf({ phase: 'Running' }), vmi: vmiOf({ status: { phase: 'Succeeded' } }) },
    phase: 'Failed',
    says: 'Migration failed vmi shutdown during migration.',
  },
  {
    name: 'the VMI forgot about it',
    scene: { migration: migrationOf({ phase: 'TargetReady' }), target: running },
    phase: 'Failed',
    says: "VMI's migration state was cleared during the active migration.",
  },
  {
    name: 'another one took the VMI over',
    scene: {
      migration: migrationOf({ phase: 'TargetReady' }),
      target: running,
      vmi: runningOn('node01', stateWith({ migrationUid: 'other' })),
    },
    phase: 'Failed',
    says: "VMI's migration state was taken over by another migration job during active migration.",
  },
  {
    name: 'it was cancelled before virt-handler knew of it',
    scene: { migration: migrationOf({ phase: 'Scheduling', metadata: doomed }), target: waiting },
    phase: 'Failed',
    says: 'Migration failed due to being canceled',
    conditions: [ABORT_REQUESTED],
  },
  {
    name: 'virt-handler has to be asked to cancel it',
    scene: {
      migration: migrationOf({ phase: 'Running', metadata: doomed }),
      target: running,
      vmi: runningOn('node01', started),
    },
    phase: 'Running',
    conditions: [ABORT_REQUESTED],
  },
];

suite('what becomes of a migration', () => {
  for (const { name, scene, phase, says, conditions = [] } of cases)
    test(name, () => {
      const { status, events } = decide(sceneOf(scene));
      assert.equal(status.phase, phase);
      assert.deepEqual(
        events.map(({ message }) => message),
        says === undefined ? [] : [says],
      );
      assert.deepEqual(
        (status.conditions ?? []).map(({ type }) => type),
        conditions,
      );
    });

  test('each phase is written down once, with its time', () => {
    const known = [{ phase: 'Pending', phaseTransitionTimestamp: '2025-12-31T00:00:00Z' }];
    const migration = migrationOf({ phase: 'Pending', status: { phaseTransitionTimestamps: known } });
    const { status } = decide(sceneOf({ migration, target: waiting }));
    assert.deepEqual(status['phaseTransitionTimestamps'], [
      ...known,
      { phase: 'Scheduling', phaseTransitionTimestamp: NOW },
    ]);
  });

  test('what waits knows the pod that it comes from', () => {
    const { status } = decide(sceneOf({ source: launcherOf(up, { name: 'virt-launcher-vm1-a' }) }));
    assert.deepEqual(status['migrationState'], { sourcePod: 'virt-launcher-vm1-a' });
  });

  test('the target learns since when the guest is ready in it', () => {
    const vmi = runningOn('node01', { ...started, targetNodeDomainReadyTimestamp: NOW });
    const migration = migrationOf({ phase: 'Running' });
    assert.equal(decide(sceneOf({ migration, vmi, target: running })).targetReadySince, NOW);
    const told = launcherOf(up, { annotations: { 'kubevirt.io/migration-target-ready-timestamp': 'then' } });
    assert.equal(decide(sceneOf({ migration, vmi, target: told })).targetReadySince, undefined);
  });

  test('what is over keeps what the VMI said last, and may go', () => {
    const state = { ...started, endTimestamp: NOW, completed: true };
    const scene = sceneOf({ migration: migrationOf({ phase: 'Succeeded' }), vmi: runningOn('node02', state) });
    const { status, finalizers, events } = decide(scene);
    assert.deepEqual([status['migrationState'], finalizers, events], [state, [], []]);
  });

  test('a change of CPUs that has not arrived keeps it from being over', () => {
    const condition = { type: 'HotVCPUChange', status: 'True' } as const;
    const { status, ...vmi } = runningOn('node02', { ...started, completed: true });
    const changing = { ...vmi, status: { ...status, conditions: [condition] } };
    const scene = sceneOf({ migration: migrationOf({ phase: 'Running' }), target: running, vmi: changing });
    assert.equal(decide(scene).status.phase, 'Running');
  });
});
