/** The pauses of migrations, and the VMIs that an evacuation selects. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { NOW, vmiOf } from '../vmi/builders.fixture.ts';
import { launcherOf, migrationOf } from './builders.fixture.ts';
import { departures, isDrained, isToLeave } from './evacuation.ts';
import { annotations } from './names.ts';
import type { Phase } from './state.ts';
import { pauseOf, pendingPod } from './waiting.ts';

const automatic = { [annotations.evacuation]: 'node01' };

function ended(uid: string, minute: number, phase: Phase): VirtualMachineInstanceMigration {
  const time = `2026-01-01T00:0${minute}:00Z`;
  return migrationOf({
    metadata: { uid, creationTimestamp: time, annotations: automatic },
    phase,
    status: { phaseTransitionTimestamps: [{ phase, phaseTransitionTimestamp: time }] },
  });
}

suite('the pause after migrations that failed', () => {
  const next = ended('next', 9, '');
  const cases: readonly (readonly [name: string, before: readonly VirtualMachineInstanceMigration[], ms: number])[] = [
    ['is none for the first', [], 0],
    ['is 20 s after one', [ended('a', 1, 'Failed')], 20_000],
    ['doubles with each', [ended('a', 1, 'Failed'), ended('b', 2, 'Failed'), ended('c', 3, 'Failed')], 80_000],
    ['ends with one that succeeded', [ended('a', 1, 'Failed'), ended('b', 2, 'Succeeded')], 0],
    ['counts from there', [ended('a', 1, 'Failed'), ended('b', 2, 'Succeeded'), ended('c', 3, 'Failed')], 20_000],
  ];
  for (const [name, before, ms] of cases)
    test(name, () => {
      const pause = pauseOf(next, [next, ...before]);
      assert.equal(pause?.ms ?? 0, ms);
      if (ms > 0) assert.equal(pause?.since, Date.parse(`2026-01-01T00:0${before.length}:00Z`));
    });

  test('is not for what people ask for', () => {
    const asked = migrationOf({ metadata: { uid: 'asked', creationTimestamp: '2026-01-01T00:09:00Z' } });
    assert.equal(pauseOf(asked, [asked, ended('a', 1, 'Failed')]), undefined);
  });
});

suite('a target pod that does not come up', () => {
  const unschedulable = launcherOf({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
  });

  test('is given up after 15 minutes', () =>
    assert.deepEqual(pendingPod(migrationOf(), launcherOf({ phase: 'Pending' })), {
      unschedulable: false,
      timeoutMs: 900_000,
      givenUp: 'pending pod ns1/virt-launcher-vm1-b timeout period exceeded',
    }));

  test('is given up after 5 minutes where no node fits', () =>
    assert.deepEqual(pendingPod(migrationOf(), unschedulable), {
      unschedulable: true,
      timeoutMs: 300_000,
      givenUp: 'unschedulable pod ns1/virt-launcher-vm1-b timeout period exceeded',
    }));

  test('is given up when the migration says so', () => {
    const told = migrationOf({ metadata: { annotations: { [annotations.unschedulableTimeout]: '7' } } });
    assert.equal(pendingPod(told, unschedulable)?.timeoutMs, 7000);
    const junk = migrationOf({ metadata: { annotations: { [annotations.unschedulableTimeout]: '9'.repeat(400) } } });
    assert.equal(pendingPod(junk, unschedulable)?.timeoutMs, 300_000);
  });

  test('is not what runs, or goes', () => {
    assert.equal(pendingPod(migrationOf(), launcherOf({ phase: 'Running' })), undefined);
    assert.equal(pendingPod(migrationOf(), launcherOf({ phase: 'Pending' }, { deletionTimestamp: NOW })), undefined);
  });
});

suite('an evacuation', () => {
  const guest = (
    name: string,
    evictionStrategy: string | undefined,
    status: 'True' | 'False',
  ): VirtualMachineInstance =>
    vmiOf({
      metadata: { name, uid: name },
      status: { phase: 'Running', conditions: [{ type: 'LiveMigratable', status }] },
      spec: evictionStrategy === undefined ? {} : { evictionStrategy },
    });

  test('moves what wants to be moved and can, and tells of what cannot', () => {
    const vmis = [
      guest('moves', 'LiveMigrate', 'True'),
      guest('cannot', 'LiveMigrate', 'False'),
      guest('would', 'LiveMigrateIfPossible', 'True'),
      guest('would-not', 'LiveMigrateIfPossible', 'False'),
      guest('stays', 'None', 'True'),
      guest('external', 'External', 'True'),
      guest('as-the-cluster-says', undefined, 'True'),
      guest('moving', 'LiveMigrate', 'True'),
      guest('just-moved', 'LiveMigrate', 'True'),
    ];
    const { movable, stuck } = departures({
      vmis,
      evictionStrategy: 'LiveMigrate',
      hasMigration: ({ metadata }) => metadata.name === 'moving',
      activePods: ({ metadata }) => (metadata.name === 'just-moved' ? 2 : 1),
    });
    const names = (list: readonly VirtualMachineInstance[]): unknown => list.map(({ metadata }) => metadata.name);
    assert.deepEqual(names(movable), ['moves', 'would', 'as-the-cluster-says']);
    assert.deepEqual(names(stuck), ['cannot']);
  });

  test('is for VMIs that are still where they are to leave', () => {
    const status = { phase: 'Running', nodeName: 'node01' } as const;
    assert.ok(isToLeave(vmiOf({ status: { ...status, evacuationNodeName: 'node01' } })));
    assert.ok(!isToLeave(vmiOf({ status: { ...status, evacuationNodeName: 'node02' } })));
    assert.ok(!isToLeave(vmiOf({ status })));
  });

  test('is for nodes with the taint that says so', () => {
    const node = (key: string, effect: string): object => ({ metadata: {}, spec: { taints: [{ key, effect }] } });
    const drained = (key: string, effect: string): boolean =>
      isDrained(node(key, effect) as never, () => 'kubevirt.io/drain');
    assert.ok(drained('kubevirt.io/drain', 'NoSchedule'));
    assert.ok(!drained('kubevirt.io/drain', 'NoExecute'));
    assert.ok(!drained('node.kubernetes.io/unschedulable', 'NoSchedule'));
  });
});
