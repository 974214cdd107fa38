/** All steps of an operation, one point each: as many at a time as are under way together, until one is done before its point comes. */
import type { ReplicaGround } from './ground.ts';
import { isStatement, strike, type Blow, type Operation } from './strike.ts';
import type { Point, Watched } from './stage.ts';
import { atOnce } from './times.ts';

/** An operation has about 40; that it never ends would be a defect. */
const most = 200;

/** Ended: before each step. Paused: when the step is done and the answer is there. Late: the step itself. */
export const whenOf: Readonly<Record<Blow, Point['when']>> = { kill: 'before', pause: 'after', delay: 'before' };

/** Resolves to the steps that were struck. */
export async function strikeEverywhere(
  ground: ReplicaGround,
  operation: Operation,
  blow: Blow,
): Promise<readonly string[]> {
  const hit: string[] = [];
  const writes = new Set<number>();
  const round = async (points: readonly Point[]): Promise<readonly Watched[]> => {
    const struck = hit.length % 2 === 0 ? 0 : 1;
    const watched = await strike(ground, { operation, blow, points, struck });
    for (const { heldAt, point } of watched) {
      if (heldAt === undefined) continue;
      hit.push(heldAt);
      if (point !== undefined && !isStatement(heldAt)) writes.add(point.at);
    }
    return watched;
  };
  for (let first = 1; ; first += atOnce) {
    if (first > most) throw new Error(`${operation} does not end after ${most} steps`);
    const points = Array.from({ length: atOnce }, (_, i): Point => ({ at: first + i, when: whenOf[blow] }));
    const watched = await round(points);
    if (watched.some(({ heldAt }) => heldAt === undefined)) break;
  }
  // A write whose answer nobody has seen.
  if (blow === 'kill') await round([...writes].map((at) => ({ at, when: 'after' })));
  return hit;
}
