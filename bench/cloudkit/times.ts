/** How long each order took, and the percentiles that are reported. */
import type { Figures } from '../sandbox/figures.ts';
import { percentile } from '../sandbox/percentiles.ts';

const shares = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['slowest', 1],
] as const;

export function addShares(figures: Figures, section: string, what: string, times: readonly number[]): void {
  for (const [name, share] of shares) figures.add(section, `${what}, ${name}`, 'ms', percentile(times, share));
}

/** In milliseconds, one for each order that was sent. */
export function between(sent: ReadonlyMap<string, number>, there: ReadonlyMap<string, number>): readonly number[] {
  return [...sent].map(([name, from]) => {
    const to = there.get(name);
    if (to === undefined) throw new Error(`order ${name} was not seen to get there`);
    return to - from;
  });
}
