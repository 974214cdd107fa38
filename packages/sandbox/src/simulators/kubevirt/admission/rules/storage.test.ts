/** Rules about boot and storage. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causesOf, rowsOf, cloudInit, devices, disk, label, volume, type Tables } from './tables.fixture.ts';

const tables: Tables = {
  'boot-order.ts': [
    {
      name: 'a disk without a volume',
      change: devices({
        disks: [
          { name: 'rootdisk', disk: {} },
          { name: 'ghost', disk: {} },
        ],
      }),
      causes: ["Invalid ~.domain.devices.disks[1].name: ~.domain.devices.disks[1].Name 'ghost' not found."],
    },
    {
      name: 'a drive without a medium',
      change: devices({
        disks: [
          { name: 'rootdisk', disk: {} },
          { name: 'dvd', cdrom: { bus: 'sata' } },
        ],
      }),
      causes: [],
    },
    {
      name: 'two devices that boot first',
      change: devices({
        disks: [{ name: 'rootdisk', disk: {}, bootOrder: 1 }],
        interfaces: [{ name: 'default', masquerade: {}, bootOrder: 1 }],
      }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].bootOrder: Boot order for ~.domain.devices.interfaces[0].bootOrder already set for a different device.',
      ],
    },
    {
      name: 'a LUN on a container disk',
      change: disk({ lun: { bus: 'scsi' } }),
      causes: [
        'Invalid ~.domain.devices.disks[0].lun: ~.domain.devices.disks[0].lun can only be mapped to a DataVolume or PersistentVolumeClaim volume.',
      ],
    },
  ],
  'disks.ts': [
    {
      name: 'two targets',
      change: disk({ disk: {}, cdrom: {} }),
      causes: [
        'Invalid ~.domain.devices.disks[0]: ~.domain.devices.disks[0] can only have a single target type defined',
      ],
    },
    {
      name: 'an unknown bus',
      change: disk({ disk: { bus: 'floppy' } }),
      causes: [
        'Invalid ~.domain.devices.disks[0].disk.bus: ~.domain.devices.disks[0] is set with an unrecognized bus floppy, must be one of: [virtio scsi sata usb]',
      ],
    },
    {
      name: 'IDE',
      change: disk({ disk: { bus: 'ide' } }),
      causes: ['Invalid ~.domain.devices.disks[0].disk.bus: IDE bus is not supported'],
    },
    {
      name: 'a drive on virtio',
      change: disk({ cdrom: { bus: 'virtio' } }),
      causes: ['Invalid ~.domain.devices.disks[0].cdrom.bus: Bus type virtio is invalid for CD-ROM device'],
    },
    {
      name: 'a serial with a blank',
      change: disk({ disk: {}, serial: 'a b' }),
      causes: [
        'Invalid ~.domain.devices.disks[0].serial: ~.domain.devices.disks[0] must be made up of the following characters [A-Za-z0-9_.+-], if specified',
      ],
    },
    {
      name: 'a serial of 257 characters',
      change: disk({ disk: {}, serial: 'a'.repeat(257) }),
      causes: [
        'Invalid ~.domain.devices.disks[0].serial: ~.domain.devices.disks[0] must be less than or equal to 256 in length, if specified',
      ],
    },
    {
      name: 'an unknown cache mode',
      change: disk({ disk: {}, cache: 'sometimes' }),
      causes: ['Invalid ~.domain.devices.disks[0].cache: ~.domain.devices.disks[0].cache has invalid value sometimes'],
    },
    {
      name: 'an unknown IO mode',
      change: disk({ disk: {}, io: 'fast' }),
      causes: [
        'NotSupported ~.domain.devices.disks.domain.devices.disks[0].io: Disk IO mode for ~.domain.devices.disks is not supported. Supported modes are: native, threads.',
      ],
    },
    {
      name: 'an unknown error policy',
      change: disk({ disk: {}, errorPolicy: 'cry' }),
      causes: [
        'Invalid ~.domain.devices.disks[0].errorPolicy: ~.domain.devices.disks[0].errorPolicy has invalid value "cry"',
      ],
    },
    {
      name: 'a name that no container can have',
      change: {
        domain: { devices: { disks: [{ name: 'Root_Disk', disk: {} }] } },
        volumes: [{ name: 'Root_Disk', containerDisk: { image: 'demo' } }],
      },
      causes: [`Invalid ~.domain.devices.disks.domain.devices.disks[0].name: ${label}`],
    },
    {
      name: 'blocks of no power of two',
      change: disk({ disk: { bus: 'virtio' }, blockSize: { custom: { logical: 513, physical: 4096 } } }),
      causes: ['Invalid ~.domain.devices.disks[0].blockSize.custom.logical: Provided size of 513 is not a power of 2'],
    },
  ],
  'volumes.ts': [
    {
      name: 'two sources',
      change: volume({ containerDisk: { image: 'demo' }, emptyDisk: { capacity: '1Gi' } }),
      causes: ['Invalid ~.volumes[0]: ~.volumes[0] must have exactly one source type set'],
    },
    {
      name: 'no source',
      change: volume({}),
      causes: ['Invalid ~.volumes[0]: ~.volumes[0] must have exactly one source type set'],
    },
    {
      name: 'two volumes of one name',
      change: {
        volumes: [
          { name: 'rootdisk', containerDisk: { image: 'demo' } },
          { name: 'rootdisk', emptyDisk: { capacity: '1Gi' } },
        ],
      },
      causes: ['Invalid ~.volumes[1].name: ~.volumes[1] and ~.volumes[0] must not have the same Name.'],
    },
    {
      name: 'a disk of the host',
      change: volume({ hostDisk: { path: '/x', type: 'Disk' } }),
      causes: ['Invalid ~.volumes[0]: HostDisk feature gate is not enabled'],
    },
    {
      name: 'a disk of the host with the gate',
      change: volume({ hostDisk: { path: '/x', type: 'Disk' } }),
      causes: [],
      gates: ['HostDisk'],
    },
    { name: 'a claim without a name', change: volume({ persistentVolumeClaim: { claimName: '' } }), causes: [] },
    {
      name: 'a ConfigMap without a name',
      change: volume({ configMap: {} }),
      causes: ['Invalid ~.volumes[0].configMap.name: ~.volumes[0].configMap.name is a required field'],
    },
  ],
  'cloud-init.ts': [
    { name: 'as much as fits', change: cloudInit({ userData: 'x'.repeat(2048) }), causes: [] },
    {
      name: 'more than fits, encoded',
      change: cloudInit({ userDataBase64: Buffer.alloc(3000).toString('base64') }),
      causes: [
        'Invalid ~.volumes[1].cloudInitNoCloud: ~.volumes[1].cloudInitNoCloud userdata exceeds 2048 byte limit. Should use UserDataSecretRef for larger data.',
      ],
    },
    {
      name: 'what is no base64',
      change: cloudInit({ userDataBase64: '%%%' }),
      causes: [
        'Invalid ~.volumes[1].cloudInitNoCloud.userDataBase64: ~.volumes[1].cloudInitNoCloud.userDataBase64.cloudInitNoCloud.userDataBase64 is not a valid base64 value.',
      ],
    },
    {
      name: 'nothing',
      change: cloudInit({}),
      causes: [
        'Invalid ~.volumes[1].cloudInitNoCloud: ~.volumes[1].cloudInitNoCloud must have at least one userdatasource or one networkdatasource set.',
      ],
    },
    {
      name: 'data and a secret',
      change: cloudInit({ userData: 'x', secretRef: { name: 's' } }),
      causes: [
        'Invalid ~.volumes[1].cloudInitNoCloud: ~.volumes[1].cloudInitNoCloud must have only one userdatasource set.',
      ],
    },
    {
      name: 'too much of the network',
      change: cloudInit({ userData: 'x', networkData: 'x'.repeat(2049) }),
      causes: [
        'Invalid ~.volumes[1].cloudInitNoCloud: ~.volumes[1].cloudInitNoCloud networkdata exceeds 2048 byte limit. Should use NetworkDataSecretRef for larger data.',
      ],
    },
  ],
};

for (const row of rowsOf(tables)) {
  test(`${row.file}: ${row.name}`, () => assert.deepEqual(causesOf(row), row.causes));
}
