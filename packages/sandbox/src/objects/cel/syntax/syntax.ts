/** The syntax tree of checker and evaluator. Macros are already expanded, as in cel-go. */
import type { Uint } from '../values.ts';

export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | Uint;

interface Node {
  /** The node's position in cel-go: the operator, dot or bracket, not the first character. */
  readonly at: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)` */
  readonly test: boolean;
}

/** Operators are also calls, with cel-go's names: `_+_`, `_[_]`, `_?_:_`. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Which elements have a question mark. */
  readonly optionals?: ReadonlySet<number>;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly (readonly [key: Expr, value: Expr])[];
  /** Which entries have a question mark. */
  readonly optionals?: ReadonlySet<number>;
}

/** A fold over a list or map: the expansion of all, exists, map, filter and similar macros. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Expr = Literal | Ident | Select | Call | ListLiteral | MapLiteral | Comprehension;

/** `a.b.c` as a name, if the expression consists only of names and dots. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}

export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flat();
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
