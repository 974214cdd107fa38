/** The fields that a configuration contains, which its manager owns after applying it. */
import type { Json } from '../../values/json.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { fieldAtom, shapeOf } from './atom.ts';
import type { FieldNode, FieldSet } from './fieldset.ts';
import { EMPTY, LEAF } from './fieldset.ts';
import type { PathElement } from './path.ts';
import { field } from './path.ts';
import type { Typed } from './typed.ts';
import { asList, asMap, elementOf, isEmptyMap } from './typed.ts';

const NOTHING: FieldNode = { member: false, children: undefined };

export function toFieldSet({ value, atom }: Typed): FieldSet {
  return nodeOf(value, atom).children ?? EMPTY;
}

function nodeOf(value: Json, atom: Atom): FieldNode {
  switch (shapeOf(atom, value)) {
    case 'map':
      return mapNode(value, atom.map!);
    case 'list':
      return listNode(value, atom.list!);
    default:
      return LEAF;
  }
}

function mapNode(value: Json, map: MapAtom): FieldNode {
  if (map.atomic) return LEAF;
  const object = asMap(value);
  if (object === undefined) return NOTHING;
  const children = new Map<PathElement, FieldNode>();
  for (const name in object) {
    const below = object[name];
    if (below === undefined) continue;
    const node = nodeOf(below, fieldAtom(map, name));
    // A struct field is owned only through its content; a map entry is also owned itself.
    const own =
      below === null || (asMap(below) !== undefined && isEmptyMap(asMap(below))) || map.field(name) === undefined;
    if (own || node.member || node.children !== undefined) children.set(field(name), own ? withSelf(node) : node);
  }
  return children.size === 0 ? NOTHING : { member: false, children };
}

function listNode(value: Json, list: ListAtom): FieldNode {
  if (list.atomic) return LEAF;
  const children = new Map<PathElement, FieldNode>();
  for (const [index, each] of (asList(value) ?? []).entries()) {
    const element = elementOf(list, each, index);
    // For repeated items, only the path of the item is owned.
    children.set(element, children.has(element) ? LEAF : withSelf(nodeOf(each, list.element())));
  }
  return children.size === 0 ? NOTHING : { member: false, children };
}

const withSelf = (node: FieldNode): FieldNode => (node.member ? node : { member: true, children: node.children });
