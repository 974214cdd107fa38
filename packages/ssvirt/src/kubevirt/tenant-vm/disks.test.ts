import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fields, list } from '../facts/reading.ts';
import { buildMachine } from './build.ts';
import { identity, plain } from './cases.fixture.ts';
import { addedDisk, bootDiskOf, withoutDisk } from './disks.ts';
import { domainOf, instanceSpecOf, specOf } from './live.ts';
import { merged } from './merge.fixture.ts';
import type { VmSpec } from './spec.ts';

const spec: VmSpec = {
  ...plain,
  source: { kind: 'direct', boot: { kind: 'blank' } },
  rootDisk: { sizeMb: 1024 },
  disks: [
    { name: 'data', sizeMb: 10 },
    { name: 'logs', sizeMb: 10 },
  ],
  cloudInit: { userData: '#cloud-config\n' },
};
const { machine } = buildMachine(identity, spec, { cpus: 1, memoryMb: 512, running: false });
const off = { ...machine, metadata: { ...machine.metadata, uid: 'u1', resourceVersion: '7' } };
const on = merged(off, {
  spec: { runStrategy: 'RerunOnFailure' },
  status: { printableStatus: 'Running', created: true },
});

/** The VM as `addvolume` leaves it. */
function plugged(vm: unknown, name: string): unknown {
  const volume = { name, dataVolume: { name: `web-01-9a1c44de-${name}`, hotpluggable: true } };
  return merged(vm, {
    spec: {
      template: {
        spec: {
          volumes: [...list(instanceSpecOf(vm)['volumes']), volume],
          domain: { devices: { disks: [...list(fields(domainOf(vm)['devices'])['disks']), { name, disk: {} }] } },
        },
      },
    },
  });
}

suite('a disk that is added', () => {
  test('is an empty DataVolume that goes with the machine, and is plugged in by its name', () => {
    const disk = { name: 'more', sizeMb: 2048, storageClass: 'fast' };
    const { dataVolume, addVolumeOptions } = addedDisk(identity, disk, 'u1');
    assert.deepEqual(dataVolume, {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: {
        name: 'web-01-9a1c44de-more',
        namespace: identity.namespace,
        labels: machine.metadata.labels,
        ownerReferences: [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'web-01-9a1c44de', uid: 'u1' }],
      },
      spec: {
        source: { blank: {} },
        storage: { resources: { requests: { storage: '2048Mi' } }, storageClassName: 'fast' },
      },
    });
    assert.deepEqual(addVolumeOptions, {
      name: 'more',
      disk: { disk: { bus: 'scsi' }, serial: 'more' },
      volumeSource: { dataVolume: { name: 'web-01-9a1c44de-more' } },
    });
  });
});

suite('a disk that is removed', () => {
  test('is unplugged where it was plugged in, whether the machine runs or not', () => {
    for (const vm of [plugged(on, 'more'), plugged(off, 'more')])
      assert.deepEqual(withoutDisk(vm, 'more'), {
        kind: 'unplug',
        removeVolumeOptions: { name: 'more' },
        dataVolume: 'web-01-9a1c44de-more',
      });
  });

  test('leaves the lists of a machine that is off, and nothing else does', () => {
    const removal = withoutDisk(plugged(off, 'more'), 'data');
    assert.equal(removal.kind, 'patch');
    assert.ok(removal.kind === 'patch');
    assert.equal(removal.dataVolume, 'web-01-9a1c44de-data');
    assert.deepEqual(removal.patch['metadata'], { uid: 'u1', resourceVersion: '7' });
    const after = merged(plugged(off, 'more'), removal.patch);
    const names = (entries: unknown): readonly unknown[] => list(entries).map((entry) => fields(entry)['name']);
    assert.deepEqual(names(instanceSpecOf(after)['volumes']), ['rootdisk', 'logs', 'cloudinitdisk', 'more']);
    assert.deepEqual(names(fields(domainOf(after)['devices'])['disks']), ['rootdisk', 'logs', 'cloudinitdisk', 'more']);
    assert.deepEqual(
      list(specOf(after)['dataVolumeTemplates']).map((one) => fields(fields(one)['metadata'])['name']),
      ['web-01-9a1c44de-rootdisk', 'web-01-9a1c44de-logs'],
    );
    assert.deepEqual(withoutDisk(after, 'data'), { kind: 'gone' });
    assert.deepEqual(domainOf(after)['cpu'], domainOf(off)['cpu']);
  });

  test('leaves disks of machines that have no list of devices, or no template for it', () => {
    const volumes = [
      { name: 'root', containerDisk: { image: 'x' } },
      { name: 'old', persistentVolumeClaim: { claimName: 'old' } },
    ];
    const vm = { spec: { runStrategy: 'Halted', template: { spec: { volumes } } } };
    assert.deepEqual(withoutDisk(vm, 'old'), {
      kind: 'patch',
      patch: { metadata: {}, spec: { template: { spec: { volumes: [volumes[0]] } } } },
    });
  });

  const refusals: readonly (readonly [string, unknown, string, string])[] = [
    [
      'the one that it boots from',
      off,
      'rootdisk',
      'The machine boots from the disk "rootdisk": it cannot be removed.',
    ],
    [
      'cloud-init',
      off,
      'cloudinitdisk',
      '"cloudinitdisk" is not a disk but the cloud-init data of the guest: it cannot be removed.',
    ],
    [
      'one that it was made with, while it runs',
      on,
      'data',
      'The machine was made with the disk "data", which can only be removed while it is off: power it off first.',
    ],
    [
      'one that a template makes, though it is pluggable, while it runs',
      merged(on, {
        spec: {
          template: {
            spec: { volumes: [{ name: 'data', dataVolume: { name: 'web-01-9a1c44de-data', hotpluggable: true } }] },
          },
        },
      }),
      'data',
      'The machine was made with the disk "data", which can only be removed while it is off: power it off first.',
    ],
  ];
  for (const [reason, vm, name, expected] of refusals)
    test(`is not: ${reason}`, () => assert.deepEqual(withoutDisk(vm, name), { kind: 'refused', reason: expected }));

  test('is gone where the machine does not have it', () => {
    assert.deepEqual(withoutDisk(on, 'nothing'), { kind: 'gone' });
    assert.deepEqual(withoutDisk({}, 'nothing'), { kind: 'gone' });
  });
});

suite('the disk that a machine boots from', () => {
  const withDisks = (disks: readonly object[]): object => ({
    spec: { template: { spec: { domain: { devices: { disks } }, volumes: [{ name: 'v' }] } } },
  });
  for (const [reason, vm, expected] of [
    [
      'is the first in order',
      withDisks([
        { name: 'a', bootOrder: 2 },
        { name: 'b', bootOrder: 1 },
      ]),
      'b',
    ],
    ['comes before those without an order', withDisks([{ name: 'a' }, { name: 'b', bootOrder: 3 }]), 'b'],
    ['is the first in the list without any order', withDisks([{ name: 'a' }, { name: 'b' }]), 'a'],
    ['is the first volume where no disk is listed', withDisks([]), 'v'],
    ['is none in a machine without volumes', {}, undefined],
  ] as const)
    test(reason, () => assert.equal(bootDiskOf(vm), expected));
});
