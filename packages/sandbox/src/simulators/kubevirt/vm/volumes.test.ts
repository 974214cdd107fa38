import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VmiSpec, Volume } from '../objects.ts';
import { claim, template, vm, vmi } from './builders.fixture.ts';
import { dataVolumeOf, cloneSourceIn, quotaRefusalOf } from './volumes/data-volume-of.ts';
import { hotplugPatch } from './live/hotplug.ts';
import { dumpRequestAfter, dumpWork, type MemoryDumpRequest } from './memory-dump.ts';
import { volumeSnapshotStatuses } from './volumes/volume-snapshots.ts';

const data: Volume = { name: 'data', persistentVolumeClaim: { claimName: 'p2', hotpluggable: true } };
const scsi = { name: 'data', disk: { bus: 'scsi' } };
const root = { name: 'rootdisk', disk: { bus: 'virtio' } };
const plugged: VmiSpec = template({
  volumes: [...(template().volumes ?? []), data],
  domain: { devices: { disks: [root, scsi] } },
});

suite('volumes of the template on a VMI that runs', () => {
  test('a pluggable volume comes with its disk', () => {
    const values = hotplugPatch(vm({ template: plugged }), vmi('Running')).filter(({ op }) => op !== 'test');
    assert.deepEqual(values, [
      { op: 'replace', path: '/spec/volumes', value: plugged.volumes },
      { op: 'replace', path: '/spec/domain/devices/disks', value: [root, scsi] },
    ]);
  });

  test('one that was taken away goes with its disk', () => {
    const values = hotplugPatch(vm(), vmi('Running', { spec: plugged })).filter(({ op }) => op !== 'test');
    assert.deepEqual(
      values.map(({ value }) => value),
      [template().volumes, [root]],
    );
  });

  test('one that is still being taken away waits before it comes again', () => {
    const leaving = vmi('Running', { status: { volumeStatus: [{ name: 'data' }] } });
    assert.deepEqual(hotplugPatch(vm({ template: plugged }), leaving), []);
  });

  test('nothing is plugged into what does not run, nor where volumes migrate', () => {
    assert.deepEqual(hotplugPatch(vm({ template: plugged }), vmi('Scheduled')), []);
    assert.deepEqual(hotplugPatch(vm({ template: plugged }), undefined), []);
    const migrates = vm({ template: plugged, spec: { updateVolumesStrategy: 'Migration' } });
    assert.deepEqual(hotplugPatch({ ...migrates, spec: { ...migrates.spec } }, vmi('Running')), []);
  });
});

const dump = (phase: MemoryDumpRequest['phase'], more: Partial<MemoryDumpRequest> = {}): MemoryDumpRequest => ({
  claimName: 'dump',
  phase,
  ...more,
});
const volume = { name: 'dump', memoryDump: { claimName: 'dump', hotpluggable: true } };
const mounted = template({ volumes: [volume] });

suite('a memory dump', () => {
  const asked = (request: MemoryDumpRequest, spec = template()) =>
    vm({ status: { memoryDumpRequest: request }, template: spec });

  test('is associated: its claim becomes a volume of VM and VMI', () => {
    assert.deepEqual(dumpWork(asked(dump('Associating')), vmi('Running')), { vmVolume: 'add', vmiVolume: 'add' });
    assert.deepEqual(dumpWork(asked(dump('Associating')), vmi('Scheduled')), {});
    assert.deepEqual(dumpRequestAfter(asked(dump('Associating'), mounted), vmi('Running')), dump('InProgress'));
  });

  test('is taken, unmounted and completed', () => {
    const done = { startTimestamp: 'a', endTimestamp: 'b', targetFileName: 'vm1.dump' };
    const status = { volumeStatus: [{ name: 'dump', phase: 'MemoryDumpCompleted', memoryDumpVolume: done }] };
    const after = dumpRequestAfter(asked(dump('InProgress'), mounted), vmi('Running', { status }));
    assert.deepEqual(after, dump('Unmounting', { startTimestamp: 'a', endTimestamp: 'b', fileName: 'vm1.dump' }));
    const work = dumpWork(asked(dump('Unmounting', { fileName: 'vm1.dump' })), vmi('Running', { spec: mounted }));
    assert.deepEqual(work, { vmiVolume: 'remove', annotation: 'vm1.dump' });
    assert.equal(dumpRequestAfter(asked(dump('Unmounting')), vmi('Running'))?.phase, 'Completed');
  });

  test('is dissociated when it is to be removed, and forgotten when nothing is left of it', () => {
    const removing = dump('InProgress', { remove: true });
    assert.equal(dumpRequestAfter(asked(removing, mounted), vmi('Running'))?.phase, 'Dissociating');
    const work = dumpWork(asked(dump('Dissociating'), mounted), vmi('Running', { spec: mounted }));
    assert.deepEqual(work, { vmVolume: 'remove', vmiVolume: 'remove' });
    assert.equal(dumpRequestAfter(asked(dump('Dissociating')), vmi('Running')), undefined);
  });
});

suite('what can be snapshotted', () => {
  const on = (one: Volume) => vm({ template: template({ volumes: [one] }) });
  const disk: Volume = { name: 'rootdisk', dataVolume: { name: 'disk1' } };
  const storageClass = () => ({ metadata: { name: 'std' }, provisioner: 'driver' });
  const reason = (one: Volume, found: ReturnType<typeof claim> | undefined, classes: readonly string[]) =>
    volumeSnapshotStatuses(on(one), {
      claim: () => found,
      storageClass,
      snapshotClasses: classes.map((driver) => ({ metadata: { name: driver }, driver })),
    });

  test('container disks never', () => {
    assert.deepEqual(reason({ name: 'rootdisk', containerDisk: { image: 'x' } }, undefined, []), [
      {
        name: 'rootdisk',
        enabled: false,
        reason: 'Snapshot is not supported for this volumeSource type [rootdisk]',
      },
    ]);
  });

  test('claims once they are there, and their class has a class for snapshots', () => {
    assert.equal(reason(disk, undefined, [])[0]?.reason, 'PVC not found');
    assert.equal(
      reason(disk, claim('Bound', 'std'), ['other'])[0]?.reason,
      'No VolumeSnapshotClass: Volume snapshots are not configured for this StorageClass [std] [rootdisk]',
    );
    assert.deepEqual(reason(disk, claim('Bound', 'std'), ['driver']), [{ name: 'rootdisk', enabled: true }]);
    assert.equal(
      reason(disk, claim('Bound', 'std'), ['driver', 'driver'])[0]?.reason,
      '2 matching VolumeSnapshotClasses for std',
    );
  });
});

suite('DataVolumes of a VM', () => {
  const from = { metadata: { name: 'disk1', labels: { a: 'b' } }, spec: { sourceRef: {}, storage: {} } };

  test('are owned, labelled, and may adopt a claim', () => {
    const { metadata, spec } = dataVolumeOf(
      vm(),
      { metadata: { name: 'disk1' }, spec: { source: { blank: {} } } },
      undefined,
    );
    assert.deepEqual(metadata.labels, { 'kubevirt.io/created-by': 'vm-uid' });
    assert.deepEqual(metadata.annotations, { 'cdi.kubevirt.io/allowClaimAdoption': 'true' });
    assert.equal(metadata.namespace, 'ns1');
    assert.deepEqual(metadata.ownerReferences?.[0]?.uid, 'vm-uid');
    assert.deepEqual(spec, { source: { blank: {} } });
  });

  test('have the source that their reference means', () => {
    const clone = cloneSourceIn({ pvc: { name: 'golden' } }, 'images');
    assert.deepEqual(dataVolumeOf(vm(), from, clone).spec, {
      storage: {},
      source: { pvc: { namespace: 'images', name: 'golden' } },
    });
    assert.equal(cloneSourceIn({ http: { url: 'x' } }, 'ns1'), undefined);
  });

  test('say when a quota keeps them from coming further', () => {
    const bound = { type: 'Bound', status: 'Unknown' as const, reason: 'ErrExceededQuota', message: 'no room' };
    const pending = { metadata: { name: 'disk1' }, spec: {}, status: { phase: 'Pending', conditions: [bound] } };
    assert.equal(quotaRefusalOf(pending), 'DataVolume disk1 importer is not running due to an error: no room');
    assert.equal(quotaRefusalOf({ ...pending, status: { phase: 'Pending' } }), undefined);
  });
});
