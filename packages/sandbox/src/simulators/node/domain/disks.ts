/** The disks of a domain: the target of each in the guest, and whether they prevent a migration. */
import type { JsonObject } from '../../../values/json.ts';
import { listAt, objectAt, textAt, valueAt } from '../../../objects/kinds/values/fields.ts';
import type { VirtualMachineInstance, Volume } from '../../kubevirt/objects.ts';
import { devicesOf } from './step.ts';

const prefixes: Readonly<Record<string, string>> = { virtio: 'vd', sata: 'sd', scsi: 'sd', usb: 'sd' };

/** `vda`, `vdb`, `sda` … by the name of the volume, in the order of the disks. */
export function targets(vmi: VirtualMachineInstance): ReadonlyMap<string, string> {
  const used = new Map<string, number>();
  const found = new Map<string, string>();
  for (const disk of listAt(devicesOf(vmi), 'disks')) {
    const prefix = valueAt(prefixes, busOf(disk)) ?? 'vd';
    const place = used.get(prefix) ?? 0;
    used.set(prefix, place + 1);
    found.set(textAt(disk, 'name'), `${prefix}${letters(place)}`);
  }
  return found;
}

function busOf(disk: JsonObject): string {
  const device = objectAt(disk, 'disk') ?? objectAt(disk, 'lun') ?? objectAt(disk, 'cdrom');
  return textAt(device, 'bus') || (objectAt(disk, 'cdrom') === undefined ? 'virtio' : 'sata');
}

/** a … z, aa, ab … */
function letters(place: number): string {
  const letter = String.fromCharCode(97 + (place % 26));
  return place < 26 ? letter : letters(Math.floor(place / 26) - 1) + letter;
}

/** Existing statuses are kept, each with its target. Hotplugged volumes get theirs when they are attached. */
export function volumeStatuses(vmi: VirtualMachineInstance): readonly JsonObject[] {
  const found = targets(vmi);
  return (vmi.status?.volumeStatus ?? []).map((one) =>
    objectAt(one, 'hotplugVolume') === undefined ? { ...one, target: found.get(textAt(one, 'name')) ?? '' } : one,
  );
}

export function claimOf(volume: Volume): string | undefined {
  return volume.persistentVolumeClaim?.claimName ?? volume.dataVolume?.name;
}

/** Why the disks prevent a migration, in KubeVirt's words. */
export function diskObstacle(
  vmi: VirtualMachineInstance,
  accessModes: (claim: string) => readonly string[] | undefined,
): string | undefined {
  for (const volume of vmi.spec.volumes ?? []) {
    const claim = claimOf(volume);
    if (claim === undefined || accessModes(claim)?.includes('ReadWriteMany') === true) continue;
    return `cannot migrate VMI: PVC ${claim} is not shared, live migration requires that all PVCs must be shared (using ReadWriteMany access mode)`;
  }
  return undefined;
}
