/** `Change` is a change in an informer's cache, as predicates and handlers receive it. */
import type { Projected } from '../informer/informer.ts';
import { backgroundPriority } from '../queue/queue.ts';

export type Change<P extends Projected> =
  /** `initial` is true when the object existed before the informer started. */
  | { readonly type: 'created'; readonly object: P; readonly initial: boolean }
  /** With `resync`, `before` and `object` are the same: nothing changed. */
  | { readonly type: 'updated'; readonly before: P; readonly object: P; readonly resync: boolean }
  /** With `finalStateUnknown`, the deletion itself was not observed: `object` is the last known state. */
  | { readonly type: 'deleted'; readonly object: P; readonly finalStateUnknown: boolean };

/** Live changes have priority over the objects of a first list or a resync. */
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
