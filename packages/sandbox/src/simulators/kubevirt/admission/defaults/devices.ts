/** Disks and the watchdog. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, setDefault, textAt } from '../../../../objects/kinds/values/fields.ts';
import { devicesOf } from '../rules/amounts.ts';

const TARGETS = ['disk', 'cdrom', 'lun'];

export function setDeviceDefaults(spec: JsonObject): void {
  const bus = defaultBus(textAt(spec, 'architecture'));
  for (const disk of listAt(devicesOf(spec), 'disks')) {
    if (!TARGETS.some((target) => isSet(disk, target))) disk['disk'] = {};
    for (const target of TARGETS) {
      const device = objectAt(disk, target);
      if (device !== undefined && textAt(device, 'bus') === '') device['bus'] = bus;
    }
    const cdrom = objectAt(disk, 'cdrom');
    if (cdrom === undefined) continue;
    setDefault(cdrom, 'readonly', true);
    if (textAt(cdrom, 'tray') === '') cdrom['tray'] = 'closed';
  }
  const watchdog = objectAt(devicesOf(spec), 'watchdog');
  if (watchdog === undefined) return;
  if (!isSet(watchdog, 'i6300esb') && !isSet(watchdog, 'diag288')) watchdog['i6300esb'] = {};
  const device = objectAt(watchdog, 'i6300esb') ?? objectAt(watchdog, 'diag288');
  if (device !== undefined && textAt(device, 'action') === '') device['action'] = 'reset';
}

const defaultBus = (architecture: string): string =>
  architecture === 'arm64' || architecture === 's390x' ? 'virtio' : 'sata';
