/** Sizes as people write them. */
import { bytes } from '../facts/quantity.ts';

/** In bytes; undefined where it is no quantity, or less than that. */
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

/** As it was written where that is a whole number, else a whole number of the largest unit: `1.5Gi` is `1536Mi`, as Kubernetes writes it back. */
export function writtenSize(size: string): string {
  return /^\d+([kMGTPE]|[KMGTPE]i)?$/.test(size) ? size : sizeOfBytes(bytes(size) ?? 0);
}

export function sizeOfBytes(amount: number): string {
  const [unit, factor] = units.find(([, one]) => amount >= one && amount % one === 0) ?? ['', 1];
  return `${amount / factor}${unit}`;
}
