/** Compiles a checked tree to a function: every node becomes a closure over the slots of the variables. */
import { elementOf, fieldOf, hasField, optionalElement } from './access.ts';
import type { Checked } from './types/checker.ts';
import { dispatch } from './types/dispatch.ts';
import { LIBRARY, TYPE_NAMES } from './library/library.ts';
import { ACCUMULATOR } from './syntax/macros.ts';
import {
  type Plan,
  conditional,
  evaluateAll,
  logical,
  makeList,
  makeMap,
  makeOptionalList,
  notStrictlyFalse,
} from './plans.ts';
import { type Call, type Comprehension, type Expr, type Select, qualifiedName } from './syntax/syntax.ts';
import {
  EvalError,
  ListValue,
  MapValue,
  NO_SUCH_OVERLOAD,
  Optional,
  PlainList,
  type Value,
  equal,
  typeName,
} from './values.ts';

/** Runs the expression with a value for each declared variable. */
export type Program = (variables: readonly Value[]) => Value;

export function planExpression(expr: Expr, checked: Checked, variables: readonly string[]): Program {
  const planner = new Planner(checked, variables);
  const run = planner.plan(expr);
  return (values) => run([...values]);
}

class Planner {
  readonly #checked: Checked;
  readonly #slots: Map<string, number>;
  #count: number;

  constructor(checked: Checked, variables: readonly string[]) {
    this.#checked = checked;
    this.#slots = new Map(variables.map((name, slot) => [name, slot]));
    this.#count = variables.length;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr;
        return () => value;
      }
      case 'ident':
        return this.#name(expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list': {
        const elements = expr.elements.map((element) => this.plan(element));
        const { optionals } = expr;
        if (optionals === undefined) return (frame) => makeList(elements, frame);
        return (frame) => makeOptionalList(elements, optionals, frame);
      }
      case 'map': {
        const entries = expr.entries.map(([key, value]) => [this.plan(key), this.plan(value)] as const);
        const { optionals } = expr;
        return (frame) => makeMap(entries, optionals, frame);
      }
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #name(name: string): Plan {
    const slot = this.#slots.get(name);
    if (slot !== undefined) return (frame) => frame[slot] ?? null;
    const type = TYPE_NAMES.get(name)?.value ?? null;
    return () => type;
  }

  #select(expr: Select): Plan {
    const name = this.#checked.names.get(expr);
    if (name !== undefined) return this.#name(name);
    const operand = this.plan(expr.operand);
    const { field } = expr;
    return expr.test ? (frame) => hasField(operand(frame), field) : (frame) => fieldOf(operand(frame), field);
  }

  #call(expr: Call): Plan {
    const special = this.#special(expr);
    if (special !== undefined) return special;
    const namespaced = this.#checked.namespaced.has(expr);
    const target = namespaced ? undefined : expr.target;
    const name = namespaced && expr.target !== undefined ? `${qualifiedName(expr.target)}.${expr.name}` : expr.name;
    const args = target === undefined ? expr.args : [target, ...expr.args];
    return this.#strict(name, expr, args);
  }

  /** A call that evaluates all its arguments: an error among them is its result. */
  #strict(name: string, expr: Call, args: readonly Expr[]): Plan {
    const plans = args.map((argument) => this.plan(argument));
    const candidates = this.#checked.overloads.get(expr) ?? LIBRARY.get(name) ?? [];
    const [only] = candidates;
    const dynamic = args.some((argument) => (this.#checked.types.get(argument)?.kind ?? 'dyn') === 'dyn');
    if (only !== undefined && candidates.length === 1 && !dynamic) {
      return (frame) => {
        const values = evaluateAll(plans, frame);
        return values instanceof EvalError ? values : only.run(values);
      };
    }
    return (frame) => {
      const values = evaluateAll(plans, frame);
      return values instanceof EvalError ? values : dispatch(name, candidates, values);
    };
  }

  #special(expr: Call): Plan | undefined {
    const [a, b, c] = expr.args.map((argument) => (): Plan => this.plan(argument));
    if (expr.target !== undefined) return this.#optionalFallback(expr);
    if (a === undefined) return undefined;
    if (expr.name === '@not_strictly_false') return notStrictlyFalse(a());
    if (b === undefined) return undefined;
    switch (expr.name) {
      case '_&&_':
        return logical(a(), b(), false);
      case '_||_':
        return logical(a(), b(), true);
      case '_?_:_':
        return c === undefined ? undefined : conditional(a(), b(), c());
      case '_==_': {
        const [left, right] = [a(), b()];
        return (frame) => equal(left(frame), right(frame));
      }
      case '_[_]': {
        const [operand, index] = [a(), b()];
        return (frame) => elementOf(operand(frame), index(frame));
      }
      case '_[?_]': {
        const [operand, index] = [a(), b()];
        return (frame) => optionalElement(operand(frame), index(frame));
      }
      case '_?._': {
        const [operand, field] = [a(), b()];
        return (frame) => optionalElement(operand(frame), field(frame));
      }
      case '_+_':
        return this.#append(expr);
      default:
        return undefined;
    }
  }

  /** `accumulator + [x]`, which only macros generate: the list belongs to the fold and is extended in place. */
  #append(expr: Call): Plan | undefined {
    const [left, right] = expr.args;
    const [element, ...more] = right?.kind === 'list' ? right.elements : [];
    if (left?.kind !== 'ident' || left.name !== ACCUMULATOR || element === undefined || more.length > 0)
      return undefined;
    const list = this.plan(left);
    const item = this.plan(element);
    return (frame) => {
      const grown = list(frame);
      const value = item(frame);
      if (value instanceof EvalError) return value;
      if (grown instanceof PlainList) grown.values.push(value);
      return grown;
    };
  }

  #optionalFallback(expr: Call): Plan | undefined {
    const [argument] = expr.args;
    if ((expr.name !== 'or' && expr.name !== 'orValue') || expr.target === undefined || argument === undefined) {
      return undefined;
    }
    const target = this.plan(expr.target);
    const otherwise = this.plan(argument);
    const whole = expr.name === 'or';
    return (frame) => {
      const optional = target(frame);
      if (!(optional instanceof Optional)) return optional instanceof EvalError ? optional : NO_SUCH_OVERLOAD;
      if (optional.value === undefined) return otherwise(frame);
      return whole ? optional : optional.value;
    };
  }

  #comprehension(expr: Comprehension): Plan {
    const range = this.plan(expr.range);
    const init = this.plan(expr.init);
    const accumulator = this.#count++;
    const variable = this.#count++;
    const second = this.#count++;
    const inner = this.#with(new Map([[expr.accumulator, accumulator]]), () => this.plan(expr.result));
    const names = new Map([
      [expr.accumulator, accumulator],
      [expr.variable, variable],
    ]);
    if (expr.second !== undefined) names.set(expr.second, second);
    const [condition, step] = this.#with(names, () => [this.plan(expr.condition), this.plan(expr.step)] as const);
    const both = expr.second !== undefined;
    return (frame) => {
      const over = range(frame);
      if (over instanceof EvalError) return over;
      if (!(over instanceof ListValue) && !(over instanceof MapValue)) return notIterable(over);
      frame[accumulator] = init(frame);
      const keys = over instanceof MapValue ? over.keys() : undefined;
      const size = over.size;
      for (let i = 0; i < size; i++) {
        const key = keys?.[i];
        if (keys !== undefined && key === undefined) break;
        const item = over instanceof ListValue ? over.get(i) : (key ?? null);
        frame[variable] = both && keys === undefined ? BigInt(i) : item;
        if (both) frame[second] = over instanceof MapValue ? (over.find(item) ?? null) : item;
        if (condition(frame) !== true) break;
        frame[accumulator] = step(frame);
      }
      return inner(frame);
    };
  }

  /** Plans with these names in scope, and restores the scope afterwards. */
  #with<Result>(names: ReadonlyMap<string, number>, plan: () => Result): Result {
    const before = new Map(this.#slots);
    for (const [name, slot] of names) this.#slots.set(name, slot);
    const result = plan();
    this.#slots.clear();
    for (const [name, slot] of before) this.#slots.set(name, slot);
    return result;
  }
}

const GO_NAMES: ReadonlyMap<string, string> = new Map([
  ['int', 'types.Int'],
  ['uint', 'types.Uint'],
  ['double', 'types.Double'],
  ['string', 'types.String'],
  ['bool', 'types.Bool'],
  ['bytes', 'types.Bytes'],
  ['null_type', 'types.Null'],
]);

const notIterable = (value: Value): EvalError =>
  new EvalError(`got '${GO_NAMES.get(typeName(value)) ?? typeName(value)}', expected iterable type`);
