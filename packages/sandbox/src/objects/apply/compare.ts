/** Which fields differ between two versions of an object. */
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject, jsonEqual, own } from '../../values/json.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { fieldAtom, shapeOf } from './atom.ts';
import type { FieldSet, FreshFieldSet } from './fieldset.ts';
import { FieldSetBuilder } from './fieldset.ts';
import type { PathElement } from './path.ts';
import { field } from './path.ts';
import { asList, asMap, elementOf, isEmptyMap } from './typed.ts';

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(before: Json, after: Json, atom: Atom): Comparison {
  const walk = new Walk();
  walk.visit(...alike(before, after), atom);
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() };
}

/**
 * Most writes leave spec or status completely unchanged. Finding that out first is much cheaper than the walk, which
 * skips values that are the same object on both sides.
 */
function alike(before: Json, after: Json): [Json, Json] {
  if (!isObject(before) || !isObject(after)) return [before, after];
  const shared: JsonObject = {};
  for (const name of Object.keys(after)) {
    const [old, now] = [own(before, name), after[name]];
    shared[name] = jsonEqual(old, now) ? old : now;
  }
  return [before, shared];
}

class Walk {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  visit(before: Json | undefined, after: Json | undefined, atom: Atom): void {
    if (before === after) return;
    if (before === undefined) return this.added.insert(this.#path, below(after!, atom));
    if (after === undefined) return this.removed.insert(this.#path, below(before, atom));
    const left = shapeOf(atom, before);
    const right = shapeOf(atom, after);
    if (left !== right) this.#visitAs(left, before, after, atom);
    this.#visitAs(right, before, after, atom);
  }

  #visitAs(shape: string, before: Json, after: Json, atom: Atom): void {
    if (shape === 'map') this.#maps(before, after, atom.map!);
    else if (shape === 'list') this.#lists(before, after, atom.list!);
    else this.#leaf(before, after);
  }

  #leaf(before: Json, after: Json): void {
    if (!jsonEqual(before, after)) this.modified.insert(this.#path);
  }

  #maps(before: Json, after: Json, map: MapAtom): void {
    const left = asMap(before);
    const right = asMap(after);
    if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return this.#leaf(before, after);
    for (const name in left) {
      const other = own(right, name);
      if (left[name] !== other) this.#descend(field(name), left[name], other, fieldAtom(map, name));
    }
    for (const name in right)
      if (own(left, name) === undefined) this.#descend(field(name), undefined, right[name], fieldAtom(map, name));
  }

  #lists(before: Json, after: Json, list: ListAtom): void {
    const left = asList(before) ?? [];
    const right = asList(after) ?? [];
    if (list.atomic || (left.length === 0 && right.length === 0)) return this.#leaf(before, after);
    const oldItems = group(list, left);
    const newItems = group(list, right);
    for (const [element, items] of oldItems) this.#items(element, items, newItems.get(element) ?? [], list.element());
    for (const [element, items] of newItems)
      if (!oldItems.has(element)) this.#items(element, [], items, list.element());
  }

  /** Repeated items are compared as a group, and only their path is tracked. */
  #items(element: PathElement, before: readonly Json[], after: readonly Json[], atom: Atom): void {
    if (before.length <= 1 && after.length <= 1) return this.#descend(element, before[0], after[0], atom);
    if (before.length >= 2 && after.length >= 2) {
      if (!jsonEqual([...before], [...after])) this.modified.insert([...this.#path, element]);
    } else if (before.length >= 2) {
      if (after.length > 0) this.#descend(element, undefined, after[0], atom);
      this.removed.insert([...this.#path, element]);
    } else {
      if (before.length > 0) this.#descend(element, before[0], undefined, atom);
      this.added.insert([...this.#path, element]);
    }
  }

  #descend(element: PathElement, before: Json | undefined, after: Json | undefined, atom: Atom): void {
    this.#path.push(element);
    this.visit(before, after, atom);
    this.#path.pop();
  }
}

function group(list: ListAtom, items: readonly Json[]): Map<PathElement, Json[]> {
  const out = new Map<PathElement, Json[]>();
  for (const [index, value] of items.entries()) {
    const element = elementOf(list, value, index);
    const present = out.get(element);
    if (present === undefined) out.set(element, [value]);
    else present.push(value);
  }
  return out;
}

/**
 * Everything below a value that was added or removed as a whole. Unlike in an applied configuration, inner nodes are
 * members too.
 */
function below(value: Json, atom: Atom): FreshFieldSet | undefined {
  const out: FreshFieldSet = new Map();
  const shape = shapeOf(atom, value);
  if (shape === 'map' && !atom.map!.atomic) {
    const object = asMap(value);
    for (const name in object) {
      const each = object[name];
      if (each !== undefined) out.set(field(name), { member: true, children: below(each, fieldAtom(atom.map!, name)) });
    }
  } else if (shape === 'list' && !atom.list!.atomic) {
    for (const [element, items] of group(atom.list!, asList(value) ?? [])) {
      const children = items.length === 1 ? below(items[0]!, atom.list!.element()) : undefined;
      out.set(element, { member: true, children });
    }
  }
  return out.size === 0 ? undefined : out;
}
