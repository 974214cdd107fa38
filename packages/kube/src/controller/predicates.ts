/**
 * Predicates drop changes that a controller need not handle. All of them pass creations, deletions, and updates to
 * another object of the same name (a watch may show a deletion and a creation as one update). They are stateless: they
 * compare before and after. They see the projection: if it drops labels, no label ever changes.
 */
import type { Projected } from '../informer/informer.ts';
import type { Change } from './change.ts';
import { checkSelector, selectsLabels, type LabelSelector } from '../label-selector.ts';

export type Predicate<P extends Projected> = (change: Change<P>) => boolean;

/** `resourceVersionChanged` drops resyncs. */
export const resourceVersionChanged: Predicate<Projected> = onUpdate(
  (before, after) => before.resourceVersion !== after.resourceVersion,
);

/**
 `generationChanged` * Drops resyncs and changes of status or metadata only. Not every API maintains a generation, and some increase it for
 * more than changes of the spec. Where there is no generation (or the projection drops it), every update passes.
 */
export const generationChanged: Predicate<Projected> = onUpdate(
  (before, after) => after.generation === undefined || before.generation !== after.generation,
);

export const annotationChanged: Predicate<Projected> = onUpdate(
  (before, after) => !sameEntries(before.annotations, after.annotations),
);

export const labelChanged: Predicate<Projected> = onUpdate(
  (before, after) => !sameEntries(before.labels, after.labels),
);

/**
 `labelSelector` * Passes an update when the labels matched before or match now: as with a selector on the server, leaving is an event.
 */
export function labelSelector(selector: LabelSelector): Predicate<Projected> {
  checkSelector(selector);
  const selects = ({ metadata }: Projected): boolean => selectsLabels(selector, metadata.labels);
  return (change) => selects(change.object) || (change.type === 'updated' && selects(change.before));
}

export function and<P extends Projected>(...predicates: readonly Predicate<P>[]): Predicate<P> {
  return (change) => predicates.every((predicate) => predicate(change));
}

export function or<P extends Projected>(...predicates: readonly Predicate<P>[]): Predicate<P> {
  return (change) => predicates.some((predicate) => predicate(change));
}

export function not<P extends Projected>(predicate: Predicate<P>): Predicate<P> {
  return (change) => !predicate(change);
}

function onUpdate(
  differs: (before: Projected['metadata'], after: Projected['metadata']) => boolean,
): Predicate<Projected> {
  return (change) => {
    if (change.type !== 'updated') return true;
    const { before, object } = change;
    return before.metadata.uid !== object.metadata.uid || differs(before.metadata, object.metadata);
  };
}

type Entries = Readonly<Record<string, string>>;

function sameEntries(a: Entries = {}, b: Entries = {}): boolean {
  const keys = Object.keys(a);
  return (
    a === b ||
    (keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]))
  );
}
