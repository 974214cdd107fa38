/** Disks of a VM: what CDI is asked for, and how the VM refers to it. */
import { defined } from '@ssvirt/base/values/defined';
import { dataVolumeName } from './names.ts';
import type { BootSource, DiskSpec } from './spec.ts';

type DiskSize = Partial<Omit<DiskSpec, 'name'>>;
type Json = Readonly<Record<string, unknown>>;

/**
 * `storage`, not `pvc`: CDI then takes access mode and volume mode from the class, and adds the overhead of the file
 * system. A clone without a size has the size of its source.
 */
function claim({ sizeMb, storageClass }: DiskSize): Json {
  return {
    ...(sizeMb === undefined ? {} : { resources: { requests: { storage: mebibytes(sizeMb) } } }),
    ...defined({ storageClassName: storageClass }),
  };
}

export function blankDisk(size: DiskSize): Json {
  return { source: { blank: {} }, storage: claim(size) };
}

/** `bootDisk` returns the spec of the DataVolume that a VM boots from; undefined for a container disk, which needs none. */
export function bootDisk(boot: BootSource, size: DiskSize): Json | undefined {
  switch (boot.kind) {
    case 'image':
      return undefined;
    case 'dataSource':
      return {
        sourceRef: { kind: 'DataSource', namespace: boot.namespace, name: boot.name },
        storage: claim(size),
      };
    case 'url':
      return { source: { http: { url: boot.url } }, storage: claim(size) };
    case 'blank':
      return blankDisk(size);
  }
}

/** `diskVolume` returns the volume of a disk; it has the disk's name. */
export function diskVolume(vmName: string, disk: string): Json {
  return { name: disk, dataVolume: { name: dataVolumeName(vmName, disk) } };
}

/** A MB is a MiB, as in VCD. */
export function mebibytes(mb: number): string {
  return `${mb}Mi`;
}
