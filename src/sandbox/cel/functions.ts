/** How a library declares its functions: a name, the types of CEL, and the code, which TypeScript checks against them. */
import { type Type, readType } from './types.ts';
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
} from './values.ts';

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

/** What a CEL type, as the tables write it, is in TypeScript. */
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
  /** With the receiver first, if it is a member. */
  readonly args: readonly Type[];
  readonly result: Type;
  readonly run: (args: readonly Value[]) => Value;
  /** Elements of dynamic lists are not looked at before the call. */
  readonly unguarded?: boolean;
}

function overload<const Names extends readonly string[]>(
  name: string,
  member: boolean,
  args: Names,
  result: string,
  run: (...args: Natively<Names>) => Value,
): Overload {
  // The evaluator calls an overload only with values that fit its types; that is what `fits` below decides.
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

/** A function called on a value: `text.charAt(1)`; the value is the first of `args`. */
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

/** Whether a value may be given for an argument. Of lists and maps only the first element is looked at, as in cel-go. */
function fits(type: Type, value: Value): boolean {
  if (type.kind === 'dyn' || type.kind === 'param' || type.kind === 'error') return true;
  const name = typeName(value);
  // An object of a schema is a map at run time.
  if (type.kind === 'struct' && type.fields !== undefined) return name === 'map';
  if (name !== (RUNTIME_NAMES.get(type.name) ?? type.name)) return false;
  const [first, second] = type.params;
  if (first !== undefined && value instanceof ListValue) return value.size === 0 || fits(first, value.get(0));
  if (first === undefined || second === undefined || !(value instanceof MapValue)) return true;
  const [key] = value.keys();
  return key === undefined || (fits(first, key) && fits(second, value.find(key) ?? null));
}
