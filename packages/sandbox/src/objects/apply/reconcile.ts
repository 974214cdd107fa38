/** Adapts field sets to a schema: ownership that was written with another schema, and named fields. */
import type { Atom } from './atom.ts';
import { fieldAtom } from './atom.ts';
import type { FieldNode, FieldSet } from './fieldset.ts';
import { LEAF } from './fieldset.ts';
import type { PathElement } from './path.ts';
import { fieldName, isField, isKey } from './path.ts';

/** Sets that are known to match a schema, because every write checks every manager of the object. */
const agreed = new WeakMap<Atom, WeakSet<FieldSet>>();

/** When a map or list that was owned in parts is now atomic, the whole is owned instead. */
export function reconcile(set: FieldSet, atom: Atom): FieldSet {
  let known = agreed.get(atom);
  if (known === undefined) agreed.set(atom, (known = new WeakSet()));
  if (known.has(set)) return set;
  const result = reconcileLevel(set, atom);
  known.add(result);
  return result;
}

function reconcileLevel(set: FieldSet, atom: Atom): FieldSet {
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    const below = atomAt(atom, element);
    if (below === undefined) continue;
    const reconciled = reconcileNode(node, below);
    if (reconciled === node) continue;
    out ??= new Map(set);
    out.set(element, reconciled);
  }
  return out ?? set;
}

function atomAt(atom: Atom, element: PathElement): Atom | undefined {
  if (atom.map !== undefined) {
    const { map } = atom;
    return (isField(element) ? map.field(fieldName(element))?.atom : undefined) ?? map.element();
  }
  return atom.list?.element();
}

function reconcileNode(node: FieldNode, atom: Atom): FieldNode {
  const { children } = node;
  if (atom.map !== undefined) {
    if (atom.map.freeForm()) return node;
    if (atom.map.atomic) return children === undefined ? node : LEAF;
  } else if (atom.scalar !== undefined || atom.list === undefined) return node;
  else if (atom.list.atomic) return children === undefined ? node : LEAF;
  if (children === undefined) return node;
  const below = reconcileLevel(children, atom);
  return below === children ? node : { member: node.member, children: below };
}

/** `withNamedFields` adds every declared field on the path to a member as a member too, but not the entries of maps. */
export function withNamedFields(set: FieldSet, atom: Atom): FieldSet {
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    const { children } = node;
    if (children === undefined) {
      out.set(element, node);
      continue;
    }
    const declared = isField(element) && atom.map?.field(fieldName(element)) !== undefined;
    out.set(element, {
      member: node.member || declared,
      children: withNamedFields(children, namedAtom(atom, element)),
    });
  }
  return out;
}

function namedAtom(atom: Atom, element: PathElement): Atom {
  if (isField(element) && atom.map !== undefined) return fieldAtom(atom.map, fieldName(element));
  if (isKey(element) && atom.list !== undefined) return atom.list.element();
  return {};
}
