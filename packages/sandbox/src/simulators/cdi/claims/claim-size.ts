/** Computes how large a PVC must be to hold a disk: file systems need a part of it for themselves. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json } from '../../../values/json.ts';
import { objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { parseQuantity, quantityCeil } from '../../../objects/schema/quantity.ts';

export const DEFAULT_OVERHEAD = '0.06';
const MEBIBYTE = 2n ** 20n;
const MOST = 2n ** 63n - 1n;

/** `overheadOf` returns the share that file systems of a class take, according to the effective CDIConfig. */
export function overheadOf(config: Unstructured | undefined, storageClass: string | undefined): number {
  const status = config?.['status'] as Json | undefined;
  const overhead = objectAt(isObject(status) ? status : undefined, 'filesystemOverhead');
  const own = storageClass === undefined ? '' : textAt(objectAt(overhead, 'storageClass'), storageClass);
  const share = Number(own || textAt(overhead, 'global') || DEFAULT_OVERHEAD);
  return share >= 0 && share < 1 ? share : Number(DEFAULT_OVERHEAD);
}

export function withOverhead(bytes: bigint, overhead: number): bigint {
  const aligned = ((bytes + MEBIBYTE - 1n) / MEBIBYTE) * MEBIBYTE;
  return BigInt(Math.ceil(Number(aligned) / (1 - overhead)));
}

/** Values are limited to Go's int64, as in `Quantity.Value()`. */
export function bytesOf(quantity: unknown): bigint | undefined {
  if (typeof quantity !== 'string' && typeof quantity !== 'number') return undefined;
  const parsed = parseQuantity(String(quantity));
  if (parsed === undefined) return undefined;
  const bytes = quantityCeil(parsed);
  return bytes > MOST ? MOST : bytes;
}

/** KubeVirt accepts no smaller disks. */
export const SMALLEST = MEBIBYTE;
