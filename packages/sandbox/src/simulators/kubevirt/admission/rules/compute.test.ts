/** Rules about the guest's hardware and its size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultConfig } from '../cluster-config.ts';
import { vmiSpecCauses } from '../vm/vmi-spec.ts';
import { vmiSpec } from './vmi-spec.fixture.ts';
import { causesOf, rowsOf, at, domain, label, resources, type Tables } from './tables.fixture.ts';

const tables: Tables = {
  'names.ts': [
    {
      name: 'a hostname of 64 characters',
      change: { hostname: 'a'.repeat(64) },
      causes: [
        'Invalid ~.hostname: ~.hostname does not conform to the kubernetes DNS_LABEL rules : must be no more than 63 characters',
      ],
    },
    {
      name: 'a hostname with an underscore',
      change: { hostname: 'Bad_Host' },
      causes: [`Invalid ~.hostname: ~.hostname does not conform to the kubernetes DNS_LABEL rules : ${label}`],
    },
  ],
  'memory.ts': [
    {
      name: 'a negative request',
      change: resources({ memory: '-64Mi' }),
      causes: [
        "Invalid ~.domain.resources.requests.memory: ~.domain.resources.requests.memory '-64Mi': must be greater than or equal to 0.",
      ],
    },
    {
      name: 'a request of next to nothing',
      change: resources({ memory: '1Ki' }),
      causes: [
        "Invalid ~.domain.resources.requests.memory: ~.domain.resources.requests.memory '1Ki': must be greater than or equal to 1M.",
      ],
    },
    {
      name: 'a request beyond the limit',
      change: resources({ memory: '512Mi' }, { memory: '256Mi' }),
      causes: [
        "Invalid ~.domain.resources.requests.memory: ~.domain.resources.requests.memory '512Mi' is greater than ~.domain.resources.limits.memory '256Mi'",
      ],
    },
    {
      name: 'pages that do not fit',
      change: domain({ memory: { hugepages: { pageSize: '3Mi' } } }),
      causes: [
        "Invalid ~.domain.resources.requests.memory: ~.domain.resources.requests.memory '0' is not a multiple of the page size ~.domain.memory.hugepages.pageSize '3Mi'",
      ],
    },
    { name: 'a guest of nothing', change: domain({ memory: { guest: '0' } }), causes: [] },
    { name: 'a guest beyond the limit', change: resources({}, { memory: '128Mi' }), causes: [] },
  ],
  'machine.ts': [
    {
      name: 'an old machine',
      change: domain({ machine: { type: 'pc-i440fx-2.10' } }),
      causes: [
        'Invalid ~.domain.machine.type: ~.domain.machine.type is not supported: pc-i440fx-2.10 (allowed values: [q35* pc-q35*])',
      ],
    },
    {
      name: 'a machine of another architecture',
      change: { architecture: 'arm64', domain: { machine: { type: 'q35' } } },
      causes: ['Invalid ~.domain.machine.type: ~.domain.machine.type is not supported: q35 (allowed values: [virt*])'],
    },
    { name: 'a machine with a version', change: domain({ machine: { type: 'pc-q35-rhel9.6.0' } }), causes: [] },
    {
      name: 'q35 on an unknown architecture',
      change: { architecture: 'z80', domain: { machine: { type: 'q35' } } },
      causes: [],
    },
  ],
  'cpu.ts': [
    {
      name: 'a request beyond the limit',
      change: resources({ cpu: '4' }, { cpu: '2' }),
      causes: [
        "Invalid ~.domain.resources.requests.cpu: ~.domain.resources.requests.cpu '4' is greater than ~.domain.resources.limits.cpu '2'",
      ],
    },
    {
      name: 'dedicated CPUs by a fraction',
      change: {
        domain: {
          cpu: { dedicatedCpuPlacement: true, sockets: 2, cores: 1, threads: 1 },
          resources: { requests: { cpu: '1500m' } },
        },
      },
      causes: ['Invalid ~.domain.resources.requests.cpu: provided resources CPU requests must be an interger'],
    },
    { name: 'dedicated CPUs', change: domain({ cpu: { dedicatedCpuPlacement: true, cores: 2 } }), causes: [] },
    {
      name: 'an unknown policy',
      change: domain({ cpu: { features: [{ name: 'vmx', policy: 'maybe' }] } }),
      causes: [
        'NotSupported ~.domain.cpu.features[0].policy: CPU feature vmx uses policy maybe that is not supported.',
      ],
    },
    {
      name: 'more sockets than the most',
      change: domain({ cpu: { sockets: 4, maxSockets: 2 } }),
      causes: [
        'Invalid ~.domain.cpu.sockets: Number of sockets in CPU topology is greater than the maximum sockets allowed',
      ],
    },
    {
      name: 'an emulator thread without dedicated CPUs',
      change: domain({ cpu: { isolateEmulatorThread: true } }),
      causes: [
        'Invalid ~.domain.cpu.isolateEmulatorThread: IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement',
      ],
    },
  ],
  'firmware.ts': [
    {
      name: 'EFI without SMM',
      change: domain({ firmware: { bootloader: { efi: {} } } }),
      causes: [
        'Invalid ~.domain: ~.domain has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.',
      ],
    },
    {
      name: 'EFI with SMM',
      change: domain({ firmware: { bootloader: { efi: {} } }, features: { smm: {} } }),
      causes: [],
    },
    {
      name: 'EFI without secure boot',
      change: domain({ firmware: { bootloader: { efi: { secureBoot: false } } } }),
      causes: [],
    },
    {
      name: 'BIOS and EFI',
      change: domain({ firmware: { bootloader: { bios: {}, efi: { secureBoot: false } } } }),
      causes: [
        'Invalid ~.domain.firmware.bootloader: ~.domain.firmware.bootloader has both EFI and BIOS configured, but they are mutually exclusive.',
      ],
    },
    {
      name: 'a serial with a slash',
      change: domain({ firmware: { serial: 'a/b' } }),
      causes: [
        'Invalid ~.domain.firmware.serial: ~.domain.firmware.serial must be made up of the following characters [A-Za-z0-9_.+-], if specified',
      ],
    },
    {
      name: 'a kernel without an image',
      change: domain({ firmware: { kernelBoot: { container: { kernelPath: 'boot/../vmlinuz' } } } }),
      causes: [
        'Required ~.domain.firmware.kernelBoot.container.image: ~.domain.firmware.kernelBoot.container must be defined with an image',
        'Invalid ~.domain.firmware.kernelBoot.container.kernelPath: ~.domain.firmware.kernelBoot.container.kernelPath must be an absolute path to a file without relative components',
      ],
    },
  ],
  'launch-security.ts': [
    {
      name: 'SEV without its gate',
      change: domain({ launchSecurity: { sev: {} } }),
      causes: ['Invalid ~.launchSecurity: WorkloadEncryptionSEV feature gate is not enabled in kubevirt-config'],
    },
    {
      name: 'SEV without UEFI',
      change: domain({ launchSecurity: { sev: {} } }),
      causes: ['Invalid ~.launchSecurity: SEV requires OVMF (UEFI)'],
      gates: ['WorkloadEncryptionSEV'],
    },
    {
      name: 'two at once',
      change: domain({ launchSecurity: { sev: {}, tdx: {} } }),
      causes: ['Forbidden ~.launchSecurity: One and only one launchSecurity type can be set'],
    },
  ],
};

for (const row of rowsOf(tables)) {
  test(`${row.file}: ${row.name}`, () => assert.deepEqual(causesOf(row), row.causes));
}

test('a spec that no rule minds has no causes', () => {
  assert.deepEqual(vmiSpecCauses(at, vmiSpec(), defaultConfig), []);
});

test('causes come in the order of virt-api: names, memory, machine, CPUs, networks, boot order, disks', () => {
  const spec = vmiSpec({
    hostname: 'Bad_Host',
    domain: {
      machine: { type: 'toaster' },
      resources: { requests: { memory: '512Mi', cpu: '4' }, limits: { memory: '256Mi', cpu: '2' } },
      devices: {
        disks: [
          { name: 'rootdisk', disk: { bus: 'virtio' } },
          { name: 'ghost', disk: { bus: 'floppy' } },
        ],
        interfaces: [{ name: 'default' }, { name: 'lan', bridge: {} }],
      },
    },
  });
  assert.deepEqual(
    vmiSpecCauses(at, spec, defaultConfig).map(({ field }) => field?.replace(`${at}.`, '')),
    [
      'hostname',
      'domain.resources.requests.memory',
      'domain.machine.type',
      'domain.resources.requests.cpu',
      'domain.devices.interfaces[0]',
      'domain.devices.interfaces[1].name',
      'domain.devices.disks[1].name',
      'domain.devices.disks[1].disk.bus',
    ],
  );
});
