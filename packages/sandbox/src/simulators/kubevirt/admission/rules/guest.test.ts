/** Rules about access to the guest and further devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causesOf, rowsOf, cloudInit, devices, domain, key, volume, type Tables } from './tables.fixture.ts';

const tables: Tables = {
  'access-credentials.ts': [
    {
      name: 'no way in',
      change: key({}),
      causes: [
        'Invalid ~.accessCredentials[0].sshPublicKey.propagationMethod: ~.accessCredentials[0] must have exactly one propagationMethod set',
      ],
    },
    {
      name: 'a way that needs a volume',
      change: key({ noCloud: {} }),
      causes: [
        'Invalid ~.accessCredentials[0].sshPublicKey.propagationMethod: ~.accessCredentials[0] requires a noCloud volume to exist when the noCloud propagationMethod is in use.',
      ],
    },
    { name: 'that volume', change: { ...key({ noCloud: {} }), ...cloudInit({ userData: 'x' }) }, causes: [] },
    {
      name: 'an agent without users',
      change: key({ qemuGuestAgent: { users: [] } }),
      causes: [
        'Invalid ~.accessCredentials[0].sshPublicKey.propagationMethod.qemuGuestAgent.users: ~.accessCredentials[0] requires at least one user to be present in the users list',
      ],
    },
    {
      name: 'neither key nor password',
      change: { accessCredentials: [{}] },
      causes: [
        'Invalid ~.accessCredentials[0]: ~.accessCredentials[0] must have exactly one access credential type set',
      ],
    },
  ],
  'strategies.ts': [
    {
      name: 'an unknown eviction strategy',
      change: { evictionStrategy: 'Never' },
      causes: ['Invalid ~.evictionStrategy: ~.evictionStrategy is set with an unrecognized option: Never'],
    },
    {
      name: 'a paused start with a liveness probe',
      change: { startStrategy: 'Paused', livenessProbe: { guestAgentPing: {} } },
      causes: [
        'Invalid ~.startStrategy: either ~.startStrategy or ~.livenessProbe should be provided.Pausing VMI with LivenessProbe is not supported',
      ],
    },
  ],
  'devices.ts': [
    {
      name: 'a file system of a claim',
      change: {
        domain: { devices: { filesystems: [{ name: 'rootdisk', virtiofs: {} }] } },
        ...volume({ persistentVolumeClaim: { claimName: 'x' } }),
      },
      causes: [
        'Invalid ~.domain.devices.filesystems: virtiofs is not allowed: virtiofs feature gate is not enabled for PVC',
      ],
    },
    {
      name: 'an input without a kind',
      change: devices({ inputs: [{ name: 'i', bus: 'ps2' }] }),
      causes: [
        'Invalid ~.domain.devices.inputs[0].bus: Input device can have only virtio or usb bus.',
        'Invalid ~.domain.devices.inputs[0].type: Input device can have only tablet type.',
      ],
    },
    {
      name: 'threads by an unknown policy',
      change: domain({ ioThreadsPolicy: 'many' }),
      causes: ['Invalid ~.domain.ioThreadsPolicy: Invalid IOThreadsPolicy (many)'],
    },
    {
      name: 'sound without a name',
      change: devices({ sound: { model: 'sb16' } }),
      causes: [
        "Invalid ~.Sound: Sound device type is not supported. Options: 'ich9' or 'ac97'",
        'Invalid ~.Sound: Sound device requires a name field.',
      ],
    },
    { name: 'a GPU', change: devices({ gpus: [{ name: 'g', deviceName: 'x' }] }), causes: [] },
  ],
};

for (const row of rowsOf(tables)) {
  test(`${row.file}: ${row.name}`, () => assert.deepEqual(causesOf(row), row.causes));
}
