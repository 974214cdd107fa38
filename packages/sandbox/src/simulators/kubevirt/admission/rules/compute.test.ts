/** Rules about the guest's hardware and its size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../values/json.ts';
import { defaultConfig } from '../cluster-config.ts';
import { vmiSpecCauses } from '../vm/vmi-spec.ts';
import { vmiSpec } from './vmi-spec.fixture.ts';
import {
  causesOf,
  rowsOf,
  at,
  domain,
  label,
  labelName,
  resources,
  subdomain,
  volume,
  type Tables,
} from './tables.fixture.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const term = `~.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
const apart = `~.podAntiAffinity.${REQUIRED}`;
const spread = '~.topologySpreadConstraints';
const exists = (key: string): JsonObject => ({ key, operator: 'Exists' });

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
    {
      name: 'a ServiceAccount with a capital',
      change: { serviceAccountName: 'Builder' },
      causes: [`Invalid ~.serviceAccountName: ~.serviceAccountName is not a valid service account name: ${subdomain}`],
    },
    {
      name: 'a ServiceAccount other than that of a volume',
      change: { serviceAccountName: 'builder', ...volume({ serviceAccount: { serviceAccountName: 'other' } }) },
      causes: [
        'Invalid ~.serviceAccountName: spec.serviceAccountName "builder" and serviceAccount volume "other" must reference the same service account',
      ],
    },
    {
      name: 'the ServiceAccount of a volume',
      change: { serviceAccountName: 'builder', ...volume({ serviceAccount: { serviceAccountName: 'builder' } }) },
      causes: [],
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
    {
      name: 'memory for the launcher pod without the gate',
      change: domain({ memory: { reservedOverhead: { addedOverhead: '64Mi' } } }),
      causes: [
        'Invalid ~.domain.memory.reservedOverhead: Reserved overhead memlock feature gate is not enabled in kubevirt-config',
      ],
    },
    {
      name: 'memory for the launcher pod with the gate',
      gates: ['ReservedOverheadMemlock'],
      change: domain({ memory: { reservedOverhead: { addedOverhead: '64Mi', memLock: 'Required' } } }),
      causes: [],
    },
    { name: 'a guest of nothing', change: domain({ memory: { guest: '0' } }), causes: [] },
    { name: 'a guest beyond the limit', change: resources({}, { memory: '128Mi' }), causes: [] },
  ],
  'placement.ts': [
    {
      name: 'weights out of range',
      change: {
        affinity: {
          nodeAffinity: { [PREFERRED]: [{ weight: 101, preference: { matchExpressions: [exists('zone')] } }] },
          podAffinity: { [PREFERRED]: [{ weight: 0, podAffinityTerm: { topologyKey: 'zone' } }] },
          podAntiAffinity: { [PREFERRED]: [{ weight: 100, podAffinityTerm: { topologyKey: 'zone' } }] },
        },
      },
      causes: [
        `Invalid ~.nodeAffinity.${PREFERRED}[0].weight: ~.nodeAffinity.${PREFERRED}[0].weight: Invalid value: 101: must be in the range 1-100`,
        `Invalid ~.podAffinity.${PREFERRED}[0].weight: ~.podAffinity.${PREFERRED}[0].weight: Invalid value: 0: must be in the range 1-100`,
      ],
    },
    {
      name: 'no node terms',
      change: { affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [] } } } },
      causes: [
        `Invalid ~.nodeAffinity.${REQUIRED}.nodeSelectorTerms: ~.nodeAffinity.${REQUIRED}.nodeSelectorTerms: Required value: must have at least one node selector term`,
      ],
    },
    {
      name: 'node terms without values, with too many, and with any value',
      change: {
        affinity: {
          nodeAffinity: {
            [REQUIRED]: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: 'zone', operator: 'In' },
                    { key: 'zone', operator: 'Exists', values: ['a'] },
                    { key: 'memory', operator: 'Gt', values: ['1', '2'] },
                    { key: 'zone', operator: 'In', values: ['north of here'] },
                  ],
                },
                { matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['a'] }] },
              ],
            },
          },
        },
      },
      causes: [
        `Invalid ${term}[0].matchExpressions[0].values: ${term}[0].matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        `Invalid ${term}[0].matchExpressions[1].values: ${term}[0].matchExpressions[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
        `Invalid ${term}[0].matchExpressions[2].values: ${term}[0].matchExpressions[2].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
        `Invalid ${term}[1].matchFields[0].key: ${term}[1].matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`,
      ],
    },
    {
      name: 'pod terms without a topology key, and with a selector of an unknown operator',
      change: {
        affinity: {
          podAntiAffinity: {
            [REQUIRED]: [
              { topologyKey: '' },
              { topologyKey: 'zone', labelSelector: { matchExpressions: [{ key: 'app', operator: 'Near' }] } },
              { topologyKey: 'zone', namespaces: ['Team_A'] },
            ],
          },
        },
      },
      causes: [
        `Invalid ${apart}[0].topologyKey: ${apart}[0].topologyKey: Required value: can not be empty`,
        `Invalid ${apart}[0].topologyKey: ${apart}[0].topologyKey: Invalid value: "": name part must be non-empty`,
        `Invalid ${apart}[0].topologyKey: ${apart}[0].topologyKey: Invalid value: "": name part ${labelName}`,
        `Invalid ${apart}[1].labelSelector.matchExpressions[0].operator: ${apart}[1].labelSelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`,
        `Invalid ${apart}[2].namespace: ${apart}[2].namespace: Invalid value: "Team_A": ${label}`,
      ],
    },
    {
      name: 'spreading without a skew, twice over one topology, and with a wrong label',
      change: {
        topologySpreadConstraints: [
          { maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
          { maxSkew: 1, topologyKey: '-', whenUnsatisfiable: 'Maybe' },
          {
            maxSkew: 1,
            topologyKey: 'host',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchExpressions: [{ key: 'app', operator: 'In' }] },
          },
        ],
      },
      causes: [
        `Invalid ${spread}[0].maxSkew: ${spread}[0].maxSkew: Invalid value: 0: must be greater than zero`,
        `Invalid ${spread}[0].{topologyKey, whenUnsatisfiable}: ${spread}[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, ScheduleAnyway}"`,
        `Invalid ${spread}[2].topologyKey: ${spread}[2].topologyKey: Invalid value: "-": name part ${labelName}`,
        `Invalid ${spread}[2].whenUnsatisfiable: ${spread}[2].whenUnsatisfiable: Unsupported value: "Maybe": supported values: "DoNotSchedule", "ScheduleAnyway"`,
        `Invalid ${spread}.labelSelector.matchExpressions[0].values: ${spread}.labelSelector.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
    },
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
