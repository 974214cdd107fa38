/** The parts of a program, and combinators that build plans from plans without the expression. */
import { EvalError, NO_SUCH_OVERLOAD, Optional, PlainList, PlainMap, type Value, display } from './values.ts';

/** `Frame` holds the values of variables, by slot. The first slots are the declared variables, in their order. */
export type Frame = Value[];
export type Plan = (frame: Frame) => Value;

export function evaluateAll(plans: readonly Plan[], frame: Frame): Value[] | EvalError {
  const values: Value[] = [];
  for (const plan of plans) {
    const value = plan(frame);
    if (value instanceof EvalError) return value;
    values.push(value);
  }
  return values;
}

export function logical(left: Plan, right: Plan, decisive: boolean): Plan {
  return (frame) => {
    const a = left(frame);
    if (a === decisive) return decisive;
    const b = right(frame);
    if (b === decisive) return decisive;
    if (typeof a === 'boolean' && typeof b === 'boolean') return !decisive;
    if (a instanceof EvalError) return a;
    return b instanceof EvalError ? b : NO_SUCH_OVERLOAD;
  };
}

export function conditional(condition: Plan, yes: Plan, no: Plan): Plan {
  return (frame) => {
    const value = condition(frame);
    if (value === true) return yes(frame);
    if (value === false) return no(frame);
    return value instanceof EvalError ? value : NO_SUCH_OVERLOAD;
  };
}

export const notStrictlyFalse =
  (plan: Plan): Plan =>
  (frame) =>
    plan(frame) !== false;

export function makeList(elements: readonly Plan[], frame: Frame): Value {
  const values = evaluateAll(elements, frame);
  return values instanceof EvalError ? values : new PlainList(values);
}

/** `[?x]`: an element that is none is omitted. */
export function makeOptionalList(elements: readonly Plan[], optionals: ReadonlySet<number>, frame: Frame): Value {
  const values: Value[] = [];
  for (const [i, element] of elements.entries()) {
    const value = element(frame);
    if (value instanceof EvalError) return value;
    if (!optionals.has(i)) values.push(value);
    else if (!(value instanceof Optional)) return notOptional(value);
    else if (value.value !== undefined) values.push(value.value);
  }
  return new PlainList(values);
}

export function makeMap(
  entries: readonly (readonly [Plan, Plan])[],
  optionals: ReadonlySet<number> | undefined,
  frame: Frame,
): Value {
  const map = new PlainMap();
  for (const [i, [keyPlan, valuePlan]] of entries.entries()) {
    const key = keyPlan(frame);
    if (key instanceof EvalError) return key;
    const value = valuePlan(frame);
    if (value instanceof EvalError) return value;
    if (optionals?.has(i) !== true) map.set(key, value);
    else if (!(value instanceof Optional)) return notOptional(value);
    else if (value.value !== undefined) map.set(key, value.value);
  }
  return map;
}

const notOptional = (value: Value): EvalError =>
  new EvalError(`cannot initialize optional list element from non-optional value ${display(value)}`);
