/** The disks of a VM: those in the cluster, and requested ones. */
import type { Vm } from '../../db/vms/vms.ts';
import { rootDisk } from '../../kubevirt/tenant-vm/disk-names.ts';
import type { VmSpec } from '../../kubevirt/tenant-vm/spec.ts';
import type { DiskShape } from './schemas.ts';

const mebibyte = 2 ** 20;

/** `specOf` returns the spec in the row; a discovered VM may have none. */
export function specOf({ spec }: Pick<Vm, 'spec'>): Partial<VmSpec> {
  return spec;
}

export function shownDisks(vm: Pick<Vm, 'spec' | 'disks'>): DiskShape[] {
  const seen = vm.disks ?? [];
  const spec = specOf(vm);
  const known = new Set(seen.map(({ name }) => name));
  const boots = known.has(rootDisk) || seen.length === 0 ? rootDisk : seen[0]?.name;
  const root = spec.source?.kind === 'direct' && seen.length === 0 ? [{ name: rootDisk, ...spec.rootDisk }] : [];
  const asked = [...root, ...(spec.disks ?? [])];
  const coming = asked.filter(({ name }) => !known.has(name));
  return [
    ...seen.map(({ name, bytes }) => ({
      name,
      // The cluster does not report the size of a hotplugged disk at once.
      sizeMb:
        bytes === undefined ? (asked.find((one) => one.name === name)?.sizeMb ?? null) : Math.ceil(bytes / mebibyte),
      boot: name === boots,
    })),
    ...coming.map(({ name, sizeMb }) => ({ name, sizeMb: sizeMb ?? null, boot: name === boots })),
  ];
}

/** `storageOf` returns the storage that counts against the limit: as requested, or the actual size if nothing was requested. */
export function storageOf(vm: Pick<Vm, 'spec' | 'disks'>): number {
  const { storageMb } = specOf(vm);
  return storageMb ?? Math.ceil((vm.disks ?? []).reduce((sum, { bytes = 0 }) => sum + bytes, 0) / mebibyte);
}
