/**
 * Merges an applied configuration into the live object: nothing is removed, and the configuration wins for fields in
 * both.
 */
import { own, type Json, type JsonObject } from '../../values/json.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { fieldAtom, shapeOf } from './atom.ts';
import type { PathElement } from './path.ts';
import { asList, asMap, elementOf, isEmptyMap } from './typed.ts';

/** Both values have been validated. The result shares structure with both. */
export function merge(live: Json | undefined, applied: Json | undefined, atom: Atom): Json | undefined {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  switch (shapeOf(atom, applied)) {
    case 'map':
      return mergeMaps(live, applied, atom.map!);
    case 'list':
      return mergeLists(live, applied, atom.list!);
    default:
      return applied;
  }
}

function mergeMaps(live: Json, applied: Json, map: MapAtom): Json | undefined {
  const left = asMap(live);
  const right = asMap(applied);
  if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return applied;
  const out: JsonObject = {};
  for (const name in left) {
    const merged = merge(left[name], own(right, name), fieldAtom(map, name));
    if (merged !== undefined) out[name] = merged;
  }
  for (const name in right) if (own(left, name) === undefined && right[name] !== undefined) out[name] = right[name];
  return out;
}

function mergeLists(live: Json, applied: Json, list: ListAtom): Json | undefined {
  const left = asList(live) ?? [];
  const right = asList(applied) ?? [];
  if (list.atomic || (left.length === 0 && right.length === 0)) return applied;
  return new ListMerge(list, left, right).run();
}

/** Keeps the live order, except that items in both lists are in the applied order. */
class ListMerge {
  readonly #list: ListAtom;
  readonly #live: readonly Json[];
  readonly #applied: readonly Json[];
  readonly #liveElements: readonly PathElement[];
  readonly #appliedElements: readonly PathElement[];
  /** An item that is repeated in the live object is not merged with its live value. */
  readonly #liveItems: Map<PathElement, Json> = new Map();
  readonly #appliedItems: Map<PathElement, Json> = new Map();

  constructor(list: ListAtom, live: readonly Json[], applied: readonly Json[]) {
    this.#list = list;
    this.#live = live;
    this.#applied = applied;
    this.#liveElements = live.map((value, index) => elementOf(list, value, index));
    this.#appliedElements = applied.map((value, index) => elementOf(list, value, index));
    for (const [index, element] of this.#liveElements.entries()) {
      this.#liveItems.set(element, this.#liveItems.has(element) ? null : this.#live[index]!);
    }
    for (const [index, element] of this.#appliedElements.entries())
      this.#appliedItems.set(element, this.#applied[index]!);
  }

  run(): Json[] | undefined {
    const out: Json[] = [];
    const push = (merged: Json | undefined): void => {
      if (merged !== undefined) out.push(merged);
    };
    const shared = this.#appliedElements.filter((element) => this.#liveItems.has(element));
    let nextShared = shared.shift();
    const done = new Set<PathElement>();
    let l = 0;
    let r = 0;
    while (l < this.#live.length || r < this.#applied.length) {
      const left = this.#liveElements[l];
      const right = this.#appliedElements[r];
      if (left !== undefined && right !== undefined) {
        if (left === right) {
          done.add(left);
          push(this.#merged(left));
          l++;
          r++;
          nextShared = shared.shift();
          continue;
        }
        if (this.#appliedItems.has(left) && nextShared !== undefined && nextShared !== left) {
          l++;
          continue;
        }
      }
      if (left !== undefined) {
        if (!this.#appliedItems.has(left)) {
          push(this.#live[l]);
          l++;
          continue;
        }
        if (done.has(left)) l++;
      }
      if (right !== undefined) {
        done.add(right);
        push(this.#merged(right));
        r++;
        if (nextShared === right) nextShared = shared.shift();
      }
    }
    return out.length === 0 ? undefined : out;
  }

  #merged(element: PathElement): Json | undefined {
    return merge(this.#liveItems.get(element), this.#appliedItems.get(element), this.#list.element());
  }
}
