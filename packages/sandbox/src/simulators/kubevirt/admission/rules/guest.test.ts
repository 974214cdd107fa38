/** Rules about access to the guest and further devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causesOf, rowsOf, cloudInit, devices, domain, key, subdomain, volume, type Tables } from './tables.fixture.ts';

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
  'resource-claims.ts': [
    {
      name: 'a GPU without a device',
      change: devices({ gpus: [{ name: 'g' }] }),
      causes: [
        'Required ~.domain.devices.gpus: vmi.spec.domain.devices.gpus contains GPUs without deviceName or claimRequest; each GPU must specify either a deviceName or a claimRequest',
      ],
    },
    {
      name: 'a GPU with a device and a claim',
      change: devices({ gpus: [{ name: 'g', deviceName: 'x', claimName: 'c', requestName: 'r' }] }),
      causes: [
        'Invalid ~.domain.devices.gpus: vmi.spec.domain.devices.gpus contains GPUs with both deviceName and claimRequest',
      ],
    },
    {
      name: 'a claim for a GPU without the gate',
      change: devices({ gpus: [{ name: 'g', claimName: 'c', requestName: 'r' }] }),
      causes: [
        'Invalid ~.domain.devices.gpus: vmi.spec.domain.devices.gpus contains DRA enabled GPUs but feature gate is not enabled',
      ],
    },
    {
      name: 'GPUs of both kinds',
      gates: ['GPUsWithDRA'],
      change: devices({
        gpus: [
          { name: 'g', deviceName: 'x' },
          { name: 'h', claimName: 'c', requestName: 'r' },
        ],
      }),
      causes: [
        'Invalid ~.domain.devices.gpus: vmi.spec.domain.devices.gpus contains both DRA and non-DRA GPUs; each GPU must be either DRA or non-DRA',
      ],
    },
    {
      name: 'a claim for a GPU that is not declared, and one that is not complete',
      gates: ['GPUsWithDRA'],
      change: devices({
        gpus: [
          { name: 'g', claimName: 'c', requestName: 'r' },
          { name: 'h', claimName: 'c' },
        ],
      }),
      causes: [
        'Required ~.domain.devices.gpus[1].requestName: requestName is required for DRA GPU',
        'Invalid ~.resourceClaims: vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices',
      ],
    },
    {
      name: 'a claim that two GPUs use in the same way, and that is declared twice',
      gates: ['GPUsWithDRA'],
      change: {
        ...devices({
          gpus: [
            { name: 'g', claimName: 'c', requestName: 'r' },
            { name: 'h', claimName: 'c', requestName: 'r' },
          ],
        }),
        resourceClaims: [
          { name: 'c', resourceClaimName: 'x' },
          { name: 'c', resourceClaimName: 'x' },
        ],
      },
      causes: [
        'Duplicate ~.resourceClaims[1].name: duplicate resourceClaims name "c"',
        'Duplicate ~.domain.devices.gpus[1]: duplicate claimName/requestName pair "c/r"',
      ],
    },
    {
      name: 'a claim for a GPU that is declared',
      gates: ['GPUsWithDRA'],
      change: {
        ...devices({ gpus: [{ name: 'g', claimName: 'c', requestName: 'r' }] }),
        resourceClaims: [{ name: 'c', resourceClaimName: 'x' }],
      },
      causes: [],
    },
    {
      name: 'claims without a source, with two, and with names that nothing can have',
      change: {
        resourceClaims: [
          { name: '' },
          { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' },
          { name: 'b.c', resourceClaimTemplateName: 'Y' },
          { name: 'd', resourceClaimName: '' },
        ],
      },
      causes: [
        'Required ~.resourceClaims[0].name: ~.resourceClaims[0].name is a required field',
        'Invalid ~.resourceClaims[0]: must specify one of: resourceClaimName, resourceClaimTemplateName',
        'Invalid ~.resourceClaims[1]: at most one of resourceClaimName or resourceClaimTemplateName may be specified',
        'Invalid ~.resourceClaims[2].name: ~.resourceClaims[2].name does not conform to the kubernetes DNS_LABEL rules: must not contain dots',
        `Invalid ~.resourceClaims[2].resourceClaimTemplateName: ${subdomain}`,
        `Invalid ~.resourceClaims[3].resourceClaimName: ${subdomain}`,
      ],
    },
    {
      name: 'a request of a claim that a GPU and a host device share',
      gates: ['GPUsWithDRA', 'HostDevicesWithDRA', 'HostDevices'],
      change: {
        ...devices({
          gpus: [{ name: 'g', claimName: 'c', requestName: 'r' }],
          hostDevices: [
            { name: 'h', claimName: 'c', requestName: 's' },
            { name: 'i', claimName: 'c', requestName: 'r' },
          ],
        }),
        resourceClaims: [{ name: 'c', resourceClaimName: 'x' }],
      },
      causes: [
        'Duplicate ~.domain.devices.hostDevices[1]: duplicate claimName/requestName pair "c/r" between GPUs[0] and HostDevices[1]',
      ],
    },
    {
      name: 'a host device without a device',
      gates: ['HostDevices'],
      change: devices({ hostDevices: [{ name: 'h' }] }),
      causes: [
        'Required ~.domain.devices.hostDevices: vmi.spec.domain.devices.hostDevices contains HostDevices without deviceName or claimRequest; each HostDevice must specify either a deviceName or a claimRequest',
      ],
    },
  ],
};

for (const row of rowsOf(tables)) {
  test(`${row.file}: ${row.name}`, () => assert.deepEqual(causesOf(row), row.causes));
}
