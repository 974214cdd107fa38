/** Names of disks. In a machine they are the names of its volumes, so those that the builder uses itself are not to be had. */

export const rootDisk = 'rootdisk';
export const cloudInitDisk = 'cloudinitdisk';

export const reservedDiskNames: ReadonlySet<string> = new Set([rootDisk, cloudInitDisk]);

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why a disk cannot be called so, beside others of those names; undefined where it can. */
export function diskNameProblem(name: string, taken: Iterable<string> = []): string | undefined {
  if (!dnsLabel.test(name))
    return 'the name of a disk has at most 63 small letters, digits and dashes, with no dash at either end';
  if (reservedDiskNames.has(name)) return `the name "${name}" is kept for a disk that every machine may have`;
  return new Set(taken).has(name) ? `the machine has a disk "${name}" already` : undefined;
}
