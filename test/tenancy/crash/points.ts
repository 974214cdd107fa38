/**
 * Strikes all steps of an operation, one point each: `width` at a time, until an operation is done before its point.
 */
import { isStatement, type Blow } from './blow.ts';
import type { Point, Watched } from './stage.ts';
import { atOnce } from './times.ts';

/** An operation has about 40 steps; more than this would be a defect. */
const most = 200;

/** kill: before each step. pause: after the step, when the answer is there. delay: the step itself is late. */
const whenOf: Readonly<Record<Blow, Point['when']>> = { kill: 'before', pause: 'after', delay: 'before' };

/** Strikes one of the replicas at these points, one for each watched subject. */
export type StrikeAt = (points: readonly Point[], struck: 0 | 1) => Promise<readonly Watched[]>;

/** Resolves to the steps that were struck. */
export async function strikeEverywhere(blow: Blow, strike: StrikeAt, width = atOnce): Promise<readonly string[]> {
  const hit: string[] = [];
  const writes = new Set<number>();
  const round = async (points: readonly Point[]): Promise<readonly Watched[]> => {
    const watched = await strike(points, hit.length % 2 === 0 ? 0 : 1);
    for (const { heldAt, point } of watched) {
      if (heldAt === undefined) continue;
      hit.push(heldAt);
      if (point !== undefined && !isStatement(heldAt)) writes.add(point.at);
    }
    return watched;
  };
  for (let first = 1; ; first += width) {
    if (first > most) throw new Error(`it does not end after ${most} steps`);
    const points = Array.from({ length: width }, (_, i): Point => ({ at: first + i, when: whenOf[blow] }));
    const watched = await round(points);
    if (watched.some(({ heldAt }) => heldAt === undefined)) break;
  }
  // Kills the replica after each write, before it sees the answer.
  if (blow === 'kill') await round([...writes].map((at) => ({ at, when: 'after' })));
  return hit;
}
