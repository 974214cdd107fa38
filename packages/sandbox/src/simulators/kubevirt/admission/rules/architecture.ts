/** The limits of each architecture; checked for a VMI only. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, notSupported, type Cause } from '../cause.ts';
import { devicesOf, domainOf } from './amounts.ts';
import { hasSecureBoot } from './firmware.ts';

const VIDEO: Readonly<Record<string, readonly string[]>> = {
  amd64: ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs'],
  arm64: ['virtio', 'ramfb'],
  s390x: ['virtio'],
};

export function architectureCauses(field: string, spec: JsonObject): Cause[] {
  const architecture = textAt(spec, 'architecture');
  const videos = VIDEO[architecture];
  if (videos === undefined) return [invalid(`unsupported architecture: ${architecture}`, `${field}.architecture`)];
  const causes = architecture === 'arm64' ? armCauses(field, spec) : [];
  const watchdog = objectAt(devicesOf(spec), 'watchdog');
  if (
    architecture === 'amd64' &&
    watchdog !== undefined &&
    (!isSet(watchdog, 'i6300esb') || isSet(watchdog, 'diag288'))
  ) {
    const text = 'amd64 only supports I6300ESB watchdog device';
    causes.push(notSupported(text, `${field}.domain.devices.watchdog`));
  }
  const video = objectAt(devicesOf(spec), 'video');
  const type = textAt(video, 'type');
  if (video !== undefined && !videos.includes(type)) {
    const text = `video model '${type}' is not supported on ${architecture} architecture`;
    causes.push(notSupported(text, `${field}.domain.devices.video.type`));
  }
  return causes;
}

function armCauses(field: string, spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const domain = domainOf(spec);
  const bootloader = objectAt(objectAt(domain, 'firmware'), 'bootloader');
  if (isSet(bootloader, 'bios')) {
    const text = 'Arm64 does not support bios boot, please change to uefi boot';
    causes.push(notSupported(text, `${field}.domain.firmware.bootloader.bios`));
  }
  if (hasSecureBoot(domain)) {
    const text = 'UEFI secure boot is currently not supported on aarch64 Arch';
    causes.push(notSupported(text, `${field}.domain.firmware.bootloader.efi.secureboot`));
  }
  for (const [index, disk] of listAt(devicesOf(spec), 'disks').entries()) {
    for (const target of ['disk', 'cdrom', 'lun']) {
      const bus = textAt(objectAt(disk, target), 'bus');
      if (bus === 'sata') {
        const text = 'Arm64 not support this disk bus type, please use virtio or scsi';
        causes.push(notSupported(text, `${field}.domain.devices.disks[${index}].${target}.bus`));
      }
    }
  }
  if (isSet(devicesOf(spec), 'watchdog'))
    causes.push(notSupported('Arm64 not support Watchdog device', `${field}.domain.devices.watchdog`));
  return causes;
}
