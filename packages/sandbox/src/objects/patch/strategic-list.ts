/** Merges lists in a strategic merge patch. */
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import { goPrinted, goType } from '../schema/go/go-print.ts';
import { patchDirective } from './directives.ts';
import type { OrderedIdentity } from './element-order.ts';
import { identity, orderElements } from './element-order.ts';
import { notApplicable, unexpected } from './rejection.ts';

type MergeItem = (item: JsonObject, change: JsonObject) => JsonObject;

/**
 * Merges `patch` into `live`. Deletions and additions also change `live` itself, within its length: the server's slices
 * share their memory, and the order of a list with `$setElementOrder` depends on that.
 */
export function mergeList(
  live: Json[],
  patch: Json[],
  mergeKey: string,
  deletes: boolean,
  mergeItem: MergeItem,
): Json[] {
  if (live.length === 0 && patch.length === 0) return live;
  if (elementKind(live, patch) !== 'map[string]interface {}') {
    if (deletes) return live.filter((item) => !patch.includes(item));
    return orderElements([...new Set([...live, ...patch])], patch, live, mergeKey);
  }
  if (mergeKey === '') throw unexpected('cannot merge lists without merge key for struct');
  const { kept, changes } = applySpecialItems(live, patch, mergeKey);
  return orderElements(mergeItems(live, kept, changes, mergeKey, mergeItem), changes, kept, mergeKey);
}

/** `elementKind` returns the Go type of the items, which must be the same for all. */
export function elementKind(live: readonly Json[], patch: readonly Json[]): string {
  const all = [...live, ...patch];
  const [first] = all;
  if (first === undefined) throw unexpected('no elements in any of the given slices');
  if (Array.isArray(first)) throw notApplicable();
  const kind = goType(first);
  if (all.some((item) => goType(item) !== kind)) {
    throw unexpected(`list element types are not identical: ${goPrinted([[...live], [...patch]])}`);
  }
  return kind;
}

/** Executes items with `$patch`: deletions, or replacing the whole list by the other items. */
function applySpecialItems(live: Json[], patch: Json[], mergeKey: string): { kept: Json[]; changes: Json[] } {
  let length = live.length;
  let replaces = false;
  const changes: Json[] = [];
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === undefined) changes.push(item);
    else if (directive === 'delete') length = deleteItems(live, length, mergeKey, identity(item, mergeKey));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw unexpected('merging lists cannot yet be specified in the patch');
    else throw unexpected(`unknown patch type: ${goPrinted(directive)} in map: ${goPrinted(item)}`);
  }
  return replaces ? { kept: changes, changes: [] } : { kept: live.slice(0, length), changes };
}

/** Deletes in the first `length` items of the list; later items stay unchanged. Returns the new length. */
function deleteItems(live: Json[], length: number, mergeKey: string, id: OrderedIdentity): number {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    if (keyValue(live[i], mergeKey) !== id) live[kept++] = live[i] ?? null;
  }
  return kept;
}

function mergeItems(
  live: Json[],
  kept: readonly Json[],
  changes: Json[],
  mergeKey: string,
  mergeItem: MergeItem,
): Json[] {
  const merged = [...kept];
  const places = new Map<OrderedIdentity, number>();
  merged.forEach((item, i) => {
    const id = keyValue(item, mergeKey);
    if (!places.has(id)) places.set(id, i);
  });
  for (const change of changes) {
    const id = identity(change, mergeKey);
    const at = places.get(id);
    const item = at === undefined ? undefined : merged[at];
    if (at !== undefined && isObject(item) && isObject(change)) {
      merged[at] = mergeItem(item, change);
      continue;
    }
    places.set(id, merged.length);
    merged.push(change);
    if (merged.length <= live.length) live[merged.length - 1] = change;
  }
  return merged;
}

const keyValue = (item: Json | undefined, mergeKey: string): OrderedIdentity =>
  isObject(item) ? item[mergeKey] : undefined;

/**
 * Checks that the items of a patch are in the order of `$setElementOrder`. Deletions are ignored. Any other item with
 * `$patch` is skipped while names are left, and is out of order after the last one.
 */
export function checkPatchOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const items = patch.filter((item) => directiveOf(item) !== 'delete');
  let next = 0;
  for (const entry of order) {
    while (next < items.length && directiveOf(items[next]) !== undefined) next++;
    const item = items[next];
    if (item === undefined) return;
    if (identity(item, mergeKey) === identity(entry, mergeKey)) next++;
  }
  if (next < items.length) {
    throw unexpected(
      `The order in patch list:\n${goPrinted([...patch])}\n doesn't match $setElementOrder list:\n${goPrinted([...order])}\n`,
    );
  }
}

const directiveOf = (item: Json | undefined): Json | undefined => (isObject(item) ? item[patchDirective] : undefined);
