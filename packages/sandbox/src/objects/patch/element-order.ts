/**
 * The order of a merged list: first the patch's order, then that of the live list. Items that only the server has stay
 * near their position.
 */
import type { Json } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import { goPrinted } from '../schema/go/go-print.ts';
import { receivedType, unexpected } from './rejection.ts';

/** `OrderedIdentity` is the identity of an item: the value of the merge key, or the item itself in a list of scalars. */
export type OrderedIdentity = Json | undefined;

export function identity(item: Json, mergeKey: string): OrderedIdentity {
  if (mergeKey === '') return item;
  if (!isObject(item)) throw unexpected(`expected a map[string]interface {}, but received a ${receivedType(item)}`);
  if (item[mergeKey] === undefined) {
    throw unexpected(`map: ${goPrinted(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return item[mergeKey];
}

/** Orders `merged`: items in `patchOrder` have its order, and the others are placed between them by `liveOrder`. */
export function orderElements(
  merged: readonly Json[],
  patchOrder: readonly Json[],
  liveOrder: readonly Json[],
  mergeKey: string,
): Json[] {
  const inPatch = places(patchOrder, mergeKey);
  const inLive = places(liveOrder, mergeKey);
  const [patched, serverOnly]: [Json[], Json[]] = [[], []];
  for (const item of merged) (inPatch.has(identity(item, mergeKey)) ? patched : serverOnly).push(item);
  return interleave(sortBy(inLive, serverOnly, mergeKey), sortBy(inPatch, patched, mergeKey), inLive, mergeKey);
}

/** The first position of each item in a list. */
function places(list: readonly Json[], mergeKey: string): Map<OrderedIdentity, number> {
  const found = new Map<OrderedIdentity, number>();
  list.forEach((item, i) => {
    const id = identity(item, mergeKey);
    if (!found.has(id)) found.set(id, i);
  });
  return found;
}

/**
 * Sorts stably by the given positions. An item without a position is less than any item before it, as in the server's
 * comparison, so it moves to the front. Only an insertion sort produces the same order.
 */
function sortBy(order: ReadonlyMap<OrderedIdentity, number>, items: readonly Json[], mergeKey: string): Json[] {
  const sorted: { item: Json; at: number | undefined }[] = [];
  for (const item of items) {
    const entry = { item, at: order.get(identity(item, mergeKey)) };
    let i = sorted.length;
    while (i > 0 && isLess(entry.at, sorted[i - 1]?.at)) i--;
    sorted.splice(i, 0, entry);
  }
  return sorted.map((entry) => entry.item);
}

const isLess = (a: number | undefined, b: number | undefined): boolean => a === undefined || b === undefined || a < b;

/** Places each server-only item before the first patched item that was after it in the live list. */
function interleave(
  serverOnly: Json[],
  patched: Json[],
  live: ReadonlyMap<OrderedIdentity, number>,
  mergeKey: string,
): Json[] {
  const placeOf = (item: Json): number | undefined => live.get(identity(item, mergeKey));
  const all: Json[] = [];
  let next = 0;
  for (const item of patched) {
    // A new item has no position in the live list, so no server-only item comes before it.
    const at = placeOf(item) ?? -1;
    for (const other of serverOnly.slice(next)) {
      if ((placeOf(other) ?? Infinity) >= at) break;
      all.push(other);
      next++;
    }
    all.push(item);
  }
  return all.concat(serverOnly.slice(next));
}
