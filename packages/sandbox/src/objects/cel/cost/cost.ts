/**
 * Estimates the worst-case cost of evaluating an expression, in cel-go's units. The API server rejects rules that could
 * be too expensive for the largest data that their schema allows, so this file computes the same sums.
 */
import { type Size, type SizedNode, UNKNOWN, add, callCost, fixed, times, union } from './call-costs.ts';
import type { Checked } from '../types/checker.ts';
import type { Overload } from '../library/functions.ts';
import { ACCUMULATOR } from '../syntax/macros.ts';
import {
  type Call,
  type Comprehension,
  type Expr,
  type ListLiteral,
  type MapLiteral,
  qualifiedName,
} from '../syntax/syntax.ts';
import { codePointCount } from '../syntax/text.ts';
import { DYN, type Kind, type Type } from '../types/types.ts';

/** The size of the data at a path below a variable, `['self', 'spec', '@items']`; undefined if unknown. */
export type SizeAt = (path: readonly string[]) => number | undefined;

export function estimateCost(expr: Expr, checked: Checked, sizeAt: SizeAt): number {
  return new Estimator(checked, sizeAt).cost(expr);
}

/** The sizes of the keys and values of a list or map. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Size | undefined;
  readonly entries: EntrySize | undefined;
}

const SCALARS: ReadonlySet<Kind> = new Set<Kind>(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: Type): boolean {
  const [inner] = type.params;
  if (type.name === 'optional_type' && inner !== undefined) return isScalar(inner);
  return SCALARS.has(type.kind);
}

class Estimator {
  readonly #checked: Checked;
  readonly #sizeAt: SizeAt;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Size>();
  readonly #entries = new Map<Expr, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: Checked, sizeAt: SizeAt) {
    this.#checked = checked;
    this.#sizeAt = sizeAt;
  }

  cost(expr: Expr): number {
    switch (expr.kind) {
      case 'literal':
        return 0;
      case 'ident':
        return this.#nameCost(expr, expr.name);
      case 'select': {
        const name = this.#checked.names.get(expr);
        if (name !== undefined) return this.#nameCost(expr, name);
        const operand = this.cost(expr.operand);
        if (expr.test) return operand;
        const { kind } = this.#typeOf(expr.operand);
        this.#paths.set(expr, [...this.#pathOf(expr.operand), expr.field]);
        return kind === 'map' || kind === 'struct' || kind === 'param' ? operand + 1 : operand;
      }
      case 'call':
        return expr.name === 'dyn' && expr.target === undefined ? this.#dyn(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #nameCost(expr: Expr, name: string): number {
    this.#paths.set(expr, this.#local(name)?.path ?? [name]);
    return 1;
  }

  #typeOf(expr: Expr): Type {
    return this.#checked.types.get(expr) ?? DYN;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
  }

  #pop(name: string): void {
    this.#locals.set(name, (this.#locals.get(name) ?? []).slice(0, -1));
  }

  #pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #sizeOf(expr: Expr): Size | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#pathOf(expr);
    const max = path.length === 0 ? undefined : this.#sizeAt(path);
    if (max !== undefined) {
      const size = { min: 0, max };
      this.#sizes.set(expr, size);
      return size;
    }
    if (isScalar(this.#typeOf(expr))) return fixed(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #entriesOf(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined);
  }

  #setEntries(expr: Expr, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.#entries.set(expr, entries);
  }

  #setSize(expr: Expr, size: Size | undefined): void {
    if (size !== undefined) this.#sizes.set(expr, size);
  }

  #node(expr: Expr): SizedNode {
    const path = this.#pathOf(expr);
    const size = this.#sizeOf(expr);
    const shown = path[0] === ACCUMULATOR ? [] : path;
    const [item] = this.#typeOf(expr).params;
    const itemMax = shown.length === 0 ? undefined : this.#sizeAt([...shown, '@items']);
    return {
      expr,
      type: this.#typeOf(expr),
      size: size ?? UNKNOWN,
      known: size,
      ...(item === undefined
        ? {}
        : { item: { type: item, size: itemMax === undefined ? UNKNOWN : { min: 0, max: itemMax } } }),
    };
  }

  #dyn(expr: Call): number {
    const [argument] = expr.args;
    if (argument === undefined) return 1;
    const cost = this.cost(argument);
    this.#setSize(expr, this.#sizeOf(argument));
    this.#setEntries(expr, this.#entriesOf(argument));
    return add(1, cost);
  }

  #list(expr: ListLiteral): number {
    let sum = 10;
    let value: Size = expr.elements.length === 0 ? fixed(0) : NOTHING;
    for (const element of expr.elements) {
      sum = add(sum, this.cost(element));
      value = union(value, this.#sizeOf(element) ?? UNKNOWN);
    }
    this.#setEntries(expr, { container: 'list', key: fixed(1), value });
    return sum;
  }

  #map(expr: MapLiteral): number {
    let sum = 30;
    const empty = expr.entries.length === 0;
    let key: Size = empty ? fixed(0) : NOTHING;
    let value: Size = empty ? fixed(0) : NOTHING;
    for (const [keyExpr, valueExpr] of expr.entries) {
      sum = add(add(sum, this.cost(keyExpr)), this.cost(valueExpr));
      key = union(key, this.#sizeOf(keyExpr) ?? UNKNOWN);
      value = union(value, this.#sizeOf(valueExpr) ?? UNKNOWN);
    }
    this.#setEntries(expr, { container: 'map', key, value });
    return sum;
  }

  #binding(expr: Comprehension): number {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, this.#asLocal(expr.init));
    const result = this.cost(expr.result);
    this.#pop(expr.accumulator);
    this.#setSize(expr, this.#sizeOf(expr.result));
    this.#setEntries(expr, this.#entriesOf(expr.result));
    return add(before, result);
  }

  #asLocal(expr: Expr): Local {
    return { path: this.#pathOf(expr), size: this.#sizeOf(expr), entries: this.#entriesOf(expr) };
  }

  #comprehension(expr: Comprehension): number {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#push(expr.accumulator, this.#asLocal(expr.init));
    this.#pushIteration(expr);
    const loop = add(this.cost(expr.condition), this.cost(expr.step));
    this.#pop(expr.variable);
    if (expr.second !== undefined) this.#pop(expr.second);
    const result = this.cost(expr.result);
    this.#pop(expr.accumulator);
    const count = this.#sizeOf(expr.range) ?? UNKNOWN;
    if (expr.init.kind === 'literal') this.#setSize(expr, this.#sizeOf(expr.init));
    else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#setSize(expr, count);
      this.#setEntries(expr, this.#entriesOf(expr.step));
    }
    return add(add(before, result), times(count.max, loop));
  }

  #pushIteration(expr: Comprehension): void {
    const entries = this.#entriesOf(expr.range);
    const isList = (entries?.container ?? this.#typeOf(expr.range).kind) === 'list';
    const path = this.#pathOf(expr.range);
    const keys = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    const values = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined };
    this.#push(expr.variable, expr.second === undefined && isList ? values : keys);
    if (expr.second !== undefined) this.#push(expr.second, values);
  }

  #call(expr: Call): number {
    const namespaced = this.#checked.namespaced.has(expr);
    const target = namespaced ? undefined : expr.target;
    const name = namespaced && expr.target !== undefined ? `${qualifiedName(expr.target)}.${expr.name}` : expr.name;
    const costs = expr.args.map((argument) => this.cost(argument));
    const args = expr.args.map((argument) => this.#node(argument));
    const targetCost = target === undefined ? 0 : this.cost(target);
    const targetNode = target === undefined ? undefined : this.#node(target);
    const overloads: readonly (Overload | undefined)[] = this.#checked.overloads.get(expr) ?? [undefined];
    let worst = 0;
    let size: Size | undefined;
    for (const overload of overloads) {
      const estimate = callCost({ name, overload, target: targetNode, args, costs });
      worst = Math.max(worst, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      size = this.#indexed(expr, overload) ?? size ?? this.#sizeOf(expr);
    }
    this.#mergeEntries(expr, name);
    this.#setSize(expr, size);
    return add(targetCost, worst);
  }

  /** The path continues in an element of the list or map. */
  #indexed(expr: Call, overload: Overload | undefined): Size | undefined {
    const [operand] = expr.args;
    const kind = overload?.args[0]?.kind;
    if (expr.name !== '_[_]' || operand === undefined || (kind !== 'list' && kind !== 'map')) return undefined;
    this.#paths.set(expr, [...this.#pathOf(operand), kind === 'list' ? '@items' : '@values']);
    return this.#entriesOf(operand)?.value;
  }

  /** A conditional, or the concatenation of two lists, contains entries of both. */
  #mergeEntries(expr: Call, name: string): void {
    const [first, second] = name === '_?_:_' ? expr.args.slice(1) : name === '_+_' ? expr.args : [];
    if (first === undefined || second === undefined) return;
    const a = this.#entriesOf(first);
    const b = this.#entriesOf(second);
    if (a === undefined || b === undefined) return;
    this.#setEntries(expr, { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) });
  }
}

const NOTHING: Size = { min: UNKNOWN.max, max: 0 };

function isBinding(expr: Comprehension): boolean {
  const { range, condition } = expr;
  const overNothing = range.kind === 'list' && range.elements.length === 0;
  return overNothing && condition.kind === 'literal' && condition.value === false && expr.accumulator !== ACCUMULATOR;
}

function literalSize(expr: Expr): Size | undefined {
  switch (expr.kind) {
    case 'literal':
      if (typeof expr.value === 'string') return fixed(codePointCount(expr.value));
      return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1);
    case 'list':
      return fixed(expr.elements.length);
    case 'map':
      return fixed(expr.entries.length);
    default:
      return undefined;
  }
}
