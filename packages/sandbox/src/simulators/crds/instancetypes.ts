/**
 * Instance types (the size of a VM) and preferences (what an operating system works best with), each cluster-wide and
 * namespaced.
 */
import type { Schema } from '../../objects/schema/schema.ts';
import { define, type InstalledDefinition, type Outline } from './definition.ts';
import { blockSize, gpuOptions, gpus, hostDevices, tpm } from './devices.ts';
import {
  clockOffset,
  cpuFeatures,
  efi,
  hugepages,
  ioThreads,
  launchSecurity,
  numa,
  realtime,
  timers,
} from './domain.ts';
import { preferredFeatures } from './features.ts';
import { fields, flag, int32, int64, integer, presence, quantity, text, textMap } from './schema.ts';

const shared = {
  group: 'instancetype.kubevirt.io',
  versions: ['v1beta1'],
  labels: { 'kubevirt.io': '' },
} satisfies Partial<Outline>;

const annotations = textMap('Annotations that the instance gets.');

const instancetypeSpec = (): Schema =>
  fields(
    'The size of a VM. A VM that uses it cannot set the same fields itself.',
    {
      cpu: fields(
        'Virtual CPUs.',
        {
          guest: int32('The number. A preference determines whether they are sockets, cores or threads.'),
          maxSockets: int32('The maximum number of sockets while the guest runs.'),
          model: text('A processor model, or host-model or host-passthrough.'),
          dedicatedCPUPlacement: flag('Each virtual CPU gets a dedicated physical CPU.'),
          isolateEmulatorThread: flag("One more physical CPU for the emulator's own work."),
          numa: numa(),
          realtime: realtime(),
        },
        { required: ['guest'] },
      ),
      memory: fields(
        'Memory.',
        {
          guest: quantity('The memory that the guest sees.'),
          maxGuest: quantity('The maximum while the guest runs.'),
          hugepages: hugepages(),
          overcommitPercent: integer('The percentage of it that is not requested of the node.', {
            minimum: 0,
            maximum: 100,
          }),
        },
        { required: ['guest'] },
      ),
      gpus: gpus(),
      hostDevices: hostDevices(),
      ioThreads: ioThreads(),
      ioThreadsPolicy: text('How disks share IO threads: shared, auto or supplementalPool.'),
      launchSecurity: launchSecurity('Encrypted memory, for confidential guests.'),
      nodeSelector: textMap('Labels that the node must have.'),
      schedulerName: text('The scheduler that places the launcher pod.'),
      annotations,
    },
    { required: ['cpu', 'memory'] },
  );

const preferredDevices = (): Schema =>
  fields('Preferred devices.', {
    preferredAutoattachGraphicsDevice: flag('A video card and VNC.'),
    preferredAutoattachInputDevice: flag('A tablet.'),
    preferredAutoattachMemBalloon: flag('A memory balloon.'),
    preferredAutoattachPodInterface: flag("A card on the pod's network."),
    preferredAutoattachSerialConsole: flag('A serial console.'),
    preferredBlockMultiQueue: flag('Virtio disks have one queue per virtual CPU.'),
    preferredNetworkInterfaceMultiQueue: flag('Virtio cards have one queue per virtual CPU.'),
    preferredDisableHotplug: flag('Nothing can be plugged while the guest runs.'),
    preferredUseVirtioTransitional: flag('Virtio in the transitional form that old guests support.'),
    preferredDiskBus: text('The bus of disks.'),
    preferredCdromBus: text('The bus of CD-ROMs.'),
    preferredLunBus: text('The bus of LUNs.'),
    preferredDiskCache: text('The cache of disks.'),
    preferredDiskIO: text('The IO mode of disks.'),
    preferredDiskDedicatedIoThread: flag('An IO thread for each virtio disk.'),
    preferredDiskBlockSize: blockSize('The block sizes of disks.'),
    preferredInputBus: text('The bus of tablets.'),
    preferredInputType: text('The type of input devices.'),
    preferredInterfaceModel: text('The model of network cards.'),
    preferredInterfaceMasquerade: presence('Network cards are masqueraded.'),
    preferredSoundModel: text('The model of sound cards.'),
    preferredPanicDeviceModel: text('The model of panic devices.'),
    preferredRng: presence('A source of random numbers.'),
    preferredTPM: tpm('A TPM.'),
    preferredVideoType: text('The type of the video card.'),
    preferredVirtualGPUOptions: gpuOptions('Options of virtual GPUs.'),
  });

const preferenceSpec = (): Schema =>
  fields('The preferred settings of an operating system. Fields that a VM sets take precedence.', {
    requirements: fields('The minimum requirements for a VM.', {
      architecture: text('The architecture.'),
      cpu: fields('Virtual CPUs.', { guest: int32('The number.') }, { required: ['guest'] }),
      memory: fields('Memory.', { guest: quantity('How much.') }, { required: ['guest'] }),
    }),
    cpu: fields('Preferred layout of virtual CPUs.', {
      preferredCPUTopology: text(
        'How the CPUs of an instance type are presented: sockets, cores, threads, spread or any.',
      ),
      preferredCPUFeatures: cpuFeatures(),
      spreadOptions: fields('For spread.', {
        across: text('SocketsCores, CoresThreads or SocketsCoresThreads.'),
        ratio: int32('The ratio. Default: 2.'),
      }),
    }),
    preferSpreadSocketToCoreRatio: int32('Deprecated: use cpu.spreadOptions.'),
    clock: fields('Preferred time.', {
      preferredClockOffset: fields('What the clock shows.', clockOffset()),
      preferredTimer: timers(),
    }),
    devices: preferredDevices(),
    features: preferredFeatures('Preferred features of the hypervisor.'),
    firmware: fields('Preferred firmware.', {
      preferredEfi: efi('UEFI.'),
      preferredUseBios: flag('A BIOS.'),
      preferredUseBiosSerial: flag('The BIOS also writes to the serial console.'),
      preferredUseEfi: flag('Deprecated: use preferredEfi.'),
      preferredUseSecureBoot: flag('Deprecated: use preferredEfi.'),
    }),
    machine: fields('Preferred chipset.', { preferredMachineType: text('Such as q35.') }),
    volumes: fields('Preferred storage.', { preferredStorageClassName: text('The StorageClass of new disks.') }),
    preferredArchitecture: text('The architecture.'),
    preferredLaunchSecurity: launchSecurity('Encrypted memory.'),
    preferredSubdomain: text('The subdomain.'),
    preferredTerminationGracePeriodSeconds: int64('How long the guest may take to shut down.'),
    annotations,
  });

const instancetypeText = 'The size of a VM: virtual CPUs, memory, and related settings';
const preferenceText = 'The preferences of an operating system: buses, firmware, timers, and its minimum requirements';

export const instancetypeDefinitions: readonly InstalledDefinition[] = [
  define({
    ...shared,
    kind: 'VirtualMachineInstancetype',
    plural: 'virtualmachineinstancetypes',
    shortNames: ['vminstancetype', 'vminstancetypes', 'vmf', 'vmfs'],
    inAll: true,
    description: `${instancetypeText}. For VMs of the same namespace.`,
    spec: instancetypeSpec(),
  }),
  define({
    ...shared,
    kind: 'VirtualMachineClusterInstancetype',
    plural: 'virtualmachineclusterinstancetypes',
    shortNames: ['vmclusterinstancetype', 'vmclusterinstancetypes', 'vmcf', 'vmcfs'],
    clusterScoped: true,
    description: `${instancetypeText}. For VMs of all namespaces.`,
    spec: instancetypeSpec(),
  }),
  define({
    ...shared,
    kind: 'VirtualMachinePreference',
    plural: 'virtualmachinepreferences',
    shortNames: ['vmpref', 'vmprefs', 'vmp', 'vmps'],
    inAll: true,
    description: `${preferenceText}. For VMs of the same namespace.`,
    spec: preferenceSpec(),
  }),
  define({
    ...shared,
    kind: 'VirtualMachineClusterPreference',
    plural: 'virtualmachineclusterpreferences',
    shortNames: ['vmcp', 'vmcps'],
    clusterScoped: true,
    description: `${preferenceText}. For VMs of all namespaces.`,
    spec: preferenceSpec(),
  }),
];
