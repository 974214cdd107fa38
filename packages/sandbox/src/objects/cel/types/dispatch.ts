/** Selects the overload of a function by the values of its arguments. */
import { type Overload, accepts } from '../library/functions.ts';
import { LIBRARY } from '../library/library.ts';
import { EvalError, NO_SUCH_OVERLOAD, type Value, typeName } from '../values.ts';

/** CEL functions whose error text does not list the argument types when no overload matches. */
const PLAIN_FAILURES: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'matches', '@in']);

export function dispatch(name: string, candidates: readonly Overload[], values: readonly Value[]): Value {
  for (const overload of candidates) {
    if (accepts(overload, values)) return overload.run(values);
  }
  if (name === 'size') return new EvalError('no such overload: size');
  if (name.includes('_') || PLAIN_FAILURES.has(name)) return NO_SUCH_OVERLOAD;
  return new EvalError(`no such overload: ${name}(${values.map(typeName).join(', ')})`);
}

/** `callFunction` calls a library function outside of an expression. */
export const callFunction = (name: string, values: readonly Value[]): Value =>
  dispatch(name, LIBRARY.get(name) ?? [], values);
