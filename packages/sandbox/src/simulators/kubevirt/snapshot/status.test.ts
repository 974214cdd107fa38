/** The status of a snapshot while it is taken, and afterwards. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PersistentVolumeClaim, VirtualMachine } from '../objects.ts';
import { NOW, vmiOf } from '../vmi/builders.fixture.ts';
import { finalizers, type VirtualMachineSnapshot } from './kinds.ts';
import { contentOf, indicationsOf, obstacleTo } from './source.ts';
import { deadlineMs, snapshotStatus, type SnapshotScene } from './status.ts';

const snapshot: VirtualMachineSnapshot = {
  metadata: { name: 'snap1', namespace: 'ns1', uid: 'snap-uid' },
  spec: { source: { kind: 'VirtualMachine', name: 'vm1' } },
};

const vm: VirtualMachine = {
  metadata: { name: 'vm1', namespace: 'ns1', uid: 'vm-uid' },
  spec: {
    runStrategy: 'Halted',
    template: { spec: { domain: {}, volumes: [{ name: 'root', dataVolume: { name: 'disk1' } }] } },
  },
};

const locked: VirtualMachine = {
  ...vm,
  metadata: { ...vm.metadata, finalizers: [finalizers.source] },
  status: { snapshotInProgress: 'snap1' },
};

const taken = { ...contentOf(snapshot, vm), status: { creationTime: NOW, readyToUse: true } };

const scene = (parts: Partial<SnapshotScene>): SnapshotScene => ({
  snapshot,
  vm,
  vmi: undefined,
  content: undefined,
  obstacle: undefined,
  isLate: false,
  now: NOW,
  ...parts,
});

suite('a snapshot', () => {
  const begun = { ...snapshot, status: { phase: 'InProgress', readyToUse: false } } as const;
  const cases: readonly (readonly [name: string, parts: Partial<SnapshotScene>, said: string])[] = [
    ['waits for its VM', { vm: undefined }, 'InProgress Progressing=False/Source does not exist Ready=False/Not ready'],
    ['locks its VM first', {}, 'InProgress Progressing=False/Source not locked Ready=False/Not ready'],
    [
      'says what keeps it from that',
      { obstacle: ' snapshot "other" in progress' },
      'InProgress Progressing=False/Source not locked snapshot "other" in progress Ready=False/Not ready',
    ],
    [
      'is under way',
      { vm: locked },
      'InProgress Progressing=True/Source locked and operation in progress Ready=False/Not ready',
    ],
    [
      'is complete',
      { snapshot: begun, vm: locked, content: taken },
      'Succeeded Progressing=False/Operation complete Ready=True/Ready',
    ],
    [
      'may take so long only',
      { snapshot: begun, isLate: true },
      'Failed Failure=True/snapshot deadline exceeded Progressing=False/Operation failed Ready=False/Not ready',
    ],
    [
      'is deleted before it is complete',
      { snapshot: { ...begun, metadata: { ...snapshot.metadata, deletionTimestamp: NOW } } },
      'Deleting Progressing=False/VM snapshot is deleting Ready=False/Not ready',
    ],
  ];
  for (const [name, parts, said] of cases)
    test(name, () => {
      const { phase = '', conditions = [] } = snapshotStatus(scene(parts));
      const shown = conditions.map(({ type, status, reason = '' }) => `${type}=${status}/${reason}`);
      assert.equal([phase, ...shown].join(' '), said);
    });

  test('that is complete says what it holds, and what it does not', () => {
    const status = snapshotStatus(scene({ snapshot: begun, vm: locked, content: taken }));
    assert.deepEqual(
      [status.creationTime, status.readyToUse, status.sourceUID, status.virtualMachineSnapshotContentName],
      [NOW, true, 'vm-uid', 'vmsnapshot-content-snap-uid'],
    );
    assert.deepEqual(status['snapshotVolumes'], { excludedVolumes: ['root'] });
  });

  const deadlines: readonly (readonly [text: string | undefined, ms: number | undefined])[] = [
    [undefined, 300_000],
    ['1h1m1.5s', 3_661_500],
    ['0s', undefined],
    ['soon', undefined],
    ['999999999999h', undefined],
    ['9'.repeat(1_000_000), undefined],
  ];
  for (const [text, ms] of deadlines)
    test(`with the deadline ${text?.slice(0, 20) ?? 'that all have'}`, () => {
      const spec = { ...snapshot.spec, ...(text === undefined ? {} : { failureDeadline: text }) };
      assert.equal(deadlineMs({ ...snapshot, spec }), ms);
    });
});

suite('the VM that is taken', () => {
  const claim = (phase: 'Bound' | 'Pending'): PersistentVolumeClaim => ({
    metadata: { name: 'disk1' },
    spec: {},
    status: { phase },
  });

  test('has its volumes', () => {
    assert.equal(
      obstacleTo(vm, snapshot, () => claim('Bound')),
      undefined,
    );
    assert.equal(
      obstacleTo(vm, snapshot, () => claim('Pending')),
      ' source ns1/vm1 volume not bound: disk1',
    );
    assert.equal(
      obstacleTo(vm, snapshot, () => undefined),
      ' source ns1/vm1 volume doesnt exist: disk1',
    );
  });

  test('is taken once at a time', () => {
    const busy = { ...vm, status: { snapshotInProgress: 'other' } };
    assert.equal(
      obstacleTo(busy, snapshot, () => claim('Bound')),
      ' snapshot "other" in progress',
    );
  });

  test('may run meanwhile, with an agent or without', () => {
    const running = (type?: string): readonly string[] | undefined =>
      indicationsOf(
        vmiOf({
          status: { phase: 'Running', ...(type === undefined ? {} : { conditions: [{ type, status: 'True' }] }) },
        }),
      )?.indications;
    assert.deepEqual(running(), ['NoGuestAgent', 'Online']);
    assert.deepEqual(running('AgentConnected'), ['GuestAgent', 'Online']);
    assert.deepEqual(running('Paused'), ['Online', 'Paused']);
    assert.equal(indicationsOf(undefined), undefined);
  });
});
