/** The disks of a machine: those that the cluster has, and those that are on their way. */
import type { Vm } from '../../db/vms.ts';
import { rootDisk } from '../../virt/machine/disk-names.ts';
import type { MachineSpec } from '../../virt/machine/spec.ts';
import type { DiskShape } from './schemas.ts';

const mebibyte = 2 ** 20;

/** What stands in the row; all of it may be absent in one that was discovered. */
export function specOf({ spec }: Pick<Vm, 'spec'>): Partial<MachineSpec> {
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
      // Of one that was plugged in, the cluster does not say it at once.
      sizeMb:
        bytes === undefined ? (asked.find((one) => one.name === name)?.sizeMb ?? null) : Math.ceil(bytes / mebibyte),
      boot: name === boots,
    })),
    ...coming.map(({ name, sizeMb }) => ({ name, sizeMb: sizeMb ?? null, boot: name === boots })),
  ];
}

/** As it counts against the limit: what was asked for, or what is there where nothing was. */
export function storageOf(vm: Pick<Vm, 'spec' | 'disks'>): number {
  const { storageMb } = specOf(vm);
  return storageMb ?? Math.ceil((vm.disks ?? []).reduce((sum, { bytes = 0 }) => sum + bytes, 0) / mebibyte);
}
