/** CEL's own operators and conversions. */
import { goFloat } from '../../schema/go/go-text.ts';
import { type Overload, fail, global, member } from './functions.ts';
import { parseDouble } from './numbers.ts';
import { codePointCount } from '../syntax/text.ts';
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, timestampOrOverflow } from './time.ts';
import {
  Duration,
  EvalError,
  INT_OVERFLOW,
  type MapValue,
  NO_SUCH_OVERLOAD,
  PlainMap,
  type Timestamp,
  TypeValue,
  UINT_OVERFLOW,
  Uint,
  type Value,
  compare,
  equal,
  typeName,
} from '../values.ts';

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);
const UINT_MAX = 2n ** 64n - 1n;

const int = (value: bigint): Value => (value >= INT_MIN && value <= INT_MAX ? value : INT_OVERFLOW);
const uint = (value: bigint): Value => (value >= 0n && value <= UINT_MAX ? new Uint(value) : UINT_OVERFLOW);
const duration = (nanos: bigint): Value =>
  nanos >= INT_MIN && nanos <= INT_MAX ? new Duration(nanos) : fail('duration overflow');
const not = (value: boolean | EvalError): Value => (value instanceof EvalError ? value : !value);

const DIVISION_BY_ZERO = fail('division by zero');
const MODULUS_BY_ZERO = fail('modulus by zero');

const ARITHMETIC: readonly Overload[] = [
  global('!_', ['bool'], 'bool', (a) => !a),
  global('-_', ['double'], 'double', (a) => -a),
  global('-_', ['int'], 'int', (a) => int(-a)),
  global('_%_', ['int', 'int'], 'int', (a, b) => (b === 0n ? MODULUS_BY_ZERO : int(a % b))),
  global('_%_', ['uint', 'uint'], 'uint', (a, b) => (b.value === 0n ? MODULUS_BY_ZERO : uint(a.value % b.value))),
  global('_*_', ['double', 'double'], 'double', (a, b) => a * b),
  global('_*_', ['int', 'int'], 'int', (a, b) => int(a * b)),
  global('_*_', ['uint', 'uint'], 'uint', (a, b) => uint(a.value * b.value)),
  global('_+_', ['bytes', 'bytes'], 'bytes', (a, b) => Buffer.concat([a, b])),
  global('_+_', ['double', 'double'], 'double', (a, b) => a + b),
  global('_+_', ['duration', 'duration'], 'duration', (a, b) => duration(a.nanos + b.nanos)),
  global('_+_', ['duration', 'timestamp'], 'timestamp', (a, b) =>
    timestampOrOverflow(a.nanos + b.nanos, b.zoneMinutes),
  ),
  global('_+_', ['timestamp', 'duration'], 'timestamp', (a, b) =>
    timestampOrOverflow(a.nanos + b.nanos, a.zoneMinutes),
  ),
  global('_+_', ['int', 'int'], 'int', (a, b) => int(a + b)),
  global('_+_', ['list<A>', 'list<A>'], 'list<A>', (a, b) => a.concat(b)),
  global('_+_', ['string', 'string'], 'string', (a, b) => a + b),
  global('_+_', ['uint', 'uint'], 'uint', (a, b) => uint(a.value + b.value)),
  global('_-_', ['double', 'double'], 'double', (a, b) => a - b),
  global('_-_', ['duration', 'duration'], 'duration', (a, b) => duration(a.nanos - b.nanos)),
  global('_-_', ['int', 'int'], 'int', (a, b) => int(a - b)),
  global('_-_', ['timestamp', 'duration'], 'timestamp', (a, b) =>
    timestampOrOverflow(a.nanos - b.nanos, a.zoneMinutes),
  ),
  global('_-_', ['timestamp', 'timestamp'], 'duration', (a, b) => duration(a.nanos - b.nanos)),
  global('_-_', ['uint', 'uint'], 'uint', (a, b) => uint(a.value - b.value)),
  global('_/_', ['double', 'double'], 'double', (a, b) => a / b),
  global('_/_', ['int', 'int'], 'int', (a, b) => (b === 0n ? DIVISION_BY_ZERO : int(a / b))),
  global('_/_', ['uint', 'uint'], 'uint', (a, b) => (b.value === 0n ? DIVISION_BY_ZERO : uint(a.value / b.value))),
];

/** Pairs of types that have an order; numbers are comparable across types. */
const ORDERED: readonly (readonly [string, string])[] = [
  ['bool', 'bool'],
  ['int', 'int'],
  ['int', 'double'],
  ['int', 'uint'],
  ['uint', 'uint'],
  ['uint', 'double'],
  ['uint', 'int'],
  ['double', 'double'],
  ['double', 'int'],
  ['double', 'uint'],
  ['string', 'string'],
  ['bytes', 'bytes'],
  ['timestamp', 'timestamp'],
  ['duration', 'duration'],
];

const ORDERS: readonly (readonly [name: string, holds: (order: number) => boolean])[] = [
  ['_<=_', (order) => order <= 0],
  ['_<_', (order) => order < 0],
  ['_>=_', (order) => order >= 0],
  ['_>_', (order) => order > 0],
];

const COMPARISONS: readonly Overload[] = [
  global('_==_', ['A', 'A'], 'bool', (a, b) => equal(a, b)),
  global('_!=_', ['A', 'A'], 'bool', (a, b) => not(equal(a, b))),
  ...ORDERS.flatMap(([name, holds]) =>
    ORDERED.map(([left, right]) =>
      global(name, [left, right], 'bool', (a, b) => {
        const order = compare(a, b);
        return order instanceof EvalError ? order : holds(order);
      }),
    ),
  ),
];

const CONTAINERS: readonly Overload[] = [
  global('@in', ['A', 'list<A>'], 'bool', (element, list) => {
    let failure: EvalError | undefined;
    for (let i = 0; i < list.size; i++) {
      const same = equal(list.get(i), element);
      if (same === true) return true;
      if (same !== false) failure ??= same;
    }
    return failure ?? false;
  }),
  global('@in', ['A', 'map<A, B>'], 'bool', (key, map) => {
    const found = map.find(key);
    return found instanceof EvalError ? found : found !== undefined;
  }),
  global('size', ['bytes'], 'int', (bytes) => BigInt(bytes.length)),
  member('size', ['bytes'], 'int', (bytes) => BigInt(bytes.length)),
  global('size', ['list<A>'], 'int', (list) => BigInt(list.size)),
  member('size', ['list<A>'], 'int', (list) => BigInt(list.size)),
  global('size', ['map<A, B>'], 'int', (map) => BigInt(map.size)),
  member('size', ['map<A, B>'], 'int', (map) => BigInt(map.size)),
  global('size', ['string'], 'int', (text) => BigInt(codePointCount(text))),
  member('size', ['string'], 'int', (text) => BigInt(codePointCount(text))),
  global('cel.@mapInsert', ['map<K, V>', 'K', 'V'], 'map<K, V>', (map, key, value) => insertInto(map, [[key, value]])),
  global('cel.@mapInsert', ['map<K, V>', 'map<K, V>'], 'map<K, V>', (map, entries) =>
    insertInto(
      map,
      entries.keys().map((key) => [key, entries.find(key) ?? null] as const),
    ),
  ),
];

/** Only folds call this, for a map that they created themselves, so it is modified in place. */
function insertInto(map: MapValue, entries: readonly (readonly [Value, Value])[]): Value {
  if (!(map instanceof PlainMap)) return NO_SUCH_OVERLOAD;
  for (const [key, value] of entries) {
    if (map.has(key)) return fail(`insert failed: key ${String(key)} already exists`);
    map.set(key, value);
  }
  return map;
}

const cannotConvert = (from: string, to: string): EvalError => fail(`type conversion error from '${from}' to '${to}'`);

const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

const CONVERSIONS: readonly Overload[] = [
  global('bool', ['bool'], 'bool', (a) => a),
  global('bool', ['string'], 'bool', (text) => {
    if (TRUE_TEXTS.has(text)) return true;
    return FALSE_TEXTS.has(text) ? false : cannotConvert('string', 'bool');
  }),
  global('bytes', ['bytes'], 'bytes', (a) => a),
  global('bytes', ['string'], 'bytes', (text) => Buffer.from(text)),
  global('double', ['double'], 'double', (a) => a),
  global('double', ['int'], 'double', (a) => Number(a)),
  global('double', ['string'], 'double', (text) => parseDouble(text) ?? cannotConvert('string', 'double')),
  global('double', ['uint'], 'double', (a) => Number(a.value)),
  global('duration', ['duration'], 'duration', (a) => a),
  global('duration', ['int'], 'duration', (nanos) => new Duration(nanos)),
  global(
    'duration',
    ['string'],
    'duration',
    (text) => parseDuration(text) ?? cannotConvert('string', 'google.protobuf.Duration'),
  ),
  global('dyn', ['A'], 'dyn', (a) => a),
  global('int', ['int'], 'int', (a) => a),
  global('int', ['double'], 'int', (a) =>
    Number.isFinite(a) && a > -(2 ** 63) && a < 2 ** 63 ? BigInt(Math.trunc(a)) : INT_OVERFLOW,
  ),
  global('int', ['duration'], 'int', (a) => a.nanos),
  global('int', ['string'], 'int', (text) =>
    /^[+-]?[0-9]+$/.test(text) && fitsInt(BigInt(text.replace('+', '')))
      ? BigInt(text.replace('+', ''))
      : cannotConvert('string', 'int'),
  ),
  global('int', ['timestamp'], 'int', (a) => floorDivide(a.nanos, 1_000_000_000n)),
  global('int', ['uint'], 'int', (a) => int(a.value)),
  global('string', ['string'], 'string', (a) => a),
  global('string', ['bool'], 'string', (a) => String(a)),
  global('string', ['bytes'], 'string', (bytes) => {
    const text = Buffer.from(bytes).toString('utf8');
    return Buffer.compare(Buffer.from(text), bytes) === 0
      ? text
      : fail('invalid UTF-8 in bytes, cannot convert to string');
  }),
  global('string', ['double'], 'string', (a) => goFloat(a)),
  global('string', ['duration'], 'string', (a) => formatDuration(a)),
  global('string', ['int'], 'string', (a) => String(a)),
  global('string', ['timestamp'], 'string', (a) => formatTimestamp(a)),
  global('string', ['uint'], 'string', (a) => String(a.value)),
  global('timestamp', ['timestamp'], 'timestamp', (a) => a),
  global('timestamp', ['int'], 'timestamp', (seconds) => timestampOrOverflow(seconds * 1_000_000_000n)),
  global('timestamp', ['string'], 'timestamp', (text) => toTimestamp(parseTimestamp(text))),
  global('type', ['A'], 'type<A>', (a) => new TypeValue(typeName(a))),
  global('uint', ['uint'], 'uint', (a) => a),
  global('uint', ['double'], 'uint', (a) =>
    Number.isFinite(a) && a >= 0 && a < 2 ** 64 ? new Uint(BigInt(Math.trunc(a))) : UINT_OVERFLOW,
  ),
  global('uint', ['int'], 'uint', (a) => uint(a)),
  global('uint', ['string'], 'uint', (text) =>
    /^[0-9]+$/.test(text) && BigInt(text) <= UINT_MAX ? new Uint(BigInt(text)) : cannotConvert('string', 'uint'),
  ),
];

const fitsInt = (value: bigint): boolean => value >= INT_MIN && value <= INT_MAX;
const toTimestamp = (parsed: Timestamp | undefined): Value =>
  parsed === undefined
    ? cannotConvert('string', 'google.protobuf.Timestamp')
    : timestampOrOverflow(parsed.nanos, parsed.zoneMinutes);

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

export const STANDARD: readonly Overload[] = [...ARITHMETIC, ...COMPARISONS, ...CONTAINERS, ...CONVERSIONS];

/** Functions that only the checker needs: the evaluator implements them itself, because they can skip arguments. */
export const CONTROL: readonly Overload[] = [
  global('_&&_', ['bool', 'bool'], 'bool', () => NO_SUCH_OVERLOAD),
  global('_||_', ['bool', 'bool'], 'bool', () => NO_SUCH_OVERLOAD),
  global('_?_:_', ['bool', 'A', 'A'], 'A', () => NO_SUCH_OVERLOAD),
  global('@not_strictly_false', ['bool'], 'bool', () => NO_SUCH_OVERLOAD),
  global('_[_]', ['list<A>', 'int'], 'A', () => NO_SUCH_OVERLOAD),
  global('_[_]', ['map<A, B>', 'A'], 'B', () => NO_SUCH_OVERLOAD),
  global('_[_]', ['optional_type<list<V>>', 'int'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
  global('_[_]', ['optional_type<map<K, V>>', 'K'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
  global('_[?_]', ['list<V>', 'int'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
  global('_[?_]', ['optional_type<list<V>>', 'int'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
  global('_[?_]', ['map<K, V>', 'K'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
  global('_[?_]', ['optional_type<map<K, V>>', 'K'], 'optional_type<V>', () => NO_SUCH_OVERLOAD),
];
