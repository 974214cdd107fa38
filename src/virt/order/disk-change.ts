/** What becomes of the disk of an order when the order has changed. Once it is there it can only grow; its image and its class are what they were. */
import { bytes } from '../facts/quantity.ts';
import { fields, text, type Fields } from '../facts/reading.ts';
import { sizeOfBytes } from '../declared-machine/size.ts';
import type { StorageClassFacts } from '../declared-machine/storage-class.ts';
import type { OrderParameters } from './order-parameters.ts';
import type { Problem } from './resource.ts';

/** `grow`: the size that its claim is to ask for. */
export type DiskChange = 'create' | 'keep' | { readonly grow: string } | { readonly problem: Problem };

const LONGEST_ADDRESS = 2048;
/** CDI leaves it on the claim, whose DataVolume may be cleared away when it has done its work. */
const importedFrom = 'cdi.kubevirt.io/storage.import.endpoint';

export function diskChange(
  parameters: Pick<OrderParameters, 'image' | 'diskSize'>,
  dataVolume: unknown,
  claim: unknown,
  classes: readonly StorageClassFacts[],
): DiskChange {
  if (dataVolume === undefined && claim === undefined) return 'create';
  const image = imageOf(dataVolume) ?? imageOf(claim);
  if (image !== undefined && image !== parameters.image)
    return refused(
      `image_source is "${parameters.image}", but the disk was made from "${image}", and what is on a disk is not replaced: set image_source back, or order another machine.`,
    );
  return sizeChange(
    { diskSize: parameters.diskSize, named: 'disk_size', called: 'disk_size' },
    dataVolume,
    claim,
    classes,
  );
}

/** The class that a disk has for good, whatever new ones would get. */
export function diskClass(dataVolume: unknown, claim: unknown): string | undefined {
  return text(specOf(claim)['storageClassName']) ?? text(claimSpecOf(dataVolume)['storageClassName']);
}

export interface WantedSize {
  readonly diskSize: string;
  /** Before "is", and behind "set". */
  readonly named: string;
  readonly called: string;
}

export function sizeChange(
  { diskSize, named, called }: WantedSize,
  dataVolume: unknown,
  claim: unknown,
  classes: readonly StorageClassFacts[],
): DiskChange {
  const asked = requested(claimSpecOf(dataVolume));
  const has = requested(specOf(claim)) ?? asked;
  const wanted = bytes(diskSize);
  if (has === undefined || wanted === undefined || wanted === has) return 'keep';
  // What CDI adds to such a claim for a file system was never asked for.
  if (wanted === asked && specOf(dataVolume)['storage'] !== undefined) return 'keep';
  if (wanted < has)
    return refused(
      `${named} is ${diskSize}, but the disk has ${sizeOfBytes(has)}, and disks do not shrink: set ${called} to ${sizeOfBytes(has)} or more, or order another machine.`,
    );
  const name = diskClass(dataVolume, claim) ?? '';
  if (classes.find((one) => one.name === name)?.expandable !== true)
    return refused(
      `${named} is ${diskSize}, but the disk has ${sizeOfBytes(has)}, and its StorageClass "${name}" does not let it grow (allowVolumeExpansion): set ${called} back, or ask an administrator to allow it.`,
    );
  // Kubernetes lets no other claim grow. When it is bound, it is looked at again.
  return fields(fields(claim)['status'])['phase'] === 'Bound' ? { grow: diskSize } : 'keep';
}

function refused(message: string): DiskChange {
  return { problem: { reason: 'ImmutableFieldChanged', message } };
}

/** Undefined where a disk came into being in another way, by a storage migration for one: nothing can be said then. */
function imageOf(object: unknown): string | undefined {
  const { registry } = fields(specOf(object)['source']);
  const { annotations } = fields(fields(object)['metadata']);
  return text(fields(registry)['url'], LONGEST_ADDRESS) ?? text(fields(annotations)[importedFrom], LONGEST_ADDRESS);
}

const specOf = (object: unknown): Fields => fields(fields(object)['spec']);
const claimSpecOf = (dataVolume: unknown): Fields => fields(specOf(dataVolume)['pvc'] ?? specOf(dataVolume)['storage']);

function requested(spec: Fields): number | undefined {
  return bytes(fields(fields(spec['resources'])['requests'])['storage']);
}
