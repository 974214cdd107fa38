/** From writes that were seen in the database back to the changes that they are of. */
import type { Change } from './load.ts';
import { rowStatus } from './machines.ts';

export interface Write {
  readonly index: number;
  readonly status: string;
  /** When it was committed, by the wall clock in milliseconds. */
  readonly at: number;
}

/**
 * By change: how long after it was sent the row said so, or something newer. A change that was overtaken on the way, and whose own status was never
 * written, is done when the one that overtook it is. Writes in the order in which they were made.
 */
export function latencies(
  changes: readonly Change[],
  sent: readonly number[],
  writes: readonly Write[],
): readonly number[] {
  const byMachine = Map.groupBy(changes.keys(), (at) => (changes[at] as Change).index);
  const found: number[] = [];
  for (const [index, own] of Map.groupBy(writes, (write) => write.index)) {
    const waiting = [...(byMachine.get(index) ?? [])];
    for (const { status, at } of own) {
      const match = waiting.findIndex((change) => rowStatus((changes[change] as Change).version) === status);
      for (const change of waiting.splice(0, match + 1)) found.push(at - (sent[change] ?? Number.NaN));
    }
  }
  return found;
}
