import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VmiSpec } from '../../objects.ts';
import { template, vmi } from '../builders.fixture.ts';
import { needsRestart } from './restart-required.ts';

const nic = { name: 'default', masquerade: {} };
const base = template({
  domain: {
    cpu: { sockets: 1, cores: 1 },
    memory: { guest: '1Gi' },
    devices: { disks: [{ name: 'rootdisk', disk: { bus: 'virtio' } }], interfaces: [nic] },
    firmware: { uuid: 'u', serial: 's' },
  },
  networks: [{ name: 'default', pod: {} }],
});
const { domain } = base;
const { devices, firmware } = domain as { devices: VmiSpec['domain']; firmware: VmiSpec['domain'] };
const withDomain = (fields: VmiSpec['domain']): VmiSpec => ({ ...base, domain: { ...domain, ...fields } });
const withDisk = (volume: object, disk: object, from: VmiSpec = base): VmiSpec => ({
  ...from,
  volumes: [...(from.volumes ?? []), { name: 'data', ...volume }],
  domain: {
    ...from.domain,
    devices: {
      ...devices,
      disks: [
        { name: 'rootdisk', disk: { bus: 'virtio' } },
        { name: 'data', ...disk },
      ],
    },
  },
});
const hotpluggable = { persistentVolumeClaim: { claimName: 'p2', hotpluggable: true } };
const scsi = { disk: { bus: 'scsi' } };

const cases: readonly (readonly [string, VmiSpec, boolean, VmiSpec?])[] = [
  ['nothing changed', base, false],
  ['sockets and guest memory', withDomain({ cpu: { sockets: 2, cores: 1 }, memory: { guest: '2Gi' } }), false],
  ['placement', { ...base, nodeSelector: { zone: 'a' }, tolerations: [{ key: 'x' }], affinity: {} }, false],
  ['the host name', { ...base, hostname: 'other' }, true],
  ['cores', withDomain({ cpu: { sockets: 1, cores: 2 } }), true],
  ['the grace period', { ...base, terminationGracePeriodSeconds: 60 }, true],
  ['a volume that can be plugged', withDisk(hotpluggable, scsi), false],
  ['a volume that cannot', withDisk({ persistentVolumeClaim: { claimName: 'p2' } }, scsi), true],
  ['a pluggable volume that went', base, false, withDisk(hotpluggable, scsi)],
  ['a CD-ROM that went', base, true, withDisk(hotpluggable, { cdrom: { bus: 'sata' } })],
  [
    'a second network that is plugged in',
    {
      ...withDomain({ devices: { ...devices, interfaces: [nic, { name: 'blue', bridge: {} }] } }),
      networks: [...(base.networks ?? []), { name: 'blue', multus: { networkName: 'blue' } }],
    },
    false,
  ],
  ['another binding', withDomain({ devices: { ...devices, interfaces: [{ name: 'default', bridge: {} }] } }), true],
  ['a network that went', { ...withDomain({ devices: { ...devices, interfaces: [] } }), networks: [] }, true],
  ['a uuid that was written down later', base, false, withDomain({ firmware: { serial: 's' } })],
  ['another uuid', withDomain({ firmware: { ...firmware, uuid: 'v' } }), true],
];

suite('which edits need a restart', () => {
  for (const [name, current, needed, started = base] of cases)
    test(`${name}: ${needed ? 'yes' : 'no'}`, () => {
      const change = { started, current, vmi: vmi('Running', { spec: base }), volumesMigrate: false };
      assert.equal(needsRestart(change), needed);
    });
});

test('a claim may be replaced where volumes migrate', () => {
  const on = (claimName: string): VmiSpec => ({
    ...base,
    volumes: [{ name: 'rootdisk', persistentVolumeClaim: { claimName } }],
  });
  const change = { started: on('old'), current: on('new'), vmi: vmi('Running', { spec: base }) };
  assert.equal(needsRestart({ ...change, volumesMigrate: false }), true);
  assert.equal(needsRestart({ ...change, volumesMigrate: true }), false);
});
