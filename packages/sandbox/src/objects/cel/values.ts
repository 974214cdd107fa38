/**
 * CEL values at run time. Errors are also values, because `&&`, `||` and the quantifiers continue after an error on one
 * side; evaluation never throws.
 */

export type Value =
  | null
  | boolean
  /** int */
  | bigint
  /** double */
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | LibraryValue
  | EvalError;

export class EvalError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD = new EvalError('no such overload');
export const INT_OVERFLOW = new EvalError('integer overflow');
export const UINT_OVERFLOW = new EvalError('unsigned integer overflow');
export const TIMESTAMP_OVERFLOW = new EvalError('timestamp overflow');

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** `Timestamp` is a point in time, in nanoseconds since 1970. It stores its original time zone for `string()`. */
export class Timestamp {
  readonly nanos: bigint;
  readonly zoneMinutes: number;

  constructor(nanos: bigint, zoneMinutes = 0) {
    this.nanos = nanos;
    this.zoneMinutes = zoneMinutes;
  }
}

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Optional {
  static readonly NONE: Optional = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** `TypeValue` is a type as a value: the result of `type(x)` and the meaning of the name `int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `LibraryValue` is a value of a Kubernetes library: a quantity, URL, IP address, … */
export abstract class LibraryValue {
  abstract readonly typeName: string;
  abstract equals(other: Value): boolean;
}

export abstract class ListValue {
  abstract readonly size: number;
  abstract get(index: number): Value;

  items(): Value[] {
    return Array.from({ length: this.size }, (_, i) => this.get(i));
  }

  concat(other: ListValue): ListValue {
    return new PlainList([...this.items(), ...other.items()]);
  }

  equals(other: ListValue): boolean | EvalError {
    if (this.size !== other.size) return false;
    for (let i = 0; i < this.size; i++) {
      const same = equal(this.get(i), other.get(i));
      if (same !== true) return same;
    }
    return true;
  }
}

export class PlainList extends ListValue {
  readonly values: Value[];

  constructor(values: Value[]) {
    super();
    this.values = values;
  }

  get size(): number {
    return this.values.length;
  }

  get(index: number): Value {
    return this.values[index] ?? null;
  }

  override items(): Value[] {
    return this.values;
  }
}

export abstract class MapValue {
  abstract readonly size: number;
  abstract find(key: Value): Value | undefined;
  abstract keys(): Value[];

  equals(other: MapValue): boolean | EvalError {
    if (this.size !== other.size) return false;
    for (const key of this.keys()) {
      const there = other.find(key);
      if (there === undefined) return false;
      const same = equal(this.find(key) ?? null, there);
      if (same !== true) return same;
    }
    return true;
  }
}

export class PlainMap extends MapValue {
  readonly #entries = new Map<string, { readonly key: Value; readonly value: Value }>();

  get size(): number {
    return this.#entries.size;
  }

  has(key: Value): boolean {
    return this.#entries.has(keyText(key));
  }

  set(key: Value, value: Value): void {
    this.#entries.set(keyText(key), { key, value });
  }

  find(key: Value): Value | undefined {
    return this.#entries.get(keyText(key))?.value;
  }

  keys(): Value[] {
    return [...this.#entries.values()].map((entry) => entry.key);
  }
}

/** One text for keys that are equal in CEL: 1, 1u and 1.0 are the same key. */
function keyText(key: Value): string {
  if (typeof key === 'string') return `s${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'bigint' || typeof key === 'number') return `n${key}`;
  return `o${display(key)}`;
}

/** The run-time name of a value's type, as in `type()` and error texts. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<Value, boolean | bigint | number | string>): string {
  if (value === null) return 'null_type';
  if (value instanceof ListValue) return 'list';
  if (value instanceof MapValue) return 'map';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof EvalError) return 'error';
  return value.typeName;
}

/** `display` returns the value as it appears in an error text. */
export function display(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Uint) return `${value.value}`;
  if (value instanceof TypeValue) return value.name;
  if (typeof value === 'object') return typeName(value);
  return String(value);
}

const numeric = (value: Value): bigint | number | undefined => {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
};

export function equal(a: Value, b: Value): boolean | EvalError {
  if (a instanceof EvalError) return a;
  if (b instanceof EvalError) return b;
  const left = numeric(a);
  if (left !== undefined) {
    const right = numeric(b);
    // Loose equality compares an integer with a double exactly, as CEL asks for.
    // oxlint-disable-next-line eqeqeq -- a bigint and a number that are the same value are equal in CEL
    return right !== undefined && left == right;
  }
  if (a instanceof ListValue) return b instanceof ListValue && a.equals(b);
  if (a instanceof MapValue) return b instanceof MapValue && a.equals(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  if (a instanceof LibraryValue) return a.equals(b);
  return a === b;
}

function equalOptionals(a: Optional, b: Optional): boolean | EvalError {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

/** −1, 0 or 1; an error when the two have no order. */
export function compare(a: Value, b: Value): number | EvalError {
  if (a instanceof EvalError) return a;
  if (b instanceof EvalError) return b;
  const left = numeric(a);
  const right = numeric(b);
  if (left !== undefined && right !== undefined) {
    if (Number.isNaN(left) || Number.isNaN(right)) return new EvalError('NaN values cannot be ordered');
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  return NO_SUCH_OVERLOAD;
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Go orders strings by their UTF-8 bytes. That is the order of code points, not of UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return surrogatesLast(x) < surrogatesLast(y) ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

const surrogatesLast = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
