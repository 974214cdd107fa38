/** The rules of a VMI's spec: what the real virt-api answered, by the file that has the rule. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../../json.ts';
import type { Cause } from '../cause.ts';
import { clusterConfig, defaultConfig } from '../cluster-config.ts';
import { vmiSpecCauses } from '../vmi-spec.ts';
import { vmiSpec } from './vmi-spec.fixture.ts';

interface Row {
  readonly name: string;
  readonly change: JsonObject;
  /** As `Kind field: message`, with `~` for the path of the spec. */
  readonly causes: readonly string[];
  readonly gates?: readonly string[];
}

const at = 'spec.template.spec';
const told = ({ type, field = '', message }: Cause): string =>
  `${type.replace('FieldValue', '')} ${field}: ${message}`.replaceAll(at, '~');

const domain = (change: JsonObject): JsonObject => ({ domain: change });
const devices = (change: JsonObject): JsonObject => domain({ devices: change });
const resources = (requests: JsonObject, limits: JsonObject = {}): JsonObject =>
  domain({ resources: { requests, limits } });
const disk = (change: JsonObject): JsonObject => devices({ disks: [{ name: 'rootdisk', ...change }] });
const one = (change: JsonObject): JsonObject =>
  devices({ interfaces: [{ name: 'default', masquerade: {}, ...change }] });
const cloudInit = (data: JsonObject): JsonObject => ({
  volumes: [
    { name: 'rootdisk', containerDisk: { image: 'demo' } },
    { name: 'ci', cloudInitNoCloud: data },
  ],
});
const volume = (change: JsonObject): JsonObject => ({ volumes: [{ name: 'rootdisk', ...change }] });
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const key = (propagationMethod: JsonObject): JsonObject => ({
  accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: 'k' } }, propagationMethod } }],
});

const tables: Readonly<Record<string, readonly Row[]>> = {
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
      name: 'q35 on an architecture that nobody knows',
      change: { architecture: 'z80', domain: { machine: { type: 'q35' } } },
      causes: [],
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
      name: 'a policy that nobody knows',
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
  'networks.ts': [
    {
      name: 'an interface without a network',
      change: devices({
        interfaces: [
          { name: 'default', masquerade: {} },
          { name: 'lan', bridge: {} },
        ],
      }),
      causes: ["Invalid ~.domain.devices.interfaces[1].name: ~.domain.devices.interfaces[1].name 'lan' not found."],
    },
    {
      name: 'a network without an interface',
      change: {
        networks: [
          { name: 'default', pod: {} },
          { name: 'lan', multus: { networkName: 'x' } },
        ],
      },
      causes: ["Required ~.networks[1].name: ~.networks[1].name 'lan' not found."],
    },
    {
      name: 'two networks of one name',
      change: {
        networks: [
          { name: 'default', pod: {} },
          { name: 'default', multus: { networkName: 'x' } },
        ],
      },
      causes: [
        'Invalid ~.domain.devices.interfaces[0].name: Masquerade interface only implemented with pod network',
        'Duplicate ~.networks[1].name: Network with name "default" already exists, every network must have a unique name',
      ],
    },
    {
      name: 'two interfaces of one name',
      change: devices({
        interfaces: [
          { name: 'default', masquerade: {} },
          { name: 'default', masquerade: {} },
        ],
      }),
      causes: [
        'Duplicate ~.domain.devices.interfaces[1].name: Only one interface can be connected to one specific network',
      ],
    },
    {
      name: 'two pod networks',
      change: {
        domain: {
          devices: {
            interfaces: [
              { name: 'default', masquerade: {} },
              { name: 'b', masquerade: {} },
            ],
          },
        },
        networks: [
          { name: 'default', pod: {} },
          { name: 'b', pod: {} },
        ],
      },
      causes: ['Duplicate ~.interfaces: more than one interface is connected to a pod network in ~.interfaces'],
    },
    {
      name: 'a network of two types',
      change: { networks: [{ name: 'default', pod: {}, multus: { networkName: 'x' } }] },
      causes: ['Required ~.networks[0]: should have only one network type'],
    },
    {
      name: 'multus without a name',
      change: { networks: [{ name: 'default', multus: {} }] },
      causes: [
        'Required ~.networks[0]: CNI delegating plugin must have a networkName',
        'Invalid ~.domain.devices.interfaces[0].name: Masquerade interface only implemented with pod network',
      ],
    },
  ],
  'bindings.ts': [
    {
      name: 'no binding',
      change: devices({ interfaces: [{ name: 'default' }] }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0]: logical default interface must have exactly one binding method or binding plugin',
      ],
    },
    {
      name: 'two bindings',
      change: one({ bridge: {} }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0]: logical default interface must have exactly one binding method or binding plugin',
      ],
    },
    {
      name: 'the MAC address of the bridge in the pod',
      change: one({ macAddress: '02:00:00:00:00:00' }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].macAddress: The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
      ],
    },
  ],
  'interfaces.ts': [
    {
      name: 'a broken MAC address',
      change: one({ macAddress: '02:00:zz' }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].macAddress: interface ~.domain.devices.interfaces[0].name has malformed MAC address (02:00:zz).',
      ],
    },
    {
      name: 'a MAC address of eight bytes',
      change: one({ macAddress: '02:00:00:00:00:00:00:01' }),
      causes: [
        'Invalid ~.domain.devices.interfaces[0].macAddress: interface ~.domain.devices.interfaces[0].name has too long MAC address (02:00:00:00:00:00:00:01).',
      ],
    },
    { name: 'a MAC address with dashes', change: one({ macAddress: '02-00-00-00-00-01' }), causes: [] },
    {
      name: 'a port beyond all ports',
      change: one({ ports: [{ port: 70_000 }] }),
      causes: ['Invalid ~.domain.devices.interfaces[0].ports[0].port: Port field must be in range 0 < x < 65536.'],
    },
    {
      name: 'two ports of one name',
      change: one({
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      }),
      causes: ['Duplicate ~.domain.devices.interfaces[0].ports[1].name: Duplicate name of the port: a'],
    },
    {
      name: 'a protocol without ports',
      change: one({ ports: [{ port: 1, protocol: 'ICMP' }] }),
      causes: ['Invalid ~.domain.devices.interfaces[0].ports[0].protocol: Unknown protocol, only TCP or UDP allowed'],
    },
    {
      name: 'a private option that is not private',
      change: one({ dhcpOptions: { privateOptions: [{ option: 10, value: 'x' }] } }),
      causes: ['Invalid ~: provided DHCPPrivateOptions are out of range, must be in range 224 to 254'],
    },
    {
      name: 'a model that nobody built',
      change: one({ model: 'ne1' }),
      causes: [
        'NotSupported ~.domain.devices.interfaces[0].model: interface ~.domain.devices.interfaces[0].name uses model ne1 that is not supported.',
      ],
    },
    { name: 'an interface that is down', change: one({ state: 'down' }), causes: [] },
  ],
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
      name: 'a bus that nobody knows',
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
      name: 'a cache that nobody knows',
      change: disk({ disk: {}, cache: 'sometimes' }),
      causes: ['Invalid ~.domain.devices.disks[0].cache: ~.domain.devices.disks[0].cache has invalid value sometimes'],
    },
    {
      name: 'an IO mode that nobody knows',
      change: disk({ disk: {}, io: 'fast' }),
      causes: [
        'NotSupported ~.domain.devices.disks.domain.devices.disks[0].io: Disk IO mode for ~.domain.devices.disks is not supported. Supported modes are: native, threads.',
      ],
    },
    {
      name: 'an error policy that nobody knows',
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
  'probes.ts': [
    {
      name: 'two actions',
      change: { readinessProbe: { tcpSocket: { port: 22 }, httpGet: { port: 80 } } },
      causes: ['Invalid ~.readinessProbe: ~.readinessProbe must have exactly one probe type set'],
    },
    {
      name: 'no action',
      change: { readinessProbe: {} },
      causes: [
        'Required ~.readinessProbe: either ~.readinessProbe.tcpSocket, ~.readinessProbe.exec or ~.readinessProbe.httpGet must be set if a ~.readinessProbe is specified',
      ],
    },
    { name: 'a question to the agent', change: { livenessProbe: { guestAgentPing: {} } }, causes: [] },
  ],
  'dns.ts': [
    {
      name: 'a policy without a configuration',
      change: { dnsPolicy: 'None' },
      causes: ['Required ~.dnsConfig: must provide `dnsConfig` when `dnsPolicy` is None'],
    },
    {
      name: 'a configuration without servers',
      change: { dnsPolicy: 'None', dnsConfig: {} },
      causes: ['Required nameservers: must provide at least one DNS nameserver when `dnsPolicy` is None'],
    },
    {
      name: 'a server without an address',
      change: { dnsConfig: { nameservers: ['ns1'] } },
      causes: ['Invalid nameservers: must be valid IP address: ns1'],
    },
  ],
  'strategies.ts': [
    {
      name: 'an eviction that nobody knows',
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
      name: 'threads by a policy that nobody knows',
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

test('a spec that no rule minds has no causes', () => {
  assert.deepEqual(vmiSpecCauses(at, vmiSpec(), defaultConfig), []);
});

for (const [file, rows] of Object.entries(tables)) {
  describe(file, () => {
    for (const { name, change, causes, gates = [] } of rows) {
      const config = clusterConfig({ developerConfiguration: { featureGates: [...gates] } });
      test(name, () => {
        assert.deepEqual(vmiSpecCauses(at, vmiSpec(change), config).map(told), causes);
      });
    }
  });
}

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
