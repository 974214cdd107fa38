/**
 * The virtual hardware that a guest sees: processors, memory, firmware, clock. Instance types and preferences share
 * parts of it.
 */
import type { Schema } from '../../objects/schema/schema.ts';
import { devices } from './devices.ts';
import { features } from './features.ts';
import { computeResources } from './kubernetes-fields.ts';
import { fields, flag, int32, integer, list, open, presence, quantity, text, word } from './schema.ts';

const timer = (description: string, policies?: string, more: Record<string, Schema> = {}): Schema =>
  fields(description, {
    present: flag('Whether the guest has it. Default: true.'),
    ...(policies === undefined ? {} : { tickPolicy: text(`What happens to missed ticks: ${policies}.`) }),
    ...more,
  });

export const timers = (): Schema =>
  fields('The timers that the guest has.', {
    hpet: timer('The high precision event timer.', 'delay, catchup, merge or discard'),
    hyperv: timer("Hyper-V's reference clock, for Windows guests."),
    kvm: timer('The KVM clock.'),
    pit: timer('The programmable interval timer.', 'delay, catchup or discard'),
    rtc: timer('The real time clock.', 'delay or catchup', { track: text('What it follows: guest or wall.') }),
  });

export const clockOffset = (): Record<string, Schema> => ({
  timezone: text("The guest's clock shows the time of this zone, such as Europe/Oslo."),
  utc: fields("The guest's clock shows UTC.", {
    offsetSeconds: integer('The offset in seconds. Without it, the guest keeps its own changes.'),
  }),
});

export const cpuFeatures = (): Schema =>
  list(
    'Single features of the processor.',
    fields(
      'One feature.',
      {
        name: text('Its name, as libvirt knows it.'),
        policy: text('force, require (the default), optional, disable or forbid.'),
      },
      { required: ['name'] },
    ),
  );

export const numa = (): Schema =>
  fields('NUMA cells of the guest.', {
    guestMappingPassthrough: presence('The cells match those of the host; needs dedicated CPUs and huge pages.'),
  });

export const realtime = (): Schema =>
  fields('For guests with real-time requirements.', {
    mask: text('The affected virtual CPUs, such as 0-3,^1. Default: all.'),
  });

const cpu = (): Schema =>
  fields('Virtual CPUs: sockets × cores × threads.', {
    sockets: int32('The number of sockets. More can be plugged while the guest runs.'),
    cores: int32('Cores of each socket.'),
    threads: int32('Threads of each core.'),
    maxSockets: int32('The maximum number of sockets while the guest runs.'),
    model: text('A processor model, or host-model (the default) or host-passthrough.'),
    features: cpuFeatures(),
    dedicatedCpuPlacement: flag('Each virtual CPU gets a dedicated physical CPU.'),
    isolateEmulatorThread: flag("One more physical CPU for the emulator's own work."),
    numa: numa(),
    realtime: realtime(),
  });

export const hugepages = (): Schema =>
  fields("Back the guest's memory by huge pages.", { pageSize: text('Such as 2Mi or 1Gi.') });

const memory = (): Schema =>
  fields("The guest's memory.", {
    guest: quantity('The memory that the guest sees. It can be increased while the guest runs.'),
    maxGuest: quantity('The maximum while the guest runs.'),
    hugepages: hugepages(),
    reservedOverhead: fields('Memory that the launcher pod gets beyond the guest.', {
      addedOverhead: quantity('The additional amount.'),
      memLock: word('Whether memory is locked.', ['NotRequired', 'Required']),
    }),
  });

export const efi = (description: string): Schema =>
  fields(description, {
    secureBoot: flag('Only signed software boots; needs the feature smm. Default: true.'),
    persistent: flag('Variables of the firmware survive a stop.'),
  });

const firmware = (): Schema =>
  fields('Firmware of the VM.', {
    uuid: text("The VM's UUID, as the guest reads it. Filled in at creation."),
    serial: text("The VM's serial number. Filled in at creation."),
    bootloader: fields('How it boots.', {
      bios: fields('By a BIOS; the default.', { useSerial: flag('The BIOS also writes to the serial console.') }),
      efi: efi('By UEFI.'),
    }),
    acpi: fields('ACPI tables.', {
      slicNameRef: text('The volume that holds the SLIC table.'),
      msdmNameRef: text('The volume that holds the MSDM table.'),
    }),
    kernelBoot: fields('Boot a kernel directly, without a bootloader.', {
      kernelArgs: text("The kernel's arguments."),
      container: fields(
        'The image that holds the kernel.',
        {
          image: text('The image.'),
          imagePullPolicy: text('Always, IfNotPresent or Never.'),
          imagePullSecret: text('The Secret to pull it with.'),
          kernelPath: text('Where the kernel is in it.'),
          initrdPath: text('Where the initial RAM disk is in it.'),
        },
        { required: ['image'] },
      ),
    }),
  });

export const launchSecurity = (description: string): Schema =>
  fields(description, {
    sev: fields('AMD SEV.', {
      attestation: presence('The owner attests the guest before it starts.'),
      dhCert: text("The owner's Diffie-Hellman key, in base64."),
      policy: fields('The policy of the guest.', { encryptedState: flag('Registers are encrypted too (SEV-ES).') }),
      session: text('The session blob, in base64.'),
    }),
    snp: presence('AMD SEV-SNP.'),
    tdx: presence('Intel TDX.'),
  });

export const ioThreads = (): Schema =>
  fields('For the policy supplementalPool.', { supplementalPoolThreadCount: int32('The number of IO threads.') });

export const domain = (): Schema =>
  fields(
    'The virtual hardware that the guest sees.',
    {
      chassis: fields('What the guest reads about its chassis.', {
        manufacturer: text('The manufacturer.'),
        version: text('The version.'),
        serial: text('The serial number.'),
        asset: text('The asset tag.'),
        sku: text('The SKU.'),
      }),
      // The real definition preserves unknown fields here, too.
      clock: open('Time in the guest.', { ...clockOffset(), timer: timers() }),
      cpu: cpu(),
      devices: devices(),
      features: features('Features of the hypervisor that the guest sees.'),
      firmware: firmware(),
      ioThreads: ioThreads(),
      ioThreadsPolicy: text('How disks share IO threads: shared, auto or supplementalPool.'),
      launchSecurity: launchSecurity('Encrypted memory, for confidential guests.'),
      machine: fields('The chipset.', { type: text('Such as q35, which is the default.') }),
      memory: memory(),
      rebootPolicy: word('What happens when the guest reboots itself.', ['Reboot', 'Terminate']),
      resources: fields('Resources of the launcher pod.', {
        ...computeResources(),
        overcommitGuestOverhead: flag(
          "The hypervisor's own memory is not requested: more guests fit, but they may run out of memory.",
        ),
      }),
    },
    { required: ['devices'] },
  );
