/** Sizes as people write them. */
import { bytes } from '@ssvirt/base/values/quantity';

/** In bytes; undefined if it is not a quantity, or is less than `atLeast`. */
export function sizeInBytes(size: unknown, atLeast: number): number | undefined {
  const amount = bytes(size);
  return amount === undefined || amount < atLeast ? undefined : amount;
}

const units = [
  ['Ti', 2 ** 40],
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
] as const;

/**
 * Returns the size as it was written if it is a whole number, and otherwise as a whole number of the largest unit:
 * `1.5Gi` is `1536Mi`, as Kubernetes returns it.
 */
export function writtenSize(size: string): string {
  return /^\d+([kMGTPE]|[KMGTPE]i)?$/.test(size) ? size : sizeOfBytes(bytes(size) ?? 0);
}

export function sizeOfBytes(amount: number): string {
  const [unit, factor] = units.find(([, one]) => amount >= one && amount % one === 0) ?? ['', 1];
  return `${amount / factor}${unit}`;
}
