/** Matches writes seen in the database with the changes that caused them. */
import type { Change } from './load.ts';
import { rowStatus } from './machines.ts';

export interface Write {
  readonly index: number;
  readonly status: string;
  /** The commit time, by the wall clock in milliseconds. */
  readonly at: number;
}

/**
 * By change: the time from sending it until the row had its status or a newer one. A change whose own status was never
 * written, because a later one overtook it, is done when the later one is. Writes come in the order in which they were
 * made.
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
