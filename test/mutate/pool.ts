/** A pool of copies of the sources: each does one piece of work at a time. */
import type { Copy } from './copy.ts';

/** `forEachInCopies` does the work for every item, in the order of the items, in whichever copy is free. */
export async function forEachInCopies<T>(
  copies: readonly Copy[],
  items: readonly T[],
  work: (copy: Copy, item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const item of left) await work(copy, item);
    }),
  );
}
