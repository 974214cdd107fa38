/** Which overload of a function the values of its arguments call for. */
import { type Overload, accepts } from './functions.ts';
import { LIBRARY } from './library.ts';
import { EvalError, NO_SUCH_OVERLOAD, type Value, typeName } from './values.ts';

/** Functions of CEL itself that do not say what they were called with when nothing fits. */
const PLAIN_FAILURES: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'matches', '@in']);

export function dispatch(name: string, candidates: readonly Overload[], values: readonly Value[]): Value {
  for (const overload of candidates) {
    if (accepts(overload, values)) return overload.run(values);
  }
  if (name === 'size') return new EvalError('no such overload: size');
  if (name.includes('_') || PLAIN_FAILURES.has(name)) return NO_SUCH_OVERLOAD;
  return new EvalError(`no such overload: ${name}(${values.map(typeName).join(', ')})`);
}

/** Calls a function of the library outside of an expression. */
export const callFunction = (name: string, values: readonly Value[]): Value =>
  dispatch(name, LIBRARY.get(name) ?? [], values);
