/** The disks of a machine, from the volumes of its specification and, where it runs, from what is attached. */
import { bytes } from './quantity.ts';
import { fields, known, list, text, type Fields } from './reading.ts';

export interface Disk {
  readonly name: string;
  readonly claim?: string;
  readonly bytes?: number;
}

/** A machine with more has something else in mind; nobody reads such a list. */
const MOST_DISKS = 64;

/** Kinds of volumes that hold a disk: the others hand data to the guest (cloud-init, secrets) or take it out (memory dump). */
const diskKinds = ['dataVolume', 'persistentVolumeClaim', 'containerDisk', 'ephemeral', 'emptyDisk', 'hostDisk'];

export function disksOf(volumes: unknown, sizeOf: (volume: string, claim: string | undefined) => unknown): Disk[] {
  const disks: Disk[] = [];
  for (const volume of list(volumes).map(fields)) {
    const name = text(volume['name']);
    if (name === undefined || !diskKinds.some((kind) => volume[kind] !== undefined)) continue;
    const claim = claimOf(volume);
    const size =
      sizeOf(name, claim) ?? fields(volume['emptyDisk'])['capacity'] ?? fields(volume['hostDisk'])['capacity'];
    disks.push(known<Disk>({ name, claim, bytes: bytes(size) }));
    if (disks.length === MOST_DISKS) break;
  }
  return disks;
}

/** A DataVolume and its claim share one name. */
function claimOf(volume: Fields): string | undefined {
  const { dataVolume, persistentVolumeClaim } = volume;
  return text(fields(dataVolume)['name']) ?? text(fields(persistentVolumeClaim)['claimName']);
}

/** What each dataVolumeTemplate asks for, by its name. */
export function requestedSizes(templates: unknown): ReadonlyMap<string, unknown> {
  const sizes = new Map<string, unknown>();
  for (const template of list(templates).map(fields)) {
    const name = text(fields(template['metadata'])['name']);
    const spec = fields(template['spec']);
    const claim = fields(spec['storage'] ?? spec['pvc']);
    const size = fields(fields(claim['resources'])['requests'])['storage'];
    if (name !== undefined && size !== undefined) sizes.set(name, size);
  }
  return sizes;
}

/** What each attached claim really has, by the volume's name. */
export function attachedSizes(volumeStatus: unknown): ReadonlyMap<string, unknown> {
  const sizes = new Map<string, unknown>();
  for (const volume of list(volumeStatus).map(fields)) {
    const name = text(volume['name']);
    const claim = fields(volume['persistentVolumeClaimInfo']);
    const size = fields(claim['capacity'])['storage'] ?? fields(claim['requests'])['storage'] ?? volume['size'];
    if (name !== undefined && size !== undefined) sizes.set(name, size);
  }
  return sizes;
}
