/** Sizes in bytes, written as Kubernetes quantities: `1048576`, `512k`, `64Mi`, `1.5Gi`. */
import { quantity } from '../values/quantity.ts';

/** `parseSize` returns the size in bytes, or undefined if the text is not a size or not a whole number of bytes. */
export function parseSize(text: string): number | undefined {
  const bytes = quantity(text);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

const units = [
  ['Pi', 2 ** 50],
  ['Ti', 2 ** 40],
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
] as const;

/** `formatSize` uses the largest binary unit that divides the size, as people write it. */
export function formatSize(bytes: number): string {
  const [unit, factor] = units.find(([, one]) => bytes >= one && bytes % one === 0) ?? ['', 1];
  return `${bytes / factor}${unit}`;
}
