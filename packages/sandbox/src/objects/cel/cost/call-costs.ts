/** The cost of a call in addition to its arguments, and the size of its result: the tables of cel-go and Kubernetes. */
import type { Overload } from '../library/functions.ts';
import type { Expr } from '../syntax/syntax.ts';
import type { Type } from '../types/types.ts';

export interface Size {
  readonly min: number;
  readonly max: number;
}

/** Go counts with 64 bits and saturates at the maximum. */
const LIMIT = 2 ** 64;

export const UNKNOWN: Size = { min: 0, max: LIMIT };
export const fixed = (size: number): Size => ({ min: size, max: size });
export const add = (a: number, b: number): number => Math.min(LIMIT, a + b);
export const times = (a: number, b: number): number => Math.min(LIMIT, a * b);
export const factor = (size: number, perUnit: number): number => Math.min(LIMIT, Math.ceil(size * perUnit));
export const union = (a: Size, b: Size): Size => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
const sizeSum = (a: Size, b: Size): Size => ({ min: add(a.min, b.min), max: add(a.max, b.max) });
const sizeProduct = (a: Size, b: Size): Size => ({ min: times(a.min, b.min), max: times(a.max, b.max) });

/** Traversing a string costs a tenth of its length. */
const TRAVERSAL = 0.1;
const traversal = (size: Size): number => factor(size.max, TRAVERSAL);
const REGEX = 0.25;

export interface SizedNode {
  readonly expr: Expr;
  readonly type: Type;
  readonly size: Size;
  /** The size, if it could be estimated. */
  readonly known: Size | undefined;
  /** The elements, if the type has parameters. */
  readonly item?: { readonly type: Type; readonly size: Size };
}

export interface CostedCall {
  readonly name: string;
  readonly overload: Overload | undefined;
  readonly target: SizedNode | undefined;
  readonly args: readonly SizedNode[];
  readonly costs: readonly number[];
}

export interface CallEstimate {
  readonly cost: number;
  readonly size?: Size;
}

/** `callCost` returns the cost, including that of the arguments. */
export function callCost(call: CostedCall): CallEstimate {
  const lazy = LAZY.get(call.name)?.(call);
  if (lazy !== undefined) return lazy;
  const estimate = ESTIMATES.get(call.name)?.(call) ?? { cost: 1 };
  return { ...estimate, cost: call.costs.reduce(add, estimate.cost) };
}

type Estimate = (call: CostedCall) => CallEstimate | undefined;

const logical: Estimate = ({ costs: [left = 0, right = 0] }) => ({ cost: add(left, right) });

/** Operators that may skip some of their arguments. */
const LAZY: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['_&&_', logical],
  ['_||_', logical],
  [
    '_?_:_',
    ({ args: [, yes, no], costs: [condition = 0, left = 0, right = 0] }) => ({
      cost: add(condition, Math.max(left, right)),
      size: union(yes?.size ?? UNKNOWN, no?.size ?? UNKNOWN),
    }),
  ],
]);

const one: Estimate = () => ({ cost: 1 });

const overArgument: Estimate = ({ args: [argument] }) =>
  argument === undefined ? undefined : { cost: traversal(argument.size) };

const overTarget: Estimate = ({ target }) =>
  target === undefined ? undefined : { cost: traversal(target.size), size: target.size };

const overItems: Estimate = ({ target }) => {
  if (target === undefined) return undefined;
  const { item, size } = target;
  if (item === undefined) return { cost: traversal(size) };
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes';
  return { cost: times(size.max, isText ? add(1, traversal(item.size)) : 1) };
};

const search: Estimate = ({ target, args: [pattern] }) => {
  if (target === undefined || pattern === undefined) return undefined;
  const text = traversal(sizeSum(target.size, fixed(1)));
  return { cost: times(text, factor(pattern.size.max, REGEX)), size: { min: 0, max: target.size.max } };
};

const join: Estimate = ({ target, args: [separator] }) => {
  if (target === undefined) return undefined;
  const { size } = target;
  let whole = target.item === undefined ? fixed(0) : sizeProduct(size, target.item.size);
  if (separator !== undefined) {
    const between = { min: Math.max(0, size.min - 1), max: Math.max(0, size.max - 1) };
    whole = sizeSum(whole, sizeProduct(separator.size, between));
  }
  return { cost: traversal(whole), size: whole };
};

const replace: Estimate = ({ target, args: [old, by] }) => {
  if (target === undefined || old === undefined || by === undefined) return undefined;
  const { size } = target;
  const most = replaced(size.max, old.size.min, by.size.max <= old.size.min);
  const least = replaced(size.min, old.size.max, old.size.max <= by.size.min);
  const count = { min: least.count, max: most.count };
  const kept = { min: least.kept, max: most.kept };
  return {
    cost: factor(size.max, 2 * TRAVERSAL),
    size: sizeSum(sizeProduct(count, by.size), kept),
  };
};

/** How many replacements a string can have, and how much of the string remains. */
function replaced(text: number, part: number, keeps: boolean): { count: number; kept: number } {
  if (part === 0) return { count: add(text, 1), kept: text };
  return keeps ? { count: 0, kept: text } : { count: Math.ceil(text / part), kept: 0 };
}

const split: Estimate = ({ target, args: [, limit] }) => {
  if (target === undefined) return undefined;
  const max = intLiteral(limit) ?? target.size.max;
  return { cost: factor(target.size.max, 2 * TRAVERSAL), size: { min: 0, max } };
};

function intLiteral(node: SizedNode | undefined): number | undefined {
  const value = node?.expr.kind === 'literal' ? node.expr.value : undefined;
  return typeof value === 'bigint' && value >= 0n ? Number(value) : undefined;
}

const ADDRESS_COST = factor(32, TRAVERSAL);

const contains =
  (base: number): Estimate =>
  ({ overload, args: [argument] }) => {
    if (argument === undefined) return undefined;
    return { cost: add(base, overload?.args[1]?.kind === 'string' ? traversal(argument.size) : 0) };
  };

const allocating = (perUnit: number, size: Size): CallEstimate => ({
  cost: add(factor(size.max, perUnit), 11),
  size,
});

const slice: Estimate = ({ target, args: [start, end] }) => {
  if (target === undefined) return undefined;
  const length = (intLiteral(end) ?? target.size.max) - (intLiteral(start) ?? 0);
  // A negative length wraps around in Go's unsigned type.
  return allocating(1, fixed(length < 0 ? LIMIT : length));
};

const sorted =
  (list: (call: CostedCall) => SizedNode | undefined): Estimate =>
  (call) => {
    const node = list(call);
    const item = call.overload?.args.at(-1)?.params[0]?.kind;
    const perPair = item === 'string' || item === 'bytes' ? 2 + TRAVERSAL : 2;
    return node === undefined ? undefined : allocating(perPair, sizeProduct(node.size, node.size));
  };

const sets =
  (perPair: number): Estimate =>
  ({ args: [a, b] }) =>
    a === undefined || b === undefined ? undefined : { cost: add(factor(sizeProduct(a.size, b.size).max, perPair), 1) };

const TEXTS: ReadonlySet<string | undefined> = new Set(['string', 'bytes']);

const sum: Estimate = ({ overload, args: [a, b] }) => {
  const kind = overload?.args[0]?.kind;
  if (a === undefined || b === undefined || !(TEXTS.has(kind) || kind === 'list')) return undefined;
  const size = sizeSum(a.size, b.size);
  return { cost: kind === 'list' ? 1 : traversal(size), size };
};

const comparison: Estimate = ({ args: [a, b] }) =>
  a === undefined || b === undefined ? undefined : { cost: factor(Math.min(a.size.max, b.size.max), TRAVERSAL) };

const order: Estimate = (call) => (TEXTS.has(call.overload?.args[0]?.kind) ? comparison(call) : undefined);

/** Comparing library values has a constant cost, except for the longer ones. */
const CONSTANT_EQUALITY: ReadonlySet<string> = new Set([
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'net.IP',
  'net.CIDR',
]);

const equality: Estimate = (call) => {
  const [a, b] = call.args;
  if (a === undefined || b === undefined || a.type.name !== b.type.name) return comparison(call);
  if (CONSTANT_EQUALITY.has(a.type.name)) return { cost: 1 };
  if (a.type.name === 'kubernetes.NamedFormat') return { cost: factor(64, TRAVERSAL) };
  if (a.type.name === 'kubernetes.URL') return { cost: factor(b.known?.max ?? 1, TRAVERSAL) };
  return comparison(call);
};

const named = (estimate: Estimate, ...names: string[]): [string, Estimate][] => names.map((name) => [name, estimate]);

const ESTIMATES: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...named(overItems, 'isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'),
  ...named(overTarget, 'lowerAscii', 'upperAscii', 'substring', 'trim'),
  ...named(search, 'find', 'findAll'),
  ...named(overArgument, 'cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'),
  ...named(order, '_<_', '_<=_', '_>_', '_>=_'),
  ['url', ({ args: [text] }) => (text === undefined ? undefined : { cost: traversal(text.size), size: text.size })],
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['ip', (call) => (call.target === undefined ? overArgument(call) : one(call))],
  [
    'ip.isCanonical',
    ({ args: [text] }) => (text === undefined ? undefined : { cost: factor(text.size.max, 2 * TRAVERSAL) }),
  ],
  ['containsIP', contains(ADDRESS_COST)],
  ['containsCIDR', contains(ADDRESS_COST + factor(16, TRAVERSAL) + 1)],
  [
    'validate',
    ({ args: [text] }) => (text === undefined ? undefined : { cost: factor(traversal(text.size), 128 * REGEX) }),
  ],
  ['_==_', equality],
  ['_!=_', comparison],
  ['_+_', sum],
  ['format', ({ target }) => (target === undefined ? undefined : { cost: traversal(target.size) })],
  [
    'bytes',
    ({ overload, args: [text] }) =>
      overload?.args[0]?.kind !== 'string' || text === undefined
        ? undefined
        : { cost: traversal(text.size), size: { min: text.size.min, max: times(text.size.max, 4) } },
  ],
  [
    'string',
    ({ overload, args: [bytes] }) =>
      overload?.args[0]?.kind !== 'bytes' || bytes === undefined
        ? undefined
        : { cost: traversal(bytes.size), size: { min: Math.floor(bytes.size.min / 4), max: bytes.size.max } },
  ],
  [
    'strings.quote',
    ({ args: [text] }) =>
      text === undefined
        ? undefined
        : {
            cost: traversal(text.size),
            size: { min: add(text.size.min, 2), max: add(times(text.size.max, 2), 2) },
          },
  ],
  ...named(overArgument, 'startsWith', 'endsWith'),
  [
    'contains',
    ({ target, args: [part] }) =>
      target === undefined || part === undefined
        ? undefined
        : { cost: times(traversal(target.size), traversal(part.size)) },
  ],
  [
    'matches',
    (call) => {
      const found = search(call);
      return found === undefined ? undefined : { cost: found.cost };
    },
  ],
  [
    '@in',
    ({ overload, args: [, list] }) =>
      overload?.args[1]?.kind !== 'list' || list === undefined ? undefined : { cost: list.size.max },
  ],
  ['sets.contains', sets(1)],
  ['sets.intersects', sets(1)],
  ['sets.equivalent', sets(2)],
  ['slice', slice],
  [
    'flatten',
    ({ target, args: [depth] }) =>
      target === undefined
        ? undefined
        : allocating(depth === undefined ? 1 : (intLiteral(depth) ?? LIMIT), target.size),
  ],
  ['lists.range', ({ args: [count] }) => allocating(1, fixed(intLiteral(count) ?? LIMIT))],
  ['reverse', ({ target }) => (target === undefined ? undefined : allocating(1, target.size))],
  [
    'distinct',
    ({ target }) => (target === undefined ? undefined : allocating(2, sizeProduct(target.size, target.size))),
  ],
  ['sort', sorted(({ target }) => target)],
  ['@sortByAssociatedKeys', sorted(({ args: [keys] }) => keys)],
]);
