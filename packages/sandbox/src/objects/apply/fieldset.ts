/** Sets of field paths, as immutable tries: the form in which field ownership is computed. */
import type { Path, PathElement } from './path.ts';
import { compareElements, field } from './path.ts';

export interface FieldNode {
  /** Whether the path to this node is in the set; children alone do not make it a member. */
  readonly member: boolean;
  /** Never an empty set. */
  readonly children: FieldSet | undefined;
}

export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

export const EMPTY: FieldSet = new Map();
export const LEAF: FieldNode = { member: true, children: undefined };

export const isEmpty = (set: FieldSet): boolean => set.size === 0;

/** A set from paths of plain field names, such as `[['status'], ['metadata', 'uid']]`. */
export function fieldSetOf(paths: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path.map(field));
  return builder.build();
}

interface FreshNode extends FieldNode {
  member: boolean;
  children: FreshFieldSet | undefined;
}

/** A set that is still being built and may be modified. */
export type FreshFieldSet = Map<PathElement, FreshNode>;

/** `FieldSetBuilder` collects paths in any order. */
export class FieldSetBuilder {
  readonly #root: FreshFieldSet = new Map();

  /** Adds the path and, if given, everything `below` it. The root itself cannot be owned. */
  insert(path: Path, below?: FreshFieldSet): void {
    const last = path.length - 1;
    let level = this.#root;
    for (let depth = 0; depth <= last; depth++) {
      const element = path[depth]!;
      let node = level.get(element);
      if (node === undefined) level.set(element, (node = { member: false, children: undefined }));
      if (depth === last) {
        node.member = true;
        if (below !== undefined) node.children = below;
      } else {
        level = node.children ??= new Map();
      }
    }
  }

  build(): FieldSet {
    return this.#root;
  }
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b.size === 0) return a;
  if (a.size === 0) return b;
  const out = new Map(a);
  for (const [element, node] of b) {
    const other = out.get(element);
    out.set(element, other === undefined ? node : unionNode(other, node));
  }
  return out;
}

function unionNode(a: FieldNode, b: FieldNode): FieldNode {
  if (a === b) return a;
  const children =
    a.children === undefined ? b.children : b.children === undefined ? a.children : union(a.children, b.children);
  if (a.children === children && a.member === (a.member || b.member)) return a;
  return { member: a.member || b.member, children };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || a.size === 0) return a;
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of a) {
    const other = b.get(element);
    if (other === undefined) continue;
    const common = node.children && other.children ? intersection(node.children, other.children) : EMPTY;
    put(out, element, node.member && other.member, common);
  }
  return out;
}

/** `difference` returns the members of `a` that are not in `b`; a path in `b` removes itself but not the paths below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (node, other) => ({
    member: node.member && !other.member,
    children: node.children && other.children ? difference(node.children, other.children) : node.children,
  }));
}

/** Like `difference`, but a path in `b` also removes everything below it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (node, other) => {
    if (other.member) return { member: false, children: undefined };
    const children =
      node.children && other.children ? recursiveDifference(node.children, other.children) : node.children;
    return { member: node.member, children };
  });
}

/** Returns `a` itself when nothing changes, so that its cached encoding remains valid. */
function subtract(a: FieldSet, b: FieldSet, rest: (node: FieldNode, other: FieldNode) => FieldNode): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let out: Map<PathElement, FieldNode> | undefined;
  const [shorter, longer] = a.size < b.size ? [a, b] : [b, a];
  for (const element of shorter.keys()) {
    if (!longer.has(element)) continue;
    const node = a.get(element)!;
    const left = rest(node, b.get(element)!);
    if (left.member === node.member && left.children === node.children) continue;
    out ??= new Map(a);
    out.delete(element);
    put(out, element, left.member, left.children ?? EMPTY);
  }
  return out ?? a;
}

function put(out: Map<PathElement, FieldNode>, element: PathElement, member: boolean, children: FieldSet): void {
  if (member || children.size > 0) out.set(element, { member, children: children.size > 0 ? children : undefined });
}

export function has(set: FieldSet, path: Path): boolean {
  let level: FieldSet | undefined = set;
  let node: FieldNode | undefined;
  for (const element of path) {
    node = level?.get(element);
    if (node === undefined) return false;
    level = node.children;
  }
  return node?.member ?? false;
}

/** `leaves` returns the members without anything below them. */
export function leaves(set: FieldSet): FieldSet {
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    out.set(element, node.children === undefined ? LEAF : { member: false, children: leaves(node.children) });
  }
  return out;
}

export function equals(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [element, node] of a) {
    const other = b.get(element);
    if (other === undefined || node.member !== other.member) return false;
    if ((node.children === undefined) !== (other.children === undefined)) return false;
    if (node.children && other.children && !equals(node.children, other.children)) return false;
  }
  return true;
}

export function sortedEntries(set: FieldSet): [PathElement, FieldNode][] {
  const entries = [...set];
  return entries.length < 2 ? entries : entries.sort(([a], [b]) => compareElements(a, b));
}

/** All paths in Kubernetes' order: on each level first the members, then the paths below. */
export function* paths(set: FieldSet, prefix: Path = []): Generator<Path> {
  const entries = sortedEntries(set);
  for (const [element, node] of entries) if (node.member) yield [...prefix, element];
  for (const [element, node] of entries)
    if (node.children !== undefined) yield* paths(node.children, [...prefix, element]);
}
