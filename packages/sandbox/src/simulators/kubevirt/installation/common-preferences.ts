/**
 * The preferences that virt-operator installs: what operating systems prefer and require, from common-instancetypes
 * 1.7.
 */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { COMMON_INSTANCETYPES_VERSION, PREFIX } from './common-instancetypes.ts';

interface Preference {
  readonly name: string;
  readonly displayName: string;
  readonly icon: string;
  readonly tags: string;
  readonly needs?: { readonly cpus: number; readonly memory: string; readonly architecture?: string };
  readonly osType: string;
  readonly spec: JsonObject;
}

const VIRTIO: JsonObject = { preferredDiskBus: 'virtio', preferredInterfaceModel: 'virtio', preferredRng: {} };
const IO_THREAD: JsonObject = { preferredDiskDedicatedIoThread: true };
const TABLET: JsonObject = {
  preferredAutoattachInputDevice: true,
  preferredInputBus: 'virtio',
  preferredInputType: 'tablet',
};
const SECURE_BOOT: JsonObject = {
  features: { preferredSmm: {} },
  firmware: { preferredEfi: { secureBoot: true } },
};
const PLAIN_EFI: JsonObject = { firmware: { preferredEfi: { secureBoot: false } } };
const DPDK: JsonObject = {
  cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads', ratio: 4 } },
};
const MULTI_QUEUE: JsonObject = { preferredNetworkInterfaceMultiQueue: true };

interface Linux {
  readonly cpus?: number;
  readonly memory?: string;
  readonly architecture?: string;
  readonly tags?: string;
  readonly icon?: string;
  readonly devices?: JsonObject;
  readonly more?: JsonObject;
}

function linux(name: string, displayName: string, options: Linux = {}): Preference {
  const { cpus = 1, memory, architecture, devices = {}, more = {} } = options;
  const family = name.split('.')[0] ?? name;
  return {
    name,
    displayName,
    icon: options.icon ?? family,
    tags: options.tags ?? family,
    osType: 'linux',
    ...(memory === undefined
      ? {}
      : { needs: { cpus, memory, ...(architecture === undefined ? {} : { architecture }) } }),
    spec: {
      ...more,
      annotations: { 'vm.kubevirt.io/os': 'linux' },
      devices: { ...VIRTIO, ...devices },
      ...(architecture === undefined ? {} : { preferredArchitecture: architecture }),
    },
  };
}

/** One preference for amd64 with the plain name and secure boot, and one for each other architecture. */
function onEveryArchitecture(name: string, displayName: string, options: Linux): readonly Preference[] {
  return ['amd64', 'arm64', 's390x'].map((architecture) => {
    const own = architecture === 'amd64' ? { more: SECURE_BOOT } : {};
    const suffix = architecture === 'amd64' ? '' : `.${architecture}`;
    return linux(`${name}${suffix}`, `${displayName} (${architecture})`, { ...options, ...own, architecture });
  });
}

const rhel = { memory: '1.5Gi', tags: 'linux,rhel' };
const rhelAmd64 = { ...rhel, architecture: 'amd64' };
const stream = { memory: '1.5Gi', tags: 'linux,centos-stream', devices: IO_THREAD };

const linuxes: readonly Preference[] = [
  linux('alpine', 'Alpine', { memory: '512Mi' }),
  linux('centos.stream9', 'CentOS Stream 9', stream),
  linux('centos.stream9.desktop', 'CentOS Stream 9', { ...stream, devices: { ...IO_THREAD, ...TABLET } }),
  linux('centos.stream9.dpdk', 'CentOS Stream 9', {
    ...stream,
    cpus: 8,
    tags: 'linux,centos-stream,dpdk',
    devices: { ...IO_THREAD, ...MULTI_QUEUE },
    more: DPDK,
  }),
  linux('centos.stream10', 'CentOS Stream 10', stream),
  linux('centos.stream10.desktop', 'CentOS Stream 10', { ...stream, devices: { ...IO_THREAD, ...TABLET } }),
  linux('cirros', 'Cirros', { memory: '256Mi' }),
  linux('debian', 'Debian', { memory: '512Mi', more: PLAIN_EFI }),
  ...onEveryArchitecture('fedora', 'Fedora', { memory: '2Gi' }),
  linux('linux', 'Linux Guest'),
  linux('linux.efi', 'Linux EFI Guest', { tags: 'linux-efi', more: PLAIN_EFI }),
  linux('linux.virtiotransitional', 'Linux Virtio Transitional Guest', {
    tags: 'linux-virtio-transitional',
    devices: { preferredUseVirtioTransitional: true },
  }),
  linux('opensuse.leap', 'OpenSUSE Leap', { memory: '2Gi', icon: 'opensuse-leap', tags: 'opensuse.leap' }),
  linux('opensuse.tumbleweed', 'OpenSUSE Tumbleweed', {
    memory: '2Gi',
    icon: 'opensuse-tumbleweed',
    tags: 'opensuse.tumbleweed',
  }),
  linux('oraclelinux', 'Oracle Linux', { cpus: 2, memory: '4Gi', icon: 'oracle', more: PLAIN_EFI }),
  linux('rhel.7', 'Red Hat Enterprise Linux 7', { ...rhel, memory: '1Gi' }),
  linux('rhel.7.desktop', 'Red Hat Enterprise Linux 7', { ...rhel, memory: '1Gi', devices: TABLET }),
  linux('rhel.8', 'Red Hat Enterprise Linux 8', rhel),
  linux('rhel.8.desktop', 'Red Hat Enterprise Linux 8', { ...rhel, devices: TABLET }),
  linux('rhel.8.dpdk', 'Red Hat Enterprise Linux 8', {
    ...rhel,
    cpus: 8,
    tags: 'linux,rhel,dpdk',
    devices: MULTI_QUEUE,
    more: DPDK,
  }),
  ...onEveryArchitecture('rhel.9', 'Red Hat Enterprise Linux 9', { ...rhel, devices: IO_THREAD }),
  linux('rhel.9.desktop', 'Red Hat Enterprise Linux 9 Desktop (amd64)', {
    ...rhelAmd64,
    devices: { ...IO_THREAD, ...TABLET },
    more: SECURE_BOOT,
  }),
  linux('rhel.9.dpdk', 'Red Hat Enterprise Linux 9 DPDK (amd64)', {
    ...rhelAmd64,
    cpus: 8,
    tags: 'linux,rhel,dpdk',
    devices: { ...IO_THREAD, ...MULTI_QUEUE },
    more: { ...SECURE_BOOT, ...DPDK },
  }),
  linux('rhel.9.realtime', 'Red Hat Enterprise Linux 9 Realtime (amd64)', {
    ...rhelAmd64,
    cpus: 4,
    memory: '4Gi',
    tags: 'linux,rhel,realtime',
    devices: {
      ...IO_THREAD,
      ...MULTI_QUEUE,
      preferredAutoattachGraphicsDevice: false,
      preferredAutoattachMemBalloon: false,
      preferredAutoattachSerialConsole: true,
    },
    more: {
      ...SECURE_BOOT,
      cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads' } },
    },
  }),
  ...onEveryArchitecture('rhel.10', 'Red Hat Enterprise Linux 10', { ...rhel, devices: IO_THREAD }),
  linux('sles', 'SUSE Linux Enterprise Server', { memory: '2Gi' }),
  linux('ubuntu', 'Ubuntu', { memory: '2Gi' }),
];

const HYPERV: JsonObject = {
  frequencies: {},
  ipi: {},
  reenlightenment: {},
  relaxed: {},
  reset: {},
  runtime: {},
  spinlocks: { spinlocks: 8191 },
  synic: {},
  synictimer: { direct: {} },
  tlbflush: {},
  vapic: {},
  vpindex: {},
};

/** `bios` boots without EFI; `tpm` has a TPM and persistent firmware variables. */
type Boot = 'bios' | 'efi' | 'tpm';

interface Windows {
  readonly cpus?: number;
  readonly memory?: string;
  readonly boot?: Boot;
  readonly card?: string;
  readonly annotations?: JsonObject;
}

function windows(name: string, displayName: string, options: Windows, virtio: boolean): Preference {
  const { cpus = 1, memory = '2Gi', boot = 'efi', card = 'e1000e', annotations = {} } = options;
  const devices: JsonObject = virtio
    ? { ...TABLET, preferredDiskBus: 'virtio', preferredInterfaceModel: 'virtio', preferredVideoType: 'virtio' }
    : { preferredAutoattachInputDevice: true, preferredDiskBus: 'sata', preferredInterfaceModel: card };
  const features: JsonObject = { preferredAcpi: {}, preferredApic: {}, preferredHyperv: HYPERV };
  return {
    name: virtio ? `${name}.virtio` : name,
    displayName: virtio ? `${displayName} (virtio)` : displayName,
    icon: 'windows',
    tags: 'windows',
    osType: 'windows',
    needs: { cpus, memory },
    spec: {
      annotations: { 'vm.kubevirt.io/os': 'windows', ...annotations },
      clock: {
        preferredClockOffset: { utc: {} },
        preferredTimer: {
          hpet: { present: false },
          hyperv: {},
          pit: { tickPolicy: 'delay' },
          rtc: { tickPolicy: 'catchup' },
        },
      },
      cpu: { preferredCPUTopology: 'sockets' },
      devices: boot === 'tpm' ? { ...devices, preferredTPM: { persistent: true } } : devices,
      features: boot === 'bios' ? features : { ...features, preferredSmm: {} },
      ...(boot === 'bios'
        ? {}
        : { firmware: { preferredEfi: { secureBoot: true, ...(boot === 'tpm' ? { persistent: true } : {}) } } }),
      preferredTerminationGracePeriodSeconds: 3600,
    },
  };
}

const both = (name: string, displayName: string, options: Windows = {}): readonly Preference[] => [
  windows(name, displayName, options, false),
  windows(name, displayName, options, true),
];

const noPciHole = { 'kubevirt.io/disablePCIHole64': 'true' };

const windowses: readonly Preference[] = [
  ...both('windows.10', 'Microsoft Windows 10'),
  ...both('windows.11', 'Microsoft Windows 11', { cpus: 2, memory: '4Gi', boot: 'tpm' }),
  ...both('windows.2k12', 'Microsoft Windows Server 2012/2012 R2', { memory: '512Mi', boot: 'bios' }),
  ...both('windows.2k16', 'Microsoft Windows Server 2016'),
  ...both('windows.2k19', 'Microsoft Windows Server 2019'),
  ...both('windows.2k22', 'Microsoft Windows Server 2022', { boot: 'tpm' }),
  ...both('windows.2k25', 'Microsoft Windows Server 2025', { boot: 'tpm' }),
  ...both('windows.2k8', 'Microsoft Windows Server 2008/2008 R2', { memory: '512Mi', boot: 'bios', card: 'e1000' }),
  ...both('windows.7', 'Microsoft Windows 7', { boot: 'bios' }),
  windows(
    'windows.2k3',
    'Microsoft Windows Server 2003',
    { memory: '256Mi', boot: 'bios', card: 'rtl8139', annotations: noPciHole },
    false,
  ),
  windows('windows.xp', 'Microsoft Windows XP', { memory: '128Mi', boot: 'bios', annotations: noPciHole }, false),
];

const legacy: Preference = {
  name: 'legacy',
  displayName: 'Legacy Guest',
  icon: 'other',
  tags: 'legacy',
  osType: 'legacy',
  spec: {
    annotations: { 'vm.kubevirt.io/os': 'legacy' },
    devices: { preferredDiskBus: 'sata', preferredInterfaceModel: 'e1000' },
  },
};

export function commonPreferences(): readonly Unstructured[] {
  return [...linuxes, ...windowses, legacy].map(preference);
}

function preference({ name, displayName, icon, tags, osType, needs, spec }: Preference): Unstructured {
  const architecture = needs?.architecture;
  const labels: Record<string, string> = {
    [`${PREFIX}/os-type`]: osType,
    [`${PREFIX}/vendor`]: 'kubevirt.io',
    [`${PREFIX}/common-instancetypes-version`]: COMMON_INSTANCETYPES_VERSION,
    ...(needs === undefined
      ? {}
      : { [`${PREFIX}/required-cpu`]: String(needs.cpus), [`${PREFIX}/required-memory`]: needs.memory }),
    ...(architecture === undefined
      ? {}
      : {
          [`${PREFIX}/arch`]: architecture,
          [`${PREFIX}/preferred-architecture`]: architecture,
          [`${PREFIX}/required-architecture`]: architecture,
        }),
  };
  return {
    apiVersion: `${PREFIX}/v1beta1`,
    kind: 'VirtualMachineClusterPreference',
    metadata: {
      name,
      labels,
      annotations: {
        iconClass: `icon-${icon}`,
        'openshift.io/display-name': displayName,
        'openshift.io/provider-display-name': 'KubeVirt',
        tags: `hidden,kubevirt,${tags}`,
      },
    },
    spec: {
      ...spec,
      ...(needs === undefined
        ? {}
        : {
            requirements: {
              ...(architecture === undefined ? {} : { architecture }),
              cpu: { guest: needs.cpus },
              memory: { guest: needs.memory },
            },
          }),
    },
  };
}
