/**
 * What happens to the disk of an order when the order changes. An existing disk can only grow; its image and its class
 * stay.
 */
import { bytes } from '@ssvirt/base/values/quantity';
import { fields, text, type Fields } from '../facts/reading.ts';
import { sizeOfBytes } from '../machine/size.ts';
import type { StorageClassFacts } from '../machine/storage-class.ts';
import type { OrderParameters } from './parameters/order-parameters.ts';
import type { OrderProblem } from './resource.ts';

/** `grow`: the size that its claim must request. */
export type DiskChange = 'create' | 'keep' | { readonly grow: string } | { readonly problem: OrderProblem };

const LONGEST_ADDRESS = 2048;
/** CDI leaves it on the claim, whose DataVolume may be garbage-collected after it succeeded. */
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

/** `diskClass` returns the class of an existing disk, whichever class new disks would get. */
export function diskClass(dataVolume: unknown, claim: unknown): string | undefined {
  return text(specOf(claim)['storageClassName']) ?? text(claimSpecOf(dataVolume)['storageClassName']);
}

export interface WantedSize {
  readonly diskSize: string;
  /** Used before "is"; `called` is used after "set". */
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
  // CDI adds overhead for a file system to such a claim; that difference was never ordered.
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
  // Kubernetes expands only bound claims. The size is checked again when the claim is bound.
  return fields(fields(claim)['status'])['phase'] === 'Bound' ? { grow: diskSize } : 'keep';
}

function refused(message: string): DiskChange {
  return { problem: { reason: 'ImmutableFieldChanged', message } };
}

/**
 * Returns undefined for a disk that was created in another way, for example by a storage migration: its image is
 * unknown.
 */
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
