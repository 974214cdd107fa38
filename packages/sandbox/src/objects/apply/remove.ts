/** Removes fields from a value. */
import type { Json, JsonObject } from '../../values/json.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { fieldAtom, shapeOf } from './atom.ts';
import type { FieldSet } from './fieldset.ts';
import { field } from './path.ts';
import { asList, asMap, elementOf, isEmptyMap } from './typed.ts';

/** `removeItems` returns the value without the given items. A map or list that becomes empty is replaced by null. */
export function removeItems(value: Json, items: FieldSet, atom: Atom): Json {
  switch (shapeOf(atom, value)) {
    case 'map':
      return removeFields(value, items, atom.map!);
    case 'list':
      return removeListItems(value, items, atom.list!);
    case 'scalar':
      return value;
    case 'none':
      return null;
  }
}

function removeFields(value: Json, items: FieldSet, map: MapAtom): Json {
  const object = asMap(value);
  if (object === undefined || map.atomic) return null;
  const out: JsonObject = {};
  for (const name in object) {
    const below = object[name];
    const node = items.get(field(name));
    if (below === undefined || node?.member) continue;
    out[name] = node?.children === undefined ? below : removeItems(below, node.children, fieldAtom(map, name));
  }
  return isEmptyMap(out) ? null : out;
}

function removeListItems(value: Json, items: FieldSet, list: ListAtom): Json {
  if (list.atomic) return null;
  const out: Json[] = [];
  for (const [index, each] of (asList(value) ?? []).entries()) {
    const node = items.get(elementOf(list, each, index));
    if (node?.member) continue;
    out.push(node?.children === undefined ? each : removeItems(each, node.children, list.element()));
  }
  return out.length === 0 ? null : out;
}
