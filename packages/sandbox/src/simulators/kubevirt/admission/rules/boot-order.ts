/** Matches disks with volumes, and checks the boot order of devices. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, numberAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, required, type Cause } from '../cause.ts';
import { devicesOf } from './amounts.ts';

export function bootOrderCauses(field: string, spec: JsonObject): Cause[] {
  const volumes = new Map(listAt(spec, 'volumes').map((volume) => [textAt(volume, 'name'), volume]));
  const orders = new Set<number>();
  const disks = listAt(devicesOf(spec), 'disks').flatMap((disk, index) => {
    const at = `${field}.domain.devices.disks[${index}]`;
    const volume = volumes.get(textAt(disk, 'name'));
    return [...volumeCauses(at, disk, volume), ...takenCauses(at, disk, orders)];
  });
  const interfaces = listAt(devicesOf(spec), 'interfaces').flatMap((one, index) => {
    const at = `${field}.domain.devices.interfaces[${index}]`;
    if (!isSet(one, 'bootOrder')) return [];
    if (numberAt(one, 'bootOrder') < 1) {
      // KubeVirt reports the path of the spec here, not that of the interface.
      const wrong = `${field}[${index}]`;
      return [invalid(`${wrong} must have a boot order > 0, if supplied`, `${wrong}.bootOrder`)];
    }
    return takenCauses(at, one, orders);
  });
  return [...disks, ...interfaces];
}

function volumeCauses(at: string, disk: JsonObject, volume: JsonObject | undefined): Cause[] {
  const causes: Cause[] = [];
  // A CD-ROM drive may be empty: a medium can be inserted later.
  if (volume === undefined && !isSet(disk, 'cdrom'))
    causes.push(invalid(`${at}.Name '${textAt(disk, 'name')}' not found.`, `${at}.name`));
  const claimed = isSet(volume, 'persistentVolumeClaim') || isSet(volume, 'dataVolume');
  if (isSet(disk, 'lun') && volume !== undefined && !claimed)
    causes.push(invalid(`${at}.lun can only be mapped to a DataVolume or PersistentVolumeClaim volume.`, `${at}.lun`));
  if (isSet(volume, 'downwardMetrics')) causes.push(...metricsCauses(at, disk));
  return causes;
}

function metricsCauses(at: string, disk: JsonObject): Cause[] {
  const target = objectAt(disk, 'disk');
  if (target === undefined) {
    const text = `DownwardMetrics volume must be mapped to a disk, but disk is not set on ${at}.disk.`;
    return [required(text, `${at}.disk`)];
  }
  const bus = textAt(target, 'bus');
  if (bus === '' || bus === 'virtio') return [];
  const text = `DownwardMetrics volume must be mapped to virtio bus, but ${at}.disk.bus is set to ${bus}`;
  return [invalid(text, `${at}.disk.bus`)];
}

function takenCauses(at: string, device: JsonObject, orders: Set<number>): Cause[] {
  if (!isSet(device, 'bootOrder')) return [];
  const order = numberAt(device, 'bootOrder');
  const taken = orders.has(order);
  orders.add(order);
  if (!taken) return [];
  return [invalid(`Boot order for ${at}.bootOrder already set for a different device.`, `${at}.bootOrder`)];
}
