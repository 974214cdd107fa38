/** A requested disk, for a new or an existing VM. */
import { defined } from '@ssvirt/base/values/defined';
import { diskNameProblem } from '../../kubevirt/tenant-vm/disk-names.ts';
import type { DiskSpec } from '../../kubevirt/tenant-vm/spec.ts';
import { badRequest } from '../errors.ts';
import type { NewDiskInput } from './new-vm.ts';
import type { Offers } from './offers.ts';
import { checkedStorageClass } from './storage-classes.ts';

/** `field` is the path in the request ('' for the body itself), `taken` are the names of the VM's other disks. */
export function diskOf(
  offers: Offers,
  field: string,
  { name, sizeGb, sizeMb, storageClass }: NewDiskInput,
  taken: Iterable<string>,
): DiskSpec {
  const at = (part: string): string => (field === '' ? part : `${field}.${part}`);
  const problem = diskNameProblem(name, taken);
  if (problem !== undefined) throw badRequest(`${at('name')}: ${problem}; choose another.`);
  if ((sizeGb === undefined) === (sizeMb === undefined))
    throw badRequest(`${at('sizeGb')}, ${at('sizeMb')}: give exactly one of them.`);
  const named = checkedStorageClass(offers, at('storageClass'), storageClass);
  return {
    name,
    sizeMb: sizeMb ?? (sizeGb ?? 0) * 1024,
    ...defined({ storageClass: named }),
  };
}
