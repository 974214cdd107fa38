/** The devices of a domain. */
import type { Schema } from '../../objects/schema/schema.ts';
import { atomicList, fields, flag, int32, integer, list, presence, text, texts, type Properties } from './schema.ts';

const MOST = { maxItems: 256 };

export const blockSize = (description: string): Schema =>
  fields(description, {
    custom: fields('These sizes, in bytes.', {
      logical: integer('What the guest addresses.'),
      physical: integer('What the disk writes at once.'),
      discardGranularity: integer('What can be discarded at once.'),
    }),
    matchVolume: fields('The block sizes of the volume.', { enabled: flag('Default: true.') }),
  });

export const disk = (): Schema =>
  fields(
    'A disk. Its volume is the one with the same name.',
    {
      name: text('The name of the disk and of its volume.'),
      disk: fields('It appears as a disk; the default.', {
        bus: text('virtio, sata, scsi or usb.'),
        readonly: flag('The guest cannot write to it.'),
        pciAddress: text('Its PCI address, such as 0000:81:01.10; for virtio only.'),
      }),
      cdrom: fields('It appears as a CD-ROM.', {
        bus: text('sata, scsi or virtio.'),
        readonly: flag('Default: true.'),
        tray: text('open or closed (the default).'),
      }),
      lun: fields('The guest talks SCSI to the volume itself.', {
        bus: text('scsi, sata or virtio.'),
        readonly: flag('The guest cannot write to it.'),
        reservation: flag('The guest may use SCSI reservations, as clustered guests do.'),
      }),
      bootOrder: integer('From 1 on: the lowest is tried first. No two devices have the same.'),
      cache: text('none, writethrough or writeback.'),
      io: text('native, default or threads.'),
      errorPolicy: text('What happens on an IO error: stop (the default), ignore, report or enospace.'),
      serial: text('The serial number that the guest reads.'),
      tag: text('A tag in the metadata of the guest.'),
      blockSize: blockSize('The block sizes that the guest sees.'),
      dedicatedIOThread: flag('It has an IO thread to itself.'),
      shareable: flag('Other guests may use the volume at the same time.'),
      changedBlockTracking: flag('Changed blocks are tracked, for incremental backups.'),
    },
    { required: ['name'] },
  );

const portProtocol = text('TCP (the default) or UDP.');

const networkInterface = (): Schema =>
  fields(
    'A network card. Its network is the one with the same name.',
    {
      name: text('The name of the card and of its network.'),
      model: text('virtio (the default), e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139.'),
      macAddress: text('Its MAC address. Default: generated.'),
      masquerade: presence("Behind the pod's address, by address translation."),
      bridge: presence('On a bridge with the network.'),
      sriov: presence('A virtual function of a card of the node.'),
      binding: fields(
        'By a plug-in that the cluster has registered.',
        { name: text('Its name.') },
        { required: ['name'] },
      ),
      passtBinding: presence('By passt, built in.'),
      macvtap: presence('No longer supported.'),
      passt: presence('No longer supported.'),
      slirp: presence('No longer supported.'),
      ports: list(
        'Ports that are forwarded to the guest. Default: all.',
        fields(
          'One port.',
          {
            name: text('A name for it.'),
            port: int32('Its number: 1 to 65535.'),
            protocol: portProtocol,
          },
          { required: ['port'] },
        ),
      ),
      portRanges: atomicList(
        'Ranges of ports that are forwarded to the guest.',
        fields(
          'From one port to another.',
          { start: int32('The first.'), end: int32('The last.'), protocol: text('TCP or UDP.') },
          { required: ['end', 'protocol', 'start'] },
        ),
      ),
      state: text('The link: up (the default) or down; absent unplugs the card.'),
      bootOrder: integer('From 1 on: the lowest is tried first. No two devices have the same.'),
      acpiIndex: integer("Determines the guest's name for the card."),
      pciAddress: text('Its PCI address, such as 0000:81:01.10.'),
      tag: text('A tag in the metadata of the guest.'),
      dhcpOptions: fields('What the DHCP server tells the guest.', {
        bootFileName: text('Option 67: the file to boot.'),
        tftpServerName: text('Option 66: the server to boot from.'),
        ntpServers: texts('Option 42: time servers.'),
        privateOptions: list(
          'Options from 224 to 254.',
          fields(
            'One option.',
            { option: integer('Its number.'), value: text('Its value.') },
            { required: ['option', 'value'] },
          ),
        ),
      }),
    },
    { required: ['name'] },
  );

const claimed: Properties = {
  name: text('The name of the device.'),
  deviceName: text("The resource that the node's device plug-in offers."),
  claimName: text('The entry of resourceClaims that it comes from.'),
  requestName: text('The request in that claim.'),
  tag: text('A tag in the metadata of the guest.'),
};

export const gpuOptions = (description: string): Schema =>
  fields(description, {
    display: fields('A display of the virtual GPU.', {
      enabled: flag('Default: true.'),
      ramFB: fields('Shows a picture before the driver is loaded.', { enabled: flag('Default: true.') }),
    }),
  });

export const gpus = (): Schema =>
  atomicList(
    'GPUs of the node.',
    fields('One GPU.', { ...claimed, virtualGPUOptions: gpuOptions('For virtual GPUs.') }, { required: ['name'] }),
  );

export const hostDevices = (): Schema =>
  atomicList('Other devices of the node.', fields('One device.', claimed, { required: ['name'] }));

const watchdogAction = text('What happens when the guest does not answer: poweroff, reset or shutdown.');

export const tpm = (description: string): Schema =>
  fields(description, {
    enabled: flag('Default: true.'),
    persistent: flag('What it stores survives a stop.'),
  });

export const devices = (): Schema =>
  fields('Disks, network cards and other devices.', {
    disks: list('The disks.', disk(), MOST),
    interfaces: list('The network cards.', networkInterface(), MOST),
    inputs: list(
      'Tablets and keyboards.',
      fields(
        'One of them.',
        {
          name: text('The name of the device.'),
          type: text('tablet or keyboard.'),
          bus: text('virtio or usb.'),
        },
        { required: ['name', 'type'] },
      ),
    ),
    gpus: gpus(),
    hostDevices: hostDevices(),
    filesystems: atomicList(
      'Volumes that the guest sees as file systems.',
      fields(
        'One of them.',
        { name: text('The name of the volume, and the tag in the guest.'), virtiofs: presence('By virtiofs.') },
        { required: ['name', 'virtiofs'] },
      ),
    ),
    watchdog: fields(
      'A watchdog.',
      {
        name: text('The name of the device.'),
        i6300esb: fields('On x86.', { action: watchdogAction }),
        diag288: fields('On s390x.', { action: watchdogAction }),
      },
      { required: ['name'] },
    ),
    sound: fields(
      'A sound card.',
      { name: text('The name of the device.'), model: text('ich9 (the default) or ac97.') },
      { required: ['name'] },
    ),
    tpm: tpm('A TPM, which Windows 11 requires.'),
    rng: presence('A source of random numbers.'),
    video: fields('The video card.', { type: text('virtio, vga, bochs, cirrus or ramfb.') }),
    panicDevices: list(
      'Devices with which the guest reports a crash.',
      fields('One of them.', { model: text('hyperv, isa or pvpanic.') }),
    ),
    clientPassthrough: presence("USB devices of the console's user can be passed through."),
    downwardMetrics: presence('The guest can read metrics of its host.'),
    autoattachGraphicsDevice: flag('Adds a video card and VNC. Default: true.'),
    autoattachInputDevice: flag('A tablet.'),
    autoattachMemBalloon: flag('Adds a memory balloon. Default: true.'),
    autoattachPodInterface: flag("Adds a card on the pod's network if no network is named. Default: true."),
    autoattachSerialConsole: flag('Adds a serial console. Default: true.'),
    autoattachVSOCK: flag('A VSOCK device.'),
    logSerialConsole: flag('The output of the serial console is written to a log of the launcher pod.'),
    blockMultiQueue: flag('Virtio disks have one queue per virtual CPU.'),
    networkInterfaceMultiqueue: flag('Virtio cards have one queue per virtual CPU.'),
    disableHotplug: flag('Nothing can be plugged while the guest runs.'),
    useVirtioTransitional: flag('Virtio in the transitional form that old guests support.'),
  });
