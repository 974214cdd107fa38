/**
 * How a library declares its functions: the name, the CEL types, and the code, which TypeScript checks against the
 * types.
 */
import { type Type, readType } from '../types/types.ts';
import {
  type Duration,
  EvalError,
  type LibraryValue,
  ListValue,
  MapValue,
  type Optional,
  type Timestamp,
  type Uint,
  type Value,
  typeName,
} from '../values.ts';

interface Natives {
  null: null;
  bool: boolean;
  int: bigint;
  uint: Uint;
  double: number;
  string: string;
  bytes: Uint8Array;
  timestamp: Timestamp;
  duration: Duration;
}

/** The TypeScript type for a CEL type as written in the tables. */
export type Native<Name extends string> = Name extends keyof Natives
  ? Natives[Name]
  : Name extends `list<${string}>`
    ? ListValue
    : Name extends `map<${string}>`
      ? MapValue
      : Name extends `optional_type<${string}>`
        ? Optional
        : Name extends `${'kubernetes' | 'net'}.${string}`
          ? LibraryValue
          : Exclude<Value, EvalError>;

type Natively<Names extends readonly string[]> = { readonly [Index in keyof Names]: Native<Names[Index]> };

export interface Overload {
  readonly name: string;
  readonly member: boolean;
  /** The receiver comes first for a member function. */
  readonly args: readonly Type[];
  readonly result: Type;
  readonly run: (args: readonly Value[]) => Value;
  /** The elements of dynamic lists are not checked before the call. */
  readonly unguarded?: boolean;
}

function overload<const Names extends readonly string[]>(
  name: string,
  member: boolean,
  args: Names,
  result: string,
  run: (...args: Natively<Names>) => Value,
): Overload {
  // The evaluator calls an overload only with values that match its types; `fits` below decides that.
  const untyped = run as unknown as (...values: readonly Value[]) => Value;
  return {
    name,
    member,
    args: args.map(readType),
    result: readType(result),
    run: (values) => untyped(...values),
  };
}

/** A function called by its name: `size(x)`, `sets.contains(a, b)`. */
export const global = <const Names extends readonly string[]>(
  name: string,
  args: Names,
  result: string,
  run: (...args: Natively<Names>) => Value,
): Overload => overload(name, false, args, result, run);

/** `member` is a function called on a value: `text.charAt(1)`; the value is the first of `args`. */
export const member = <const Names extends readonly string[]>(
  name: string,
  args: Names,
  result: string,
  run: (...args: Natively<Names>) => Value,
): Overload => overload(name, true, args, result, run);

export const fail = (message: string): EvalError => new EvalError(message);

const RUNTIME_NAMES: ReadonlyMap<string, string> = new Map([
  ['null', 'null_type'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);

export const accepts = (overload: Overload, values: readonly Value[]): boolean =>
  overload.args.every((type, i) =>
    fits(overload.unguarded === true ? { ...type, params: [] } : type, values[i] ?? null),
  );

/** Whether a value is allowed for an argument. Only the first element of lists and maps is checked, as in cel-go. */
function fits(type: Type, value: Value): boolean {
  if (type.kind === 'dyn' || type.kind === 'param' || type.kind === 'error') return true;
  const name = typeName(value);
  // An object with a schema is a map at run time.
  if (type.kind === 'struct' && type.fields !== undefined) return name === 'map';
  if (name !== (RUNTIME_NAMES.get(type.name) ?? type.name)) return false;
  const [first, second] = type.params;
  if (first !== undefined && value instanceof ListValue) return value.size === 0 || fits(first, value.get(0));
  if (first === undefined || second === undefined || !(value instanceof MapValue)) return true;
  const [key] = value.keys();
  return key === undefined || (fits(first, key) && fits(second, value.find(key) ?? null));
}
