/** The disks of a VM: from the volumes of its spec and, while it runs, from the attached volumes. */
import { bytes } from '@ssvirt/base/values/quantity';
import { fields, known, list, text, type Fields } from './reading.ts';

export interface Disk {
  readonly name: string;
  readonly claim?: string;
  readonly bytes?: number;
}

/** A longer list is unreadable, so further disks are left out. */
const MOST_DISKS = 64;

/**
 * The kinds of volumes that hold a disk. The others hand data to the guest (cloud-init, secrets) or take it out (memory
 * dump).
 */
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

/** A DataVolume and its claim have the same name. */
function claimOf(volume: Fields): string | undefined {
  const { dataVolume, persistentVolumeClaim } = volume;
  return text(fields(dataVolume)['name']) ?? text(fields(persistentVolumeClaim)['claimName']);
}

/** `requestedSizes` returns the size that each dataVolumeTemplate requests, by its name. */
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

/** `attachedSizes` returns the real size of each attached claim, by the volume's name. */
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
