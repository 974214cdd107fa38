/**
 * Names of disks. In a VM they are the names of its volumes, so the names that the builder uses itself are reserved.
 */

export const rootDisk = 'rootdisk';
export const cloudInitDisk = 'cloudinitdisk';

export const reservedDiskNames: ReadonlySet<string> = new Set([rootDisk, cloudInitDisk]);

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** `diskNameProblem` returns why a disk cannot have this name beside the taken ones; undefined if it can. */
export function diskNameProblem(name: string, taken: Iterable<string> = []): string | undefined {
  if (!dnsLabel.test(name))
    return 'the name of a disk has at most 63 lowercase letters, digits and dashes, with no dash at either end';
  if (reservedDiskNames.has(name)) return `the name "${name}" is reserved for a disk that every machine may have`;
  return new Set(taken).has(name) ? `the machine has a disk "${name}" already` : undefined;
}
