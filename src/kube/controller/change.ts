/** What an informer saw, as predicates and handlers get it. */
import type { Projected } from '../cache/informer.ts';
import { backgroundPriority } from '../queue/queue.ts';

export type Change<P extends Projected> =
  /** `initial` when the object was there before we looked. */
  | { readonly type: 'created'; readonly object: P; readonly initial: boolean }
  /** With `resync`, before and object are the same: nothing happened. */
  | { readonly type: 'updated'; readonly before: P; readonly object: P; readonly resync: boolean }
  /** With `finalStateUnknown` nobody saw it go: this is how it was last seen. */
  | { readonly type: 'deleted'; readonly object: P; readonly finalStateUnknown: boolean };

/** Live changes overtake the flood of a first list, and of a resync. */
export function priorityOf<P extends Projected>(change: Change<P>): number {
  const background =
    (change.type === 'created' && change.initial) ||
    (change.type === 'updated' &&
      (change.resync || sameVersion(change.before.metadata.resourceVersion, change.object.metadata.resourceVersion)));
  return background ? backgroundPriority : 0;
}

function sameVersion(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && before === after;
}
